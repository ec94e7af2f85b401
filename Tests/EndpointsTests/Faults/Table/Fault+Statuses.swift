extension Fault {
    static let statuses: [Fault] = [
        Fault(name: "continue-first", outcome: "Answer(ok: true)"),
        Fault(name: "early-hints-first", outcome: "Answer(ok: true)"),
        Fault(name: "many-interim-answers", outcome: "Answer(ok: true)"),
        Fault(name: "endless-interim-answers", outcome: "The load failed: URLError -1"),
        Fault(
            name: "switching-protocols",
            outcome: "The server answered with the unexpected status 101"),
        Fault(
            name: "no-content-with-body", requests: 2,
            outcome:
                "Patient<Answer>: the answer has no content; declare an optional Response, or Void, in an answer with status 204"
        ),
        Fault(
            name: "reset-content-with-body", requests: 2,
            outcome:
                "Patient<Answer>: the answer has no content; declare an optional Response, or Void, in an answer with status 205"
        ),
        Fault(
            name: "not-modified-with-body", requests: 2,
            outcome: "The server answered with the unexpected status 304"),
        Fault(
            name: "not-modified-unasked",
            outcome: "The server answered with the unexpected status 304"),
        Fault(
            name: "ok-without-body",
            outcome:
                "Patient<Answer>: the answer has no content; declare an optional Response, or Void, in an answer with status 200"
        ),
        Fault(
            name: "partial-content-unasked",
            outcome:
                "Patient<Answer>: the value at the top is not valid, in an answer with status 206"),
        Fault(name: "status-999", outcome: "The server answered with the unexpected status 999"),
        Fault(name: "status-600", outcome: "The server answered with the unexpected status 600"),
        Fault(
            name: "status-99",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(
            name: "status-000",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(
            name: "status-2000",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(
            name: "status-negative",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(
            name: "status-not-a-number",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(
            name: "status-missing",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(name: "reason-missing", outcome: "The load failed: URLError -1"),
        Fault(
            name: "version-0-9",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(name: "version-1-0", outcome: "Answer(ok: true)"),
        Fault(
            name: "version-9-9",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(
            name: "version-2-preface",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(
            name: "other-protocol",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(
            name: "tls-alert",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
    ]
}
