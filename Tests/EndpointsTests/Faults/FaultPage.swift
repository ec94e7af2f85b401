/// `Docs/Endpoints.docc/Faults.md`, made of what the server says of itself and of the table.
struct FaultPage {
    let rows: [FaultServer.Row]

    var text: String {
        var kinds: [String] = []
        for row in rows where !kinds.contains(row.kind) { kinds.append(row.kind) }
        return Self.beginning + kinds.map(section).joined()
    }

    private func section(_ kind: String) -> String {
        let lines = rows.filter { $0.kind == kind }.map(line)
        return """

            ## \(Self.titles[kind] ?? kind)

            | fault | what the server does | what the load comes to |
            |---|---|---|
            \(lines.joined(separator: "\n"))

            """
    }

    private func line(_ row: FaultServer.Row) -> String {
        guard let fault = Fault.table.first(where: { $0.name == row.name }) else { return row.name }
        let note = fault.platform.map { " (*the platform's: \($0)*)" } ?? ""
        let outcome = "`\(fault.outcome.ending)`: \(fault.outcome.text)\(note)"
        return "| `\(row.name)` | \(cell(row.what)) | \(cell(outcome)) |"
    }

    private func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\0", with: "␀")
    }

    private static let titles = [
        "connections": "Connections that end early",
        "timing": "Answers that come late, slowly or never",
        "heads": "Broken heads",
        "statuses": "Statuses",
        "framing": "Lengths and chunks",
        "contents": "Contents",
        "codings": "Content codings",
        "errors": "Error answers",
        "redirects": "Redirects",
    ]

    private static let beginning = """
        # What a broken server leads to

        Every way to misbehave that the tests' server knows, and what a load of it comes to.

        ## Overview

        Each of these is met with every loader, on Linux with Swift 6.3.1. Each load ends once,
        within its time, and leaves no connection open. On Apple platforms the `URLError` codes of
        broken answers can differ. `GetThing` is a request that promises an object as JSON,
        `Problem` its error answer; those that read text are `GetText`. Behind the name of its case
        stand the words of the error's description, and behind an error answer's the value that it
        became; ``EndpointTaskError`` has the evidence.

        A request's `timeoutInterval` is the longest silence, on Linux in whole seconds; a body that
        drips or never ends is not silent. ``LoadPolicy/timeLimit`` ends it, and
        ``LoadPolicy/bodyLimit`` is looked at when a body has arrived.

        Three answers stop the process on Linux, whoever calls `URLSession`, with this library or
        without it; they are marked as a trap. Where servers are not to be trusted, load through a
        ``Transport`` over another HTTP client. Two ways to use a session do so there as well: making a
        task of one that has been invalidated, and a `timeoutIntervalForRequest` in its configuration
        that is not finite.

        Under heavy load, some hundreds of thousands of requests with connections reset meanwhile,
        `URLSession` on Linux was seen to lose the answer to one request, which then timed out, and
        once to stop the process in libdispatch. The first was seen without this library too; for
        the second see issue 4791 of swift-corelibs-foundation.

        """
}
