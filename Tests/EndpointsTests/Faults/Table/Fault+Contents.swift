extension Fault {
    static let contents: [Fault] = [
        Fault(name: "wrong-charset", outcome: "Answer(name: café)"),
        Fault(
            name: "wrong-charset-text", promise: .text,
            outcome:
                "Patient<String>: it is no text in its charset, which is UTF-8 unless Content-Type names one, in an answer with status 200"
        ),
        Fault(name: "unknown-charset", outcome: "Answer(name: café)"),
        Fault(
            name: "unknown-charset-text", promise: .text,
            outcome:
                "Patient<String>: its charset is not known; declare a Data response and decode it, in an answer with status 200"
        ),
        Fault(
            name: "latin-1-without-charset",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(
            name: "latin-1-text-without-charset", promise: .text,
            outcome:
                "Patient<String>: it is no text in its charset, which is UTF-8 unless Content-Type names one, in an answer with status 200"
        ),
        Fault(
            name: "latin-1-with-charset",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(name: "no-content-type", outcome: "Answer(name: café)"),
        Fault(
            name: "html-for-json",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(name: "utf8-bom", outcome: "Answer(name: café)"),
        Fault(name: "utf16-bom", outcome: "Answer(name: café)"),
        Fault(name: "utf32", outcome: "Answer(name: café)"),
        Fault(
            name: "invalid-utf8-in-body",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(
            name: "nul-in-body",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(
            name: "empty-json",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(
            name: "null-json",
            outcome:
                "Patient<Answer>: the value at the top is null or missing, in an answer with status 200"
        ),
        Fault(
            name: "truncated-json",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(
            name: "trailing-garbage",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(
            name: "nested-json",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(
            name: "nested-objects",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(
            name: "huge-integer",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(
            name: "huge-exponent",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(name: "integer-beyond-64-bits", outcome: "Answer(number: 1.8446744073709552e+19)"),
        Fault(
            name: "not-a-number-json",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(name: "duplicate-keys", outcome: "Answer(name: first)"),
        Fault(
            name: "lone-surrogate",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 200"),
        Fault(name: "nul-escaped", outcome: "Answer(name: a\0b)"),
    ]
}
