import Endpoints
import EndpointsStreams
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

let server = ServerEnvironment(
    baseUrl: URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/"))

struct User: Codable, Equatable, Sendable {
    let id: Int
    let fullName: String
}

struct ServerError: Codable, Equatable, Sendable {
    let message: String
}

struct GetUser: FlatRequest {
    let id: Int
    static let endpoint = Endpoint<Self>(method: .get, path: "users/\(path: \.id)")
    typealias Response = User
    typealias ErrorResponse = ServerError

    static let responseDecoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()
}

struct Ping: RequestType {
    static let endpoint = Endpoint<Self>(method: .get, path: "ping")
    typealias Response = Void
}

@Suite("StubTransport")
struct StubTransportTests {
    let stub = StubTransport()
    var api: EndpointClient<ServerEnvironment> { EndpointClient(stub, in: server) }

    @Test("A function gets the typed request, and its value is the typed response")
    func function() async throws {
        stub.on(GetUser.self) { request in .value(User(id: request.id, fullName: "Ann Bee")) }
        #expect(try await api(GetUser(id: 42)) == User(id: 42, fullName: "Ann Bee"))
        #expect(stub.sent(GetUser.self).map(\.id) == [42])
        #expect(stub.unused.isEmpty)
    }

    @Test("A value can be read by a decoder of snake case, whatever its names")
    func snakeCase() async throws {
        struct Image: Codable, Equatable {
            var imageURL = "a"
            var _id = 1
            var at2x = true
        }
        struct GetImage: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "image")
            typealias Response = Image
            static let responseDecoder = GetUser.responseDecoder
        }
        stub.on(GetImage.self, .value(Image()))
        #expect(try await api(GetImage()) == Image())
    }

    @Test("Responses come one after the other, and the last one is repeated")
    func sequence() async throws {
        stub.on(
            GetUser.self, .error(409, ServerError(message: "taken")), .status(503),
            .json(#"{"id": 1, "full_name": "A"}"#))
        var endings: [String] = []
        for _ in 0..<4 {
            do { endings.append(try await api(GetUser(id: 1)).fullName) } catch {
                endings.append("\(error)")
            }
        }
        #expect(
            endings == [
                "GetUser: the server responded with an error, status 409",
                """
                GetUser: the server responded with status 503 and an empty body
                """,
                "A", "A",
            ])
    }

    @Test("A request without a stub fails with its name, its URL and the stubs there are")
    func missing() async throws {
        stub.on(Ping.self, .value(()))
        let error = await #expect(throws: GetUser.TaskError.self) { try await api(GetUser(id: 7)) }
        #expect(
            error?.description == """
                GetUser: the load failed: GetUser has no stub, so there is no response to \
                GET https://api.example.com/users/7. There are stubs for Ping. \
                Add stub.on(GetUser.self, …)
                """)
        #expect(stub.unused == ["Ping"])
    }

    @Test("A URLError and another error that a stub throws arrive in their cases")
    func throwing() async throws {
        struct SignedOut: Error {}
        stub.on(Ping.self, .throwing(URLError(.timedOut)), .throwing(SignedOut()))
        let first = await #expect(throws: Ping.TaskError.self) { try await api(Ping()) }
        #expect(first?.description == "Ping: the load failed: it took too long (URLError -1001)")
        let second = await #expect(throws: Ping.TaskError.self) { try await api(Ping()) }
        #expect(second?.description == "Ping: the load failed: SignedOut was thrown")
    }

    @Test("A body in chunks is decoded whole")
    func chunks() async throws {
        let body = Array(Data(#"{"id": 1, "full_name": "é"}"#.utf8).map { Data([$0]) })
        stub.on(GetUser.self, .chunks(body))
        #expect(try await api(GetUser(id: 1)).fullName == "é")
        stub.on(Download.self, .chunks([Data([1, 2]), Data([3])]))
        var chunks: [Data] = []
        for try await chunk in try await api(Download()) { chunks.append(chunk) }
        #expect(chunks == [Data([1, 2]), Data([3])])
    }

    struct Download: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "download")
        typealias Response = ByteStream
    }

    @Test("Stubs of the same request type keep apart, and each counts all requests at once")
    func parallel() async throws {
        let stubs = (0..<4).map { _ in StubTransport() }
        for (number, stub) in stubs.enumerated() {
            stub.on(GetUser.self) { .value(User(id: $0.id, fullName: "\(number)")) }
        }
        try await withThrowingTaskGroup { group in
            for load in 0..<400 {
                group.addTask {
                    let user = try await stubs[load % 4].response(
                        in: server, with: GetUser(id: load))
                    #expect(user == User(id: load, fullName: "\(load % 4)"))
                }
            }
            try await group.waitForAll()
        }
        for (number, stub) in stubs.enumerated() {
            let expected = stride(from: number, to: 400, by: 4)
            #expect(stub.sent(GetUser.self).map(\.id).sorted() == Array(expected))
        }
    }

    struct PutFile: FlatRequest {
        let body: File
        static let endpoint = Endpoint<Self>(method: .put, path: "file")
        typealias Response = Void
    }

    @Test("The bytes of an upload can be read, and one that can't be read fails as at a server")
    func upload() async throws {
        stub.on(PutFile.self, .value(()))
        let progress = UploadProgress()
        let file = File(Data(count: 1_000_000))
        try await api.response(to: PutFile(body: file), progress: progress)
        #expect(try stub.sent.first?.upload?.data() == Data(count: 1_000_000))
        let steps = await progress.reduce(into: []) { $0.append($1) }
        #expect(steps.last?.fraction == 1)
        let error = await #expect(throws: PutFile.TaskError.self) {
            try await api(PutFile(body: File(URL(fileURLWithPath: "/nowhere"))))
        }
        let thrown = try #require(error)
        guard case .fileError(let fileError) = thrown else { throw thrown }
        #expect(fileError.kind == .missing)
    }

    @Test("A second load with one progress is refused, as it would report nothing")
    func secondLoad() async throws {
        stub.on(PutFile.self, .value(()))
        let (progress, request) = (UploadProgress(), PutFile(body: File(Data(count: 10))))
        try await api.response(to: request, progress: progress)
        let error = await #expect(throws: PutFile.TaskError.self) {
            try await api.response(to: request, progress: progress)
        }
        let thrown = try #require(error)
        guard case .endpointError(let endpointError) = thrown else { throw thrown }
        #expect(
            endpointError.description == """
                PutFile: the call has the UploadProgress of another load; make a new one for \
                each load
                """)
        #expect(stub.sent.count == 1)
    }

    @Test("A delayed response arrives after its delay")
    func delayed() async throws {
        stub.on(Ping.self, .value(()).delayed(by: 0.05))
        let start = ContinuousClock.now
        try await api(Ping())
        #expect(.now - start >= .milliseconds(50))
    }

    @Test("A delayed response can be cancelled")
    func cancelled() async throws {
        stub.on(Ping.self, .value(()).delayed(by: 1000))
        let api = self.api
        let task = Task {
            do {
                try await api(Ping())
                return "no error"
            } catch { return "\(error)" }
        }
        task.cancel()
        #expect(await task.value == "Ping: the load was cancelled")
    }
}
