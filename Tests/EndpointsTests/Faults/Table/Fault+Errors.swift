extension Fault {
    static let errors: [Fault] = [
        Fault("error-endless", .tooLate, isHurried: true),
        Fault("error-silent", .tooLate, patience: 1),
        Fault("error-reset", .lost),
        Fault("error-large", .errorResponse(500, "aaaaaaaaaaaaaaaaaaaa"), settings: ["mb": 2]),
        Fault("error-empty", .unexpectedResponse(500)),
        Fault("error-in-html", .errorNotJSON(502)),
        Fault("error-html-as-json", .errorNotJSON(502)),
        Fault("error-json-as-html", .errorResponse(500, "broken")),
        Fault(
            "error-of-wrong-shape", .errorResponseParseError(422, "the value at `error` is missing")
        ),
        Fault("error-truncated", .errorNotJSON(500)),
        Fault(
            "error-invalid-utf8",
            .errorResponseParseError(500, "the value at `error` is not valid")),
        Fault("error-latin-1", .errorResponseParseError(500, "the value at `error` is missing")),
        Fault("error-nested", .errorNotJSON(500)),
        Fault("error-unauthorized-unknown-scheme", .errorResponse(401, "who?")),
        Fault("error-unauthorized-basic", .errorResponse(401, "who?")),
        Fault("error-unauthorized-without-challenge", .errorResponse(401, "who?")),
        Fault("error-broken-retry-after", .errorResponse(503, "busy")),
    ]
}
