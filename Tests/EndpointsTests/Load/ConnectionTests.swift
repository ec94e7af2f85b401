import Endpoints
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Connections", .needsServers, .timeLimit(.minutes(1)))
struct ConnectionTests {
    private let session: URLSession
    private let environment: ServerEnvironment
    private let other: ServerEnvironment

    init() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["Authorization": "s"]
        session = URLSession(configuration: configuration)
        environment = try Server.recorder.environment
        other = ServerEnvironment(baseUrl: try Origins().other)
    }

    /// A request as the recorder logs it.
    private struct Arrival: Decodable {
        let headers: [[String]]
        let connection: Int

        var hasCredential: Bool { headers.contains { $0[0].lowercased() == "authorization" } }
    }

    /// A stream whose server waits for a minute after the first bytes.
    private struct GetWaiting: FlatRequest {
        static let endpoint = Endpoint<GetWaiting>(
            method: .get, path: "-/stream/events",
            parameters: [.queryValue("n", value: 1), .queryValue("last", value: "x")])
        typealias Response = ByteStream
    }

    /// A request to which a server responds after twelve seconds.
    private struct GetLate: FlatRequest {
        static let endpoint = Endpoint<GetLate>(
            method: .get, path: "late", parameters: [.queryValue("ms", value: 12_000)])
        typealias Response = Data
    }

    private struct GetLog: FlatRequest {
        let key: String
        static let endpoint = Endpoint<GetLog>(method: .get, path: "-/log/\(path: \.key)")
        struct Response: Decodable { let requests: [Arrival] }
    }

    /// Reads a stream to its end; returns the requests that arrived at a server.
    private func stream(
        to: ServerEnvironment? = nil, arriving server: ServerEnvironment? = nil
    ) async throws -> [Arrival] {
        try await load(to: to, arriving: server ?? environment, isStream: true)
    }

    /// Sends a request that is redirected to a server, or not at all.
    private func load(
        to: ServerEnvironment?, arriving server: ServerEnvironment, isStream: Bool
    ) async throws -> [Arrival] {
        let key = UUID().uuidString
        let echo = (to ?? environment).baseUrl.absoluteString + "/-/echo?key=\(key)"
        let url =
            to == nil
            ? URL(string: echo) : try Origins.redirect(at: environment.baseUrl, to: echo, key: key)
        var request = TransportRequest(
            URLRequest(url: try #require(url)), requestType: GetLog.self)
        request.streamsResponse = isStream
        _ = try await session.send(request).body.data(upTo: .max)
        return try await arrivals(of: key, at: server)
    }

    private func arrivals(of key: String, at server: ServerEnvironment) async throws -> [Arrival] {
        try await URLSession.shared.response(in: server, with: GetLog(key: key)).requests
    }

    @Test("A stream after a stream that was read to its end uses its connection")
    func streams() async throws {
        var connections: Set<Int> = []
        for _ in 0..<5 { connections.formUnion(try await stream().map(\.connection)) }
        #expect(connections.count == 1)
    }

    @Test("A stream's redirect at the same origin uses its connection")
    func redirectedStream() async throws {
        let arrivals = try await stream(to: environment)
        #expect(arrivals.count == 2)
        #expect(Set(arrivals.map(\.connection)).count == 1)
    }

    @Test("A connection that had no load for twelve seconds is used again")
    func unused() async throws {
        let first = try await load(to: nil, arriving: environment, isStream: false)
        _ = try await URLSession.shared.response(in: Server.faults.environment, with: GetLate())
        let second = try await load(to: nil, arriving: environment, isStream: false)
        #expect(first.count == 1 && first.map(\.connection) == second.map(\.connection))
    }

    @Test("A redirect uses the connection of an earlier one to the same origin")
    func redirects() async throws {
        var last: Set<Int> = []
        for _ in 0..<5 {
            let arrivals = try await load(
                to: environment, arriving: environment, isStream: false)
            #expect(arrivals.count == 2)
            last.formUnion(arrivals.suffix(1).map(\.connection))
        }
        #expect(last.count == 1)
    }

    @Test("Open streams don't keep a stream from the same host waiting")
    func manyOpen() async throws {
        let faults = try Server.faults.environment
        var open: [ByteStream] = []
        for _ in 0..<50 {
            open.append(try await session.response(in: faults, with: GetWaiting()))
        }
        let file = try await session.response(in: faults, with: GetFile(n: 1000)).collected()
        #expect(Data(file.joined()) == GetFile.content(1000))
        #expect(open.count == 50)
    }

    @Test("Connections of streams and redirects end soon after their session is released")
    func released() async throws {
        let key = try await { () async throws -> String in
            let session = URLSession(configuration: .ephemeral)
            let request = GetFile()
            let faults = try Server.faults.environment
            _ = try await session.response(in: faults, with: request).collected()
            return request.key
        }()
        let start = ContinuousClock.now
        let open = CancellationTests.Open(key: key)
        #expect(try await Server.faults.response(to: open).open == 0)
        #expect(start.duration(to: .now) < .seconds(8), "an idle connection lives two minutes")
    }

    @Test("A stream has the session's sensitive headers after another left the origin")
    func headersAfterLeaving() async throws {
        let away = try await stream(to: other, arriving: other)
        #expect(away.map(\.hasCredential) == [false])
        #expect(try await stream().map(\.hasCredential) == [true])
        #expect(try await stream(to: other).map(\.hasCredential) == [true])
    }

    private struct Echo<Response>: FlatRequest {
        static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "-/echo") }
        static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
            throw URLError(.unknown)
        }
    }

    /// Loads a request at a URL, and says whether the server got the session's credential.
    private func sendsCredential<Response>(
        _ type: Response.Type, at server: ServerEnvironment
    ) async throws -> [Bool] {
        let key = UUID().uuidString
        let address = server.baseUrl.absoluteString + "/-/echo?key=\(key)"
        _ = try? await EndpointClient(session, in: environment).response(
            to: Echo<Response>(), at: url(address))
        return try await arrivals(of: key, at: server).map(\.hasCredential)
    }

    @Test("At a URL of another origin, the session's sensitive headers aren't sent")
    func headersAtOtherOrigin() async throws {
        #expect(try await sendsCredential(String.self, at: other) == [false])
        #expect(try await sendsCredential(Lines.self, at: other) == [false])
        #expect(try await sendsCredential(String.self, at: environment) == [true])
        #expect(try await sendsCredential(Lines.self, at: environment) == [true])
    }

    private struct Pages: FlatRequest, PagedRequest {
        let url: URL
        static let endpoint = Endpoint<Self>(method: .get, path: "-/echo")
        static let paging = Paging<Self>.url { $0.next }
        struct Response: Sendable { let next: URL? }
        static func items(in response: Response) -> [Int] { [] }
        static func response(data: Data, httpResponse: HTTPURLResponse) -> Response {
            Response(next: httpResponse.url?.query == nil ? next : nil)
        }
        @TaskLocal static var next: URL?
    }

    @Test(
        "At a next page of another origin, the session's sensitive headers aren't sent",
        arguments: [false, true])
    func headersOfNextPage(prefetching: Bool) async throws {
        let key = UUID().uuidString
        let next = url(other.baseUrl.absoluteString + "/-/echo?key=\(key)")
        try await Pages.$next.withValue(next) {
            let api = EndpointClient(session, in: environment)
            for try await _ in api.pages(of: Pages(url: next), prefetching: prefetching) {}
        }
        #expect(try await arrivals(of: key, at: other).map(\.hasCredential) == [false])
    }

    @Test("A stream leaves the session its cache")
    func cache() async throws {
        _ = try await stream()
        #expect(session.configuration.urlCache != nil)
    }
}
