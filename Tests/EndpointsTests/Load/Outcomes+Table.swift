import Endpoints

extension Outcome {
    private static let faults = "ENDPOINTS_FAULTS"
    private static let recorder = "ENDPOINTS_RECORDER"
    private static let httpbin = "ENDPOINTS_HTTPBIN"

    /// Every way in which a load can end.
    static let all = successes + responses + failures + refusals

    private static let successes = [
        Outcome("a success", Ask(path: "-/fine"), at: faults, "Response(ok: true)"),
        Outcome("a late success", Ask(path: "late"), at: faults, "Response(ok: true)"),
        Outcome("a redirect", Ask(path: "redirect-closed"), at: faults, "Response(ok: true)"),
        Outcome("a success without a body", Tell(status: 204), at: recorder, "EmptyResponse()"),
    ]

    private static let responses = [
        Outcome(
            "a typed error", Tell(status: 418), at: recorder,
            #"errorResponse 418 ErrorResponse(target: "/-/echo?status=418")"#,
            "The server responded with an error, status 418"),
        Outcome(
            "an error that is a page", Ask(path: "error-html-as-json"), at: faults,
            "errorResponseParseError 502 10 DecodingError",
            "Ask: the error response with status 502 can't be read: the content is not valid"),
        Outcome(
            "an error without a body", Ask(path: "error-empty"), at: faults,
            "unexpectedResponse 500",
            "The server responded with status 500 and an empty body"
        ),
        Outcome(
            "half a response", Ask(path: "truncated-json"), at: faults,
            "responseParseError 200 13 DecodingError",
            "Ask: the response with status 200 can't be read: the content is not valid"),
        Outcome(
            "a response of another shape", Ask(path: "utf8-bom"), at: faults,
            "responseParseError 200 20 DecodingError",
            "Ask: the response with status 200 can't be read: the value at `ok` is missing"),
        Outcome(
            "no content where one is promised", Peek204(), at: httpbin,
            "responseParseError 204 0 UnreadableContent",
            """
            Peek204: the response with status 204 can't be read: there is no content; declare \
            the Response as an optional or as Void
            """),
        Outcome(
            "a redirect that leads nowhere", Ask(path: "redirect-without-location"), at: faults,
            "unexpectedResponse 302",
            "The server responded with status 302, which is neither a success nor an error"
        ),
        Outcome(
            "“not modified”", Ask(path: "status/304"), at: httpbin,
            "unexpectedResponse 304",
            "The server responded with status 304, which is neither a success nor an error"
        ),
        Outcome(
            "a status that is none", Ask(path: "status-600"), at: faults,
            "unexpectedResponse 600",
            "The server responded with status 600, which is neither a success nor an error"
        ),
        Outcome(
            "a challenge", Ask(path: "basic-auth/a/b"), at: httpbin,
            "unexpectedResponse 401",
            "The server responded with status 401 and an empty body"
        ),
    ]

    private static let failures = [
        failure(
            "a timeout", Ask(path: "no-response", timeout: 1), at: faults, -1001,
            "it took too long"),
        failure("the end of the time limit", Hurry(), at: faults, -1001, "it took too long"),
        failure(
            "a reset connection", Ask(path: "reset-within-body"), at: faults, -1005,
            "the connection was lost"),
        failure(
            "a redirect to itself", Ask(path: "redirect-loop"), at: faults, -1007,
            "there are too many redirects; set a higher redirectLimit in LoadPolicy, unless the "
                + "server redirects in a circle"),
        failure(
            "a redirect to a closed port", Ask(path: "redirect-nowhere"), at: faults, -1004,
            "no connection to the host could be made"),
        failure(
            "a redirect to another scheme", Ask(path: "redirect-to-file"), at: faults, -1002,
            "the URL of the request or of a redirect must be http or https, with a host and valid port"
        ),
        failure(
            "a response that is too large", Ask(path: "bytes/100001"), at: httpbin, -1103,
            "the response's body has more than 100000 bytes; set a higher bodyLimit in LoadPolicy"),
        failure(
            "a closed port", Ask(path: "x"), at: "http://127.0.0.1:1", -1004,
            "no connection to the host could be made"),
        failure(
            "an unknown host", Ask(path: "x"), at: "http://nobody.invalid", -1003,
            "the host can't be found"),
        failure(
            "a broken certificate", Ask(path: "-1202"), at: "http://fails", -1202,
            "the server's certificate is not trusted"),
        Outcome(
            "no network", Ask(path: "-1009"), at: "http://fails", "offline -1009",
            "The device is offline: there is no connection to the internet (URLError -1009)"),
        Outcome(
            "a cancelled task", Ask(path: "-999"), at: "http://fails",
            "cancelled", "The load was cancelled"),
    ]

    private static func failure<Request: RequestType & Sendable>(
        _ name: String, _ request: Request, at server: String, _ code: Int, _ sentence: String
    ) -> Outcome
    where Request.Environment == ServerEnvironment, Request.Response: Sendable {
        Outcome(
            name, request, at: server, "urlLoadError \(code)",
            "The load failed: \(sentence) (URLError \(code))")
    }

    private static let refusals = [
        Outcome(
            "a header with a line break", Ask(path: "x", token: "s3cret\r\nX: 1"), at: faults,
            #"endpointError the header "X-Token""#,
            #"Ask: the header "X-Token" has a control character, such as a line break; remove it"#),
        Outcome(
            "a path that leads up", Ask(path: "../etc"), at: faults,
            #"endpointError the path value "path""#,
            #"""
            Ask: the path value "path" makes a segment that is empty, "." or "..", so servers \#
            would read another path; change the value
            """#),
        Outcome(
            "a hook that throws", Ask(path: "x", refusal: .init()), at: faults,
            "endpointError the prepare function",
            "Ask: the prepare function refused the request: Refusal was thrown"),
        Outcome(
            "a body that can't be encoded", Unencodable(), at: faults, "endpointError the body",
            "Unencodable: the body could not be encoded: the number at the top is not finite; use a finite one, or an encoder that writes it"
        ),
        Outcome(
            "a GET with a body", AskWithBody(), at: faults, "endpointError the body",
            "AskWithBody: the body is not sent with GET by URLSession; use POST, PUT or PATCH"),
        Outcome(
            "a base URL of another scheme", Ask(path: "x"), at: "ftp://host",
            "endpointError the environment's base URL",
            """
            Ask: the environment's base URL must begin with `https://` or `http://` and a host
            """),
    ]
}
