extension Fault {
    static let heads: [Fault] = [
        Fault("endless-head", .broken),
        Fault("endless-header-line", .broken),
        Fault("long-header-line", .broken, platform: "libcurl reads heads of up to 300 KB"),
        Fault("many-headers", .fine, settings: ["count": 1000]),
        Fault("same-header-many-times", .fine, settings: ["count": 1000]),
        Fault("many-cookies", .fine, settings: ["count": 100]),
        Fault("folded-header", .fine),
        Fault("header-without-colon", .broken),
        Fault("header-without-name", .broken),
        Fault("blank-before-colon", .broken),
        Fault("utf8-in-reason", .fine),
        Fault(
            "invalid-utf8-in-reason", .broken,
            platform: "FoundationNetworking reads heads as UTF-8 only"),
        Fault(
            "invalid-utf8-in-header-value", .broken,
            platform: "FoundationNetworking reads heads as UTF-8 only"),
        Fault(
            "invalid-utf8-in-header-name", .broken,
            platform: "FoundationNetworking reads heads as UTF-8 only"),
        Fault("nul-in-reason", .broken),
        Fault("nul-in-header-value", .broken),
        Fault("nul-in-header-name", .broken),
        Fault(
            "bare-cr-in-header-value", .fine,
            platform: "libcurl takes the CR for a part of the value"),
        Fault("bare-lf-head", .broken, platform: "FoundationNetworking wants CR LF"),
        Fault("empty-line-first", .notHTTP),
        Fault("two-content-types", .fine),
        Fault("empty-content-type", .fine),
        Fault("broken-content-type", .fine),
    ]
}
