extension Fault {
    static let codings: [Fault] = [
        Fault(
            name: "truncated-gzip",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(name: "corrupt-gzip", outcome: "The load failed: URLError -1"),
        Fault(name: "gzip-with-wrong-checksum", outcome: "The load failed: URLError -1"),
        Fault(name: "gzip-with-trailing-garbage", outcome: "The load failed: URLError -1"),
        Fault(name: "gzip-in-two-members", outcome: "The load failed: URLError -1"),
        Fault(name: "gzip-declared-only", outcome: "The load failed: URLError -1"),
        Fault(
            name: "gzip-undeclared",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(
            name: "gzip-empty",
            outcome:
                "Patient<Answer>: the answer has no content; declare an optional Response, or Void, in an answer with status 200"
        ),
        Fault(name: "gzip-twice", outcome: "Answer(ok: true)"),
        Fault(name: "deflate-raw", outcome: "Answer(ok: true)"),
        Fault(name: "unknown-coding", outcome: "The load failed: URLError -1"),
        Fault(
            name: "bomb", settings: ["mb": 2],
            outcome:
                "Patient<Answer>: the value at the top is no Dictionary<String, Any>, in an answer with status 200"
        ),
        Fault(
            name: "error-bomb", settings: ["mb": 2],
            outcome:
                "Patient<Answer>: the value at the top is no Dictionary<String, Any>, in an error answer with status 500"
        ),
    ]
}
