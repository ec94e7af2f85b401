/// The text of `Sources/Endpoints/Endpoints.docc/Faults.md`, from the server's descriptions and
/// the table.
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

            | fault | what the server does | how the load ends |
            |---|---|---|
            \(lines.joined(separator: "\n"))

            """
    }

    private func line(_ row: FaultServer.Row) -> String {
        guard let fault = Fault.table.first(where: { $0.name == row.name }) else { return row.name }
        let note = fault.platform.map { " (*because of the platform: \($0)*)" } ?? ""
        let post = fault.lastPost.map { "; of a POST: `\($0.ending)`: \($0.text)" } ?? ""
        let outcome = "`\(fault.outcome.ending)`: \(fault.outcome.text)\(post)\(note)"
        return "| `\(row.name)` | \(cell(row.what)) | \(cell(outcome)) |"
    }

    private func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\0", with: "␀")
    }

    private static let titles = [
        "connections": "Connections that end early",
        "timing": "Responses that come late, slowly or never",
        "heads": "Broken heads",
        "statuses": "Statuses",
        "framing": "Lengths and chunks",
        "contents": "Contents",
        "codings": "Content codings",
        "errors": "Error responses",
        "redirects": "Redirects",
    ]

    private static let beginning = """
        # When a server misbehaves

        How a load ends for each way in which a server can break the rules.

        ## Overview

        Use this page to decide which errors your program must handle, or to find the cause of one:
        look for the error's case and text in the right column, and read in the middle column what
        the server did. Every load ends once and in time, and leaves no connection open.

        What you can do:

        - Set ``LoadPolicy/timeLimit`` for a server that may send slowly or forever. A request's
          `timeoutInterval` limits only the time in which nothing arrives, on Linux in whole
          seconds.
        - Set ``LoadPolicy/bodyLimit`` for a server that may send too much; without it, the limit is
          64 MB. The bytes are counted while they arrive, unpacked, so 1 MB of gzip can't become
          1 GB.
        - On Linux, load from servers that you don't trust through a ``Transport`` that uses another
          HTTP client. Three responses crash the process inside `URLSession`, with this library or
          without it. They are marked as `trap` below.
        - The same goes for a redirect whose body never ends. It blocks all sessions of the process,
          with this library or without it: no other load goes on, and `timeoutInterval` doesn't end
          the redirect. <doc:AsyncHTTPClient> has such a transport.
        - Two responses keep all `URLSession`s of a process busy on Linux, also without this library:
          `many-cookies` (3 seconds with 12,000 cookies) and `bomb-twice` (with 2 KB). Meanwhile no load
          of any session goes on. A time limit and a cancellation of this library still end a load
          within a second, in each session. What waits are your own calls of a session or a task, also
          `endpointTask(in:with:completion:)` itself. With <doc:AsyncHTTPClient>, nothing waits: it
          refuses the cookies as too long a head, and doesn't unpack gzip in gzip.
        - On Linux, a load of `URLSession` that waits on a new connection keeps a whole processor busy
          until it ends, also without this library: an open event stream, a long poll, a slow response.
          When the request is sent, `URLSession` goes on waiting until it can write, which it always
          can. On a kept connection, a load that waits takes no processor time. So before a long poll,
          load something short from the same host with the same session, at most two minutes earlier.
          The streams of this library don't use those connections: open them with
          <doc:AsyncHTTPClient>, where waiting takes no processor time.
        - On Linux, don't make a task of a session that has been invalidated, and don't set a
          `timeoutIntervalForRequest` that isn't finite in a session's configuration. Both crash the
          process inside `URLSession`.
        - Don't set `Content-Length` in a session's `httpAdditionalHeaders`: a GET then promises a
          body that it doesn't have, and waits until its timeout. In a declaration, that header is an
          error.
        - On Linux, `URLSession` ignores a cookie's `Max-Age`, and sends a cookie with a `Path` to other
          paths, too. So a cookie that the server deletes by `Max-Age=0` is still sent, with the value
          that it has there; one with an `Expires` in the past isn't. Send the `Cookie` that you want
          as a header: the session's cookies are then left out.
        - On Linux, `URLSession` replaces a request's `Cookie` by the cookies that it has stored for the
          host, and ignores `httpShouldHandleCookies`. This library sends your `Cookie` as it is, and
          stores the cookies of the response. On Apple platforms, the response to a request with a
          `Cookie` of its own sets no cookies.
        - On Linux, `URLSession` refuses an IPv6 address in a URL, such as `http://[::1]:8080`, with
          `URLError.badURL`. The library makes such a request, and
          <doc:AsyncHTTPClient> sends it. With `URLSession`, use a host's name, such as `localhost`.
        - On Linux, a 401 with a Basic challenge to which your session's delegate gives no credential
          is the response. Without this library, such a load would never end.
        - On Linux, the tasks of a load are those of a copy of your session, with its configuration.
          So `getAllTasks` of your session doesn't list them, and they don't use its connections.
          `invalidateAndCancel()` ends the loads, unless the configuration has `protocolClasses` of
          yours. Your session's delegate hears of the session's end about a second after the last
          load.

        The table was made on Linux with Swift 6.3.1, and `make test` checks it with every loader.
        On Apple platforms the `URLError` codes of malformed responses can differ. `GetThing` is a
        request for a JSON object, and `GetText` one for text. The right column has the error's case
        and description, mostly without the name of the request, or the response. ``EndpointTaskError`` says what each case contains.

        Under heavy load, after some hundreds of thousands of requests and many reset connections,
        `URLSession` on Linux lost the response of one request, which then timed out. This was also
        seen without the library. Once the process crashed in libdispatch; see issue 4791 of
        swift-corelibs-foundation. Many short sessions were tried as well: of 300 processes with 30
        sessions of 8 loads each, none crashed, and none of 300 with `URLSession` alone
        (`Tests/Soak/sessions.sh`).

        """
}
