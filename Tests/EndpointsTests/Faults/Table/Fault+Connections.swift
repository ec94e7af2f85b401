extension Fault {
    static let connections: [Fault] = [
        Fault(
            name: "reset-before-head",
            outcome: "The load failed: the connection was lost (URLError -1005)"),
        Fault(
            name: "fin-before-head",
            outcome: "The load failed: the server's answer is no HTTP answer (URLError -1011)"),
        Fault(
            name: "reset-within-status-line",
            outcome: "The load failed: the connection was lost (URLError -1005)"),
        Fault(
            name: "fin-within-status-line",
            outcome: "The load failed: the server's answer is no HTTP answer (URLError -1011)"),
        Fault(
            name: "reset-within-head",
            outcome: "The load failed: the connection was lost (URLError -1005)"),
        Fault(name: "fin-within-head", outcome: stop),
        Fault(
            name: "reset-after-head",
            outcome: "The load failed: the connection was lost (URLError -1005)"),
        Fault(name: "fin-after-head", outcome: "The load failed: URLError -1"),
        Fault(
            name: "reset-within-body",
            outcome: "The load failed: the connection was lost (URLError -1005)"),
        Fault(
            name: "reset-within-chunks",
            outcome: "The load failed: the connection was lost (URLError -1005)"),
        Fault(name: "fin-within-chunk", outcome: "The load failed: URLError -1"),
        Fault(
            name: "reset-without-length",
            outcome: "The load failed: the connection was lost (URLError -1005)"),
        Fault(name: "keep-alive-closed", requests: 2, outcome: "Answer(ok: true)"),
        Fault(name: "keep-alive-reset", requests: 2, outcome: "Answer(ok: true)"),
        Fault(name: "second-request-closed", requests: 2, outcome: "Answer(ok: true)"),
        Fault(name: "second-request-reset", requests: 2, outcome: "Answer(ok: true)"),
    ]
}
