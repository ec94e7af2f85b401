extension Fault {
    static let statuses: [Fault] = [
        Fault("continue-first", .fine),
        Fault("early-hints-first", .fine),
        Fault("many-interim-responses", .fine),
        Fault("endless-interim-responses", .longHead),
        Fault("switching-protocols", .unexpectedResponse(101)),
        Fault("no-content-with-body", .empty(204), requests: 2),
        Fault("reset-content-with-body", .empty(205), requests: 2),
        Fault("not-modified-with-body", .unexpectedResponse(304), requests: 2),
        Fault("not-modified-unasked", .unexpectedResponse(304)),
        Fault("ok-without-body", .empty(200)),
        Fault(
            "partial-content-unasked",
            .responseParseError("the content is not valid", status: 206)
        ),
        Fault("status-999", .unexpectedResponse(999)),
        Fault("status-600", .unexpectedResponse(600)),
        Fault("status-99", .notHTTP),
        Fault("status-000", .notHTTP),
        Fault("status-2000", .notHTTP),
        Fault("status-negative", .notHTTP),
        Fault("status-not-a-number", .notHTTP),
        Fault("status-missing", .notHTTP),
        Fault(
            "reason-missing", .unreadableHead,
            platform: "FoundationNetworking wants a blank after the status"),
        Fault("version-0-9", .notHTTP),
        Fault("version-1-0", .fine),
        Fault("version-9-9", .notHTTP),
        Fault("version-2-preface", .notHTTP),
        Fault("other-protocol", .notHTTP),
        Fault("tls-alert", .notHTTP),
    ]
}
