extension Fault {
    static let heads: [Fault] = [
        Fault(name: "endless-head", outcome: "The load failed: URLError -1"),
        Fault(name: "endless-header-line", outcome: "The load failed: URLError -1"),
        Fault(name: "long-header-line", outcome: "The load failed: URLError -1"),
        Fault(name: "many-headers", settings: ["count": 1000], outcome: "Answer(ok: true)"),
        Fault(
            name: "same-header-many-times", settings: ["count": 1000], outcome: "Answer(ok: true)"),
        Fault(name: "folded-header", outcome: "Answer(ok: true)"),
        Fault(name: "header-without-colon", outcome: "The load failed: URLError -1"),
        Fault(name: "header-without-name", outcome: "The load failed: URLError -1"),
        Fault(name: "blank-before-colon", outcome: "The load failed: URLError -1"),
        Fault(name: "utf8-in-reason", outcome: "Answer(ok: true)"),
        Fault(name: "invalid-utf8-in-reason", outcome: "The load failed: URLError -1"),
        Fault(name: "invalid-utf8-in-header-value", outcome: "The load failed: URLError -1"),
        Fault(name: "invalid-utf8-in-header-name", outcome: "The load failed: URLError -1"),
        Fault(name: "nul-in-reason", outcome: "The load failed: URLError -1"),
        Fault(name: "nul-in-header-value", outcome: "The load failed: URLError -1"),
        Fault(name: "nul-in-header-name", outcome: "The load failed: URLError -1"),
        Fault(name: "bare-cr-in-header-value", outcome: "Answer(ok: true)"),
        Fault(name: "bare-lf-head", outcome: "The load failed: URLError -1"),
        Fault(
            name: "empty-line-first",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(name: "two-content-types", outcome: "Answer(ok: true)"),
        Fault(name: "empty-content-type", outcome: "Answer(ok: true)"),
        Fault(name: "broken-content-type", outcome: "Answer(ok: true)"),
    ]
}
