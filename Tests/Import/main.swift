// The program of the check, with the declarations of the 60 operations and a call of each:
//
//     Zoo                                 prints a line of JSON for each call
//     Zoo ADDRESS                         sends the calls to a server
//     Zoo --document DOCUMENT WRITTEN     writes the document, and fails if it differs
//     Zoo --document DOCUMENT…            prints how many differences each of several has

import Endpoints
import EndpointsOpenAPI
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads two events. After the last one the stream would ask the server for more.
func readTwo<Items: AsyncSequence>(_ items: Items) async throws {
    var count = 0
    for try await _ in items {
        count += 1
        if count == 2 { return }
    }
    throw CocoaError(.coderValueNotFound)
}

/// Sends a request, and tells whether its response was decoded.
func send<R: ZooRequest>(_ request: R, to server: ZooServer) async -> Bool {
    do {
        let response = try await URLSession.shared.response(in: server, with: request)
        if let stream = response as? any StreamedResponse { try await readTwo(stream) }
        return true
    } catch {
        print("\(R.self): \(error)")
        return false
    }
}

/// Whether the servers have the URLs that they should.
func checkServers() -> Bool {
    // Values of a server's variables, and the URL that they make; `nil` if they are refused.
    let servers: [(make: (String) throws -> ZooServer, value: String, url: String?)] = [
        (ZooServer.production, "us-1", "https://us-1.example.com/v1"),
        (ZooServer.production, "a.b", "https://a.b.example.com/v1"),
        (ZooServer.production, "evil.example/", nil), (ZooServer.production, "evil.example?", nil),
        (ZooServer.production, "evil.example#", nil), (ZooServer.production, "me@evil", nil),
        (ZooServer.production, #"evil.example\"#, nil), (ZooServer.production, "a b", nil),
        (ZooServer.production, "", nil), (ZooServer.production, "evil.example:80/", nil),
        (ZooServer.based, "/v3/x", "https://api.example.com/v3/x"),
        (ZooServer.based, "", "https://api.example.com"),
        (ZooServer.based, ".evil.example", nil), (ZooServer.based, "@evil.example", nil),
        (ZooServer.based, ":80@evil.example", nil), (ZooServer.based, "/a?b", nil),
        (ZooServer.based, "/a b", nil),
        (ZooServer.own, "http://127.0.0.1:80", "http://127.0.0.1:80/v1"),
        (ZooServer.own, "https://h/base", "https://h/base/v1"), (ZooServer.own, "h", nil),
        (ZooServer.own, "https://", nil), (ZooServer.own, "https://h?a", nil),
        ({ try .local(at: URL(string: "https://h/x")!, version: $0) }, "v1", "https://h/api/v1"),
        ({ try .local(at: URL(string: "https://h")!, version: $0) }, "v1#", nil),
        ({ try .local(at: URL(string: "https://h")!, version: $0) }, "v 1", nil),
    ]
    let wrong = servers.filter { (try? $0.make($0.value).baseUrl.absoluteString) != $0.url }
    for row in wrong {
        print(
            "\(row.value): \(Result { try row.make(row.value).baseUrl }), not \(row.url ?? "refused")"
        )
    }
    return wrong.isEmpty
}

/// Whether all calls were sent and their responses decoded.
func sendAll(to url: URL) async throws -> Bool {
    var server = ZooServer(baseUrl: url)
    server.credentials = .bearer("token")
    var failures = 0
    for make in Calls.requests {
        if await !send(try make(), to: server) { failures += 1 }
    }
    return checkServers() && failures == 0
}

/// Whether the declarations have no differences from the one document that is given.
func compare(_ files: [URL]) throws -> Bool {
    var types: [any RequestType.Type] = []
    for make in Calls.requests {
        let type: any RequestType.Type = type(of: try make())
        if !types.contains(where: { $0 == type }) { types.append(type) }
    }
    let document = OpenAPIDocument(
        of: types, title: "Zoo API", servers: [try ZooServer.production()])
    let written = files.count == 2 ? files[1] : nil
    for file in files where file != written {
        let differences = document.differences(
            from: try OpenAPIDocument(contentsOf: file), includingUndeclared: true)
        if let written {
            try document.data.write(to: written)
            for problem in differences.map(\.description) + document.unprobed { print(problem) }
            return differences.isEmpty && document.unprobed.isEmpty
        }
        print(differences.count, differences.first?.description ?? "")
    }
    return true
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case nil: try Calls.printAll()
case "--document":
    let files = arguments.dropFirst().map { URL(fileURLWithPath: $0) }
    exit(try compare(files) ? 0 : 1)
case let address?:
    guard let url = URL(string: address) else { exit(2) }
    exit(try await sendAll(to: url) ? 0 : 1)
}
