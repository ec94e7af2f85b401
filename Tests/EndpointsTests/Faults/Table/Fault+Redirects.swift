extension Fault {
    static let redirects: [Fault] = [
        Fault(
            name: "redirect-loop",
            outcome: "The load failed: there are too many redirects (URLError -1007)"),
        Fault(
            name: "redirect-ping",
            outcome: "The load failed: there are too many redirects (URLError -1007)"),
        Fault(
            name: "redirect-pong",
            outcome: "The load failed: there are too many redirects (URLError -1007)"),
        Fault(
            name: "redirect-chain",
            outcome: "The load failed: there are too many redirects (URLError -1007)"),
        Fault(name: "redirect-growing", outcome: "The load failed: URLError -1"),
        Fault(
            name: "redirect-nowhere",
            outcome: "The load failed: the host refuses the connection (URLError -1004)"),
        Fault(
            name: "redirect-to-unknown-host",
            outcome: "The load failed: the host is not known (URLError -1003)"),
        Fault(
            name: "redirect-without-location",
            outcome: "The server answered with the unexpected status 302"),
        Fault(
            name: "redirect-empty-location",
            outcome: "The server answered with the unexpected status 302"),
        Fault(
            name: "redirect-two-locations",
            outcome: "The server answered with status 404 and an error, Problem: no such fault"),
        Fault(
            name: "redirect-to-ftp",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(
            name: "redirect-to-file",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(
            name: "redirect-to-data",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(
            name: "redirect-to-javascript",
            outcome: "The load failed: the URL's scheme or form is not supported (URLError -1002)"),
        Fault(
            name: "redirect-to-https",
            outcome: "The load failed: the host refuses the connection (URLError -1004)"),
        Fault(name: "redirect-control-characters", outcome: "The load failed: URLError -1"),
        Fault(
            name: "redirect-bare-cr",
            outcome: "The load failed: the URL is malformed (URLError -1000)"),
        Fault(name: "redirect-blanks", outcome: "Answer(ok: true)"),
        Fault(name: "redirect-invalid-utf8", outcome: "The load failed: URLError -1"),
        Fault(name: "redirect-invalid-percent", outcome: "Answer(ok: true)"),
        Fault(name: "redirect-dot-segments", outcome: "Answer(ok: true)"),
        Fault(
            name: "redirect-fragment-only",
            outcome: "The load failed: there are too many redirects (URLError -1007)"),
        Fault(
            name: "redirect-without-host",
            outcome: "The load failed: the URL is malformed (URLError -1000)"),
        Fault(
            name: "redirect-port-too-large",
            outcome: "The load failed: the URL is malformed (URLError -1000)"),
        Fault(
            name: "redirect-with-user-info",
            outcome: "The load failed: the URL is malformed (URLError -1000)"),
        Fault(name: "redirect-long-location", outcome: "The load failed: URLError -1"),
        Fault(name: "redirect-with-large-body", settings: ["mb": 1], outcome: "Answer(ok: true)"),
        Fault(
            name: "redirect-multiple-choices",
            outcome: "The server answered with the unexpected status 300"),
        Fault(
            name: "redirect-use-proxy",
            outcome: "The server answered with the unexpected status 305"),
        Fault(name: "redirect-closed", outcome: "Answer(ok: true)"),
    ]
}
