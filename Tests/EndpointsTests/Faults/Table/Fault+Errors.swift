extension Fault {
    static let errors: [Fault] = [
        Fault(
            name: "error-endless", isHurried: true,
            outcome: "The load failed: it took too long (URLError -1001)"),
        Fault(
            name: "error-silent", patience: 1,
            outcome: "The load failed: it took too long (URLError -1001)"),
        Fault(
            name: "error-reset",
            outcome: "The load failed: the connection was lost (URLError -1005)"),
        Fault(
            name: "error-large", settings: ["mb": 2],
            outcome:
                "The server answered with status 500 and an error, Problem: aaaaaaaaaaaaaaaaaaaa"
        ),
        Fault(name: "error-empty", outcome: "The server answered with the unexpected status 500"),
        Fault(
            name: "error-in-html",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an error answer with status 502"
        ),
        Fault(
            name: "error-html-as-json",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an error answer with status 502"
        ),
        Fault(
            name: "error-json-as-html",
            outcome: "The server answered with status 500 and an error, Problem: broken"),
        Fault(
            name: "error-of-wrong-shape",
            outcome:
                "Patient<Answer>: the value at `error` is missing, in an error answer with status 422"
        ),
        Fault(
            name: "error-truncated",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an error answer with status 500"
        ),
        Fault(
            name: "error-invalid-utf8",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an error answer with status 500"
        ),
        Fault(
            name: "error-latin-1",
            outcome:
                "Patient<Answer>: the value at `error` is missing, in an error answer with status 500"
        ),
        Fault(
            name: "error-nested",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an error answer with status 500"
        ),
        Fault(
            name: "error-unauthorized-unknown-scheme",
            outcome: "The server answered with status 401 and an error, Problem: who?"),
        Fault(
            name: "error-unauthorized-without-challenge",
            outcome: "The server answered with status 401 and an error, Problem: who?"),
        Fault(
            name: "error-broken-retry-after",
            outcome: "The server answered with status 503 and an error, Problem: busy"),
    ]
}
