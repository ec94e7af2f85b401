import Endpoints
import EndpointsStreams
import Foundation
import FoundationNetworking

/// Leaves loads over TLS in each way, and then ends the process at once: a transfer that goes on
/// meanwhile would meet a library that is being taken down.
struct Leaving {
    let environment: ServerEnvironment

    /// A request for a body that never ends.
    struct GetStream: FlatRequest, Sendable {
        let path: String
        var status: Int?

        static let endpoint = Endpoint<Self>(
            method: .get, path: "\(path: \.path)", parameters: [.query("status", path: \.status)])
        static let loadPolicy = LoadPolicy(bodyLimit: 1 << 20)
        typealias Response = ByteStream
    }

    enum Way: String, CaseIterable {
        case left, cancelled, dropped, redirected, refused, long
    }

    let way: Way

    func run(_ count: Int = 80) async {
        let session = URLSession(configuration: .ephemeral)
        await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask { await leave(session) }
            }
        }
    }

    private func leave(_ session: URLSession) async {
        let request = GetStream(
            path: way == .redirected ? "move" : "stream", status: way == .refused ? 401 : nil)
        guard way != .cancelled else {
            let task = Task { try await read(request, session, chunks: .max) }
            try? await Task.sleep(nanoseconds: 30_000_000)
            task.cancel()
            _ = await task.result
            return
        }
        try? await read(
            request, session, chunks: way == .dropped ? 0 : way == .long ? .max : 2)
    }

    private func read(_ request: GetStream, _ session: URLSession, chunks: Int) async throws {
        let stream = try await session.response(in: environment, with: request)
        guard chunks > 0 else { return }
        var count = 0
        for try await _ in stream {
            count += 1
            if count == chunks { break }
        }
    }
}
