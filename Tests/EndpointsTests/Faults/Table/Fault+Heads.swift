extension Fault {
    static let heads: [Fault] = [
        Fault("endless-head", .longHead),
        Fault("endless-header-line", .longFields),
        Fault("long-header-line", .longFields, platform: "libcurl reads heads of up to 300 KB"),
        Fault("many-headers", .fine, settings: ["count": 1000]),
        Fault("same-header-many-times", .fine, settings: ["count": 1000]),
        Fault("many-cookies", .fine, settings: ["count": 100]),
        Fault("folded-header", .fine),
        Fault("header-without-colon", .notHTTP),
        Fault("header-without-name", .unreadableHead),
        Fault("blank-before-colon", .unreadableHead),
        Fault("utf8-in-reason", .fine),
        Fault(
            "invalid-utf8-in-reason", .unreadableHead,
            platform: "FoundationNetworking reads heads as UTF-8 only"),
        Fault(
            "invalid-utf8-in-header-value", .unreadableHead,
            platform: "FoundationNetworking reads heads as UTF-8 only"),
        Fault(
            "invalid-utf8-in-header-name", .unreadableHead,
            platform: "FoundationNetworking reads heads as UTF-8 only"),
        Fault("nul-in-reason", .notHTTP),
        Fault("nul-in-header-value", .notHTTP),
        Fault("nul-in-header-name", .notHTTP),
        Fault(
            "bare-cr-in-header-value", .fine,
            platform: "libcurl takes the CR for a part of the value"),
        Fault("bare-lf-head", .unreadableHead, platform: "FoundationNetworking wants CR LF"),
        Fault("empty-line-first", .notHTTP),
        Fault("two-content-types", .fine),
        Fault("empty-content-type", .fine),
        Fault("broken-content-type", .fine),
    ]
}
