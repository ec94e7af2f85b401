extension Fault {
    static let codings: [Fault] = [
        Fault(
            "truncated-gzip", .notJSON,
            platform: "libcurl does not miss the end; as Data or String it would be a response"),
        Fault("corrupt-gzip", .notCoded),
        Fault("gzip-with-wrong-checksum", .notCoded),
        Fault("gzip-with-trailing-garbage", .notCoded),
        Fault("gzip-in-two-members", .notCoded, platform: "libcurl reads one member"),
        Fault("gzip-declared-only", .notCoded),
        Fault("gzip-undeclared", .notJSON),
        Fault("gzip-empty", .empty(200)),
        Fault("gzip-twice", .fine),
        Fault("deflate-raw", .fine),
        Fault(
            "unknown-coding",
            .urlLoadError(
                "the response's Content-Encoding \"x-unheard-of\" is not supported (URLError -1016)"
            )),
        Fault(
            "bomb", .notObject,
            settings: ["mb": 2]),
        Fault(
            "error-bomb",
            .errorResponseParseError(500, "the value at the top is not an object"),
            settings: ["mb": 2]),
        Fault("bomb-twice", .notObject, settings: ["mb": 2]),
    ]
}
