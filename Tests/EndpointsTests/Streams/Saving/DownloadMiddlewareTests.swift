import EndpointsCache
import EndpointsMiddleware
import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

@Suite("Downloads through middleware", .timeLimit(.minutes(2)))
struct DownloadMiddlewareTests {
    typealias GetModel = ResumedDownloadTests.GetModel

    struct GetModelInTime: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "models/1")
        static let loadPolicy = LoadPolicy(timeLimit: 60)
        typealias Response = ByteStream
        typealias ErrorResponse = String
    }

    struct Stack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (FileServer) -> any Transport
    }

    static func tokens(of account: String) -> MemoryCredentials {
        let token = AccessToken(.bearer(account), account: account)
        return MemoryCredentials(for: ServerEnvironment.production, token) { $0 }
    }

    static let stacks: [Stack] = [
        Stack(testDescription: "limited(perOrigin: 1)") { $0.limited(perOrigin: 1) },
        Stack(testDescription: "retrying()") { $0.retrying(clock: .immediate) },
        Stack(testDescription: "coalesced()") { $0.coalesced() },
        Stack(testDescription: "cached") { $0.cached(in: .memory(megabytes: 1)) },
        Stack(testDescription: "authorized") { $0.authorized(by: tokens(of: "a")) },
        Stack(testDescription: "all") {
            $0.limited(perOrigin: 1).authorized(by: tokens(of: "a"))
                .retrying(clock: .immediate).coalesced().cached(in: .memory(megabytes: 1))
        },
    ]

    @Test(
        "A download goes on through each middleware, and begins anew if it must",
        arguments: stacks)
    func stack(_ stack: Stack) async throws {
        for isChanged in [false, true] {
            try await expect(GetModel(), through: stack, isChanged: isChanged)
            // Each layer shortens the time limit.
            try await expect(GetModelInTime(), through: stack, isChanged: isChanged)
        }
    }

    private func expect<Request: RequestType>(
        _ request: Request, through stack: Stack, isChanged: Bool
    ) async throws where Request.Response == ByteStream, Request.Environment == ServerEnvironment {
        let folder = try Folder()
        let server = FileServer()
        server.state.withLock { state in state.change = { if $0 == 1 { $1.cut = 4000 } } }
        let client = EndpointClient(stack.make(server), in: ServerEnvironment.production)
        await #expect(throws: Request.TaskError.self) {
            try await client.download(request, to: folder.file)
        }
        server.state.withLock { state in
            // A 206 that can't be used, after which another request follows.
            state.change = { if $0 == 2, isChanged { $1.fields["ETag"] = "\"2\"" } }
        }
        try await client.download(request, to: folder.file)
        #expect(try Data(contentsOf: folder.file) == ResumedDownloadTests.content)
        #expect(server.asked == (isChanged ? ["-", "4000-", "-"] : ["-", "4000-"]))
        let names = try folder.names
        #expect(names == ["file"])
    }

    @Test("A part isn't gone on with for another account")
    func accounts() async throws {
        let folder = try Folder()
        let server = FileServer()
        server.state.withLock { state in state.change = { if $0 < 3 { $1.cut = 4000 } } }
        for account in ["a", "b"] {
            let api = EndpointClient(
                server.authorized(by: Self.tokens(of: account)), in: ServerEnvironment.production)
            await #expect(throws: GetModel.TaskError.self) {
                try await api.download(GetModel(), to: folder.file)
            }
        }
        let api = EndpointClient(
            server.authorized(by: Self.tokens(of: "b")), in: ServerEnvironment.production)
        try await api.download(GetModel(), to: folder.file)
        #expect(server.asked == ["-", "-", "4000-"])
    }
}
