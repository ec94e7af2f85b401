import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The calls of the 60 operations: they are printed, or sent to the server whose address is given.
guard let address = CommandLine.arguments.dropFirst().first, let url = URL(string: address) else {
    try Calls.printAll()
    exit(0)
}
var server = ZooServer(baseUrl: url)
server.credentials = .bearer("token")

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

var failures = 0
for make in Calls.requests {
    if await !send(try make(), to: server) { failures += 1 }
}
exit(failures == 0 ? 0 : 1)
