import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Uploads that are sent again", .needsServers, .timeLimit(.minutes(5)))
struct UploadAgainTests {
    struct Put: FlatRequest, Sendable {
        let body: File
        let key: String
        var action = "echo"
        var status = 200
        static let endpoint = Endpoint<Put>(
            method: .put, path: "-/\(path: \.action)",
            parameters: [.query("key", path: \.key), .query("status", path: \.status)])
        typealias Response = Data
    }

    /// A delegate that has a password.
    final class Delegate: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let credential = URLCredential(user: "ann", password: "right", persistence: .none)
            completionHandler(.useCredential, credential)
        }
    }

    @Test("After a challenge the file is sent whole again", arguments: Way.all)
    func challenge(way: Way) async throws {
        let file = try TemporaryFile(count: 300_000)
        let put = Put(body: File(file.url), key: UUID().uuidString, action: "private")
        let session = URLSession(
            configuration: .ephemeral, delegate: Delegate(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        _ = try await way.load(put, in: Server.recorder.environment, by: session)
        try await expect(put, arrives: 2)
    }

    @Test("After a refused token the file is sent whole again")
    func authorized() async throws {
        let file = try TemporaryFile(count: 300_000)
        let environment = try Server.recorder.environment
        let tokens = MemoryCredentials(for: environment) { _ in
            AccessToken(.basic(username: "ann", password: "right"))
        }
        tokens.signIn(AccessToken(.bearer("old")))
        let put = Put(body: File(file.url), key: UUID().uuidString, action: "private")
        let session = URLSession(configuration: .ephemeral)
        _ = try await session.authorized(by: tokens).response(in: environment, with: put)
        try await expect(put, arrives: 2)
    }

    @Test("A retry sends the file whole again")
    func retry() async throws {
        let file = try TemporaryFile(count: 300_000)
        let put = Put(body: File(file.url), key: UUID().uuidString, status: 503)
        let clock = TransportClock.immediate
        let transport = URLSession.shared.retrying(RetryPolicy(), clock: clock)
        _ = await #expect(throws: Put.TaskError.self) {
            try await transport.response(in: Server.recorder.environment, with: put)
        }
        try await expect(put, arrives: 3)
    }

    private func expect(_ put: Put, arrives count: Int) async throws {
        let bytes = try put.upload.data()
        let arrivals = try await UploadFailureTests.arrivals(put.key)
        #expect(arrivals.map(\.bytes) == Array(repeating: bytes, count: count))
        for arrival in arrivals {
            #expect(arrival.values(of: "Content-Length") == ["300000"])
            #expect(arrival.values(of: "Transfer-Encoding") == [])
        }
    }
}

extension UploadAgainTests.Put {
    fileprivate var upload: Upload {
        get throws { try #require(try urlRequest(in: .production).upload) }
    }
}
