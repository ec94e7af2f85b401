import Endpoints
import EndpointsStreams
import EndpointsAsyncHTTPClient
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP/2 with AsyncHTTPClient", .needsTLS, .timeLimit(.minutes(1)))
struct HTTP2Tests {
    /// Sends a body, which comes back.
    struct Echo: FlatRequest, Sendable {
        let body: File
        static let endpoint = Endpoint<Self>(method: .put, path: "echo")
        typealias Response = WithHTTPResponse<Data>
    }

    struct GetNumbers: FlatRequest, Sendable {
        let n: Int
        var key: String?
        static let endpoint = Endpoint<Self>(
            method: .get, path: "lines",
            parameters: [.query("n", path: \.n), .query("key", path: \.key)])
        typealias Response = WithHTTPResponse<JSONLines<Numbered>>
    }

    /// How the numbers under a key ended: "whole", or "left".
    struct GetEnd: FlatRequest, Sendable {
        let key: String
        static let endpoint = Endpoint<Self>(
            method: .get, path: "end", parameters: [.query("key", path: \.key)])
        typealias Response = String
    }

    /// Half of the body that its length promises.
    struct GetHalf: FlatRequest, Sendable {
        static let endpoint = Endpoint<Self>(method: .get, path: "short")
        typealias Response = ByteStream
    }

    /// The client has one pool of connections, as its tests have.
    private let client: EndpointClient<ServerEnvironment>

    init() throws {
        let server = ServerEnvironment(baseUrl: try TestServers.address("ENDPOINTS_HTTP2"))
        client = EndpointClient(AsyncHTTPTransport(), in: server)
    }

    private func expectHTTP2(_ httpResponse: HTTPURLResponse) {
        #expect(httpResponse.value(forHTTPHeaderField: "HTTP-Version") == "2")
    }

    /// The client's port, which is another one for each connection.
    private func port(of httpResponse: HTTPURLResponse) throws -> String {
        expectHTTP2(httpResponse)
        return try #require(httpResponse.value(forHTTPHeaderField: "Client-Port"))
    }

    @Test(
        "A body goes to and fro by HTTP/2 where a server with TLS offers it",
        arguments: [0, 5, 1_000_000])
    func echo(_ count: Int) async throws {
        let response = try await client(Echo(body: File(GetFile.content(count))))
        expectHTTP2(response.httpResponse)
        #expect(response.value == GetFile.content(count))
    }

    @Test("A file is sent by HTTP/2 with its length, and comes back whole")
    func file() async throws {
        let file = try TemporaryFile(count: 3_000_000)
        let response = try await client(Echo(body: File(file.url)))
        expectHTTP2(response.httpResponse)
        #expect(response.value == (try Data(contentsOf: file.url)))
    }

    @Test("A stream of JSON lines arrives by HTTP/2 whole and in order")
    func stream() async throws {
        let response = try await client(GetNumbers(n: 100_000))
        expectHTTP2(response.httpResponse)
        var count = 0
        for try await number in response.value where number.id == count { count += 1 }
        #expect(count == 100_000)
    }

    @Test("Twenty streams at once have one connection")
    func multiplexed() async throws {
        // The first load finds out that the server has HTTP/2.
        _ = try await client(GetNumbers(n: 1))
        let open = try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { try await client(GetNumbers(n: 10_000)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let ports = Set(try open.map { try port(of: $0.httpResponse) })
        #expect(ports.count == 1)
        for response in open {
            #expect(try await response.value.reduce(0) { count, _ in count + 1 } == 10_000)
        }
    }

    @Test("A stream by HTTP/2 that ends before its Content-Length is a lost connection")
    func short() async throws {
        let stream = try await client(GetHalf())
        do throws(StreamError) {
            var chunks = stream.makeAsyncIterator()
            while try await chunks.next() != nil {}
            Issue.record("the body ended as a whole one")
        } catch .urlLoadError(let error) {
            #expect(error.code == .networkConnectionLost)
        } catch {
            Issue.record(error)
        }
        // The connection is still there for others.
        _ = try await client(GetNumbers(n: 1))
    }

    @Test("Leaving a stream by HTTP/2 ends it, and its connection serves the next request")
    func leaving() async throws {
        let key = UUID().uuidString
        var ports: Set<String> = []
        for n in [1_000_000, 1] {
            let response = try await client(GetNumbers(n: n, key: n == 1 ? nil : key))
            ports.insert(try port(of: response.httpResponse))
            var hasNumber = false
            for try await _ in response.value {
                hasNumber = true
                break
            }
            #expect(hasNumber)
        }
        #expect(ports.count == 1)
        #expect(try await client(GetEnd(key: key)) == "left")
    }
}
