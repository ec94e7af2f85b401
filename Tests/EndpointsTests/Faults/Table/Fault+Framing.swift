extension Fault {
    static let framing: [Fault] = [
        Fault("short-content-length", .notJSON),
        Fault("short-content-length-kept", .notJSON, requests: 2),
        Fault("long-content-length", .lost),
        Fault("two-lengths-differing", .notHTTP),
        Fault("two-lengths-equal", .fine),
        Fault("length-list", .fine),
        Fault("length-negative", .notHTTP),
        Fault("length-not-a-number", .notHTTP),
        Fault("length-hexadecimal", .notHTTP),
        Fault("length-with-sign", .notHTTP),
        Fault("length-empty", .notHTTP),
        Fault("length-beyond-64-bits", .notHTTP),
        Fault(
            "length-of-8-exabytes", .stop,
            platform: "FoundationNetworking makes an Int of it as a Double, and traps"),
        Fault(
            "length-and-chunks", .fine,
            platform: "libcurl lets the chunks win, as RFC 9112 6.3 has it"),
        Fault("no-length", .fine),
        Fault("broken-chunk-size", .notHTTP),
        Fault("negative-chunk-size", .notHTTP),
        Fault("huge-chunk-size", .notHTTP),
        Fault("chunk-longer-than-said", .notHTTP),
        Fault("last-chunk-missing", .lost),
        Fault("final-line-missing", .lost),
        Fault("chunk-extension", .fine),
        Fault(
            "trailers", .stop,
            platform:
                "FoundationNetworking takes trailers for the beginning of another head, and traps"),
        Fault(
            "endless-trailers", .lost, settings: ["mb": 1],
            platform:
                "no session of the process loads anything while libcurl reads them: 64 MB take minutes"
        ),
        Fault("unknown-transfer-encoding", .undecoded),
        Fault("unrequested-response", .fine, requests: 2),
    ]
}
