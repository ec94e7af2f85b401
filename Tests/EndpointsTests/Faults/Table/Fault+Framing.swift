extension Fault {
    static let framing: [Fault] = [
        Fault(
            name: "short-content-length",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(
            name: "short-content-length-kept", requests: 2,
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(name: "long-content-length", outcome: "The load failed: URLError -1"),
        Fault(name: "two-lengths-differing", outcome: "Answer(ok: true)"),
        Fault(name: "two-lengths-equal", outcome: "Answer(ok: true)"),
        Fault(name: "length-list", outcome: "Answer(ok: true)"),
        Fault(name: "length-negative", outcome: "The load failed: URLError -1"),
        Fault(name: "length-not-a-number", outcome: "The load failed: URLError -1"),
        Fault(
            name: "length-hexadecimal",
            outcome:
                "Patient<Answer>: the answer has no content; declare an optional Response, or Void, in an answer with status 200"
        ),
        Fault(name: "length-with-sign", outcome: "Answer(ok: true)"),
        Fault(name: "length-empty", outcome: "The load failed: URLError -1"),
        Fault(name: "length-beyond-64-bits", outcome: "Answer(ok: true)"),
        Fault(name: "length-of-8-exabytes", outcome: stop),
        Fault(name: "length-and-chunks", outcome: "Answer(ok: true)"),
        Fault(name: "no-length", outcome: "Answer(ok: true)"),
        Fault(name: "broken-chunk-size", outcome: "The load failed: URLError -1"),
        Fault(name: "negative-chunk-size", outcome: "The load failed: URLError -1"),
        Fault(name: "huge-chunk-size", outcome: "The load failed: URLError -1"),
        Fault(name: "chunk-longer-than-said", outcome: "The load failed: URLError -1"),
        Fault(name: "last-chunk-missing", outcome: "The load failed: URLError -1"),
        Fault(name: "final-line-missing", outcome: "The load failed: URLError -1"),
        Fault(name: "chunk-extension", outcome: "Answer(ok: true)"),
        Fault(name: "trailers", outcome: stop),
        Fault(
            name: "endless-trailers", settings: ["mb": 1], outcome: "The load failed: URLError -1"),
        Fault(name: "unknown-transfer-encoding", outcome: "The load failed: URLError -1"),
        Fault(name: "unasked-answer", requests: 2, outcome: "Answer(ok: true)"),
    ]
}
