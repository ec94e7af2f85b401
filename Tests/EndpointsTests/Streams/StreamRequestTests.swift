import Endpoints
import EndpointsTesting
import EndpointsMiddleware
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests whose response is a stream")
struct StreamRequestTests {
    struct Get<Response>: FlatRequest {
        static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "stream") }
        static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
            throw URLError(.unknown)
        }
    }

    struct Watch: FlatRequest {
        static let endpoint = Endpoint<Watch>(method: .get, path: "stream")
        typealias Response = JSONLines<Numbered>
    }

    /// A request that has a 200 refused by its status alone.
    struct Doubt: FlatRequest {
        static let endpoint = Endpoint<Doubt>(method: .get, path: "stream")
        typealias Response = JSONLines<Numbered>
        typealias ErrorResponse = Numbered

        static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
            #expect(data.isEmpty)
            return false
        }
    }

    struct Stub: Transport {
        let data: Data

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            #expect(request.streamsResponse)
            return TransportResponse(data, try StreamRequestTests.success())
        }
    }

    private static func success() throws -> HTTPURLResponse {
        try #require(
            HTTPURLResponse(
                url: ServerEnvironment.production.baseUrl, statusCode: 200, httpVersion: nil,
                headerFields: nil))
    }

    @Test("The request for a stream has the stream's media type as Accept")
    func accept() throws {
        func accept<Response>(_ type: Response.Type) throws -> String? {
            try Get<Response>().urlRequest(in: .production).value(forHTTPHeaderField: "Accept")
        }
        #expect(try accept(ByteStream.self) == nil)
        #expect(try accept(Lines.self) == nil)
        #expect(
            try accept(JSONLines<Numbered>.self) == "application/jsonl, application/x-ndjson")
        #expect(try accept(EventStream<Numbered>.self) == "text/event-stream")
        #expect(try accept(WithHTTPResponse<EventStream<Numbered>>.self) == "text/event-stream")
        #expect(try accept(WithHTTPResponse<[Numbered]>.self) == "application/json")
    }

    @Test("A stream by HEAD, which has no content, is a problem of the declaration")
    func head() {
        struct Peek: FlatRequest {
            static let endpoint = Endpoint<Peek>(method: .head, path: "stream")
            typealias Response = WithHTTPResponse<Lines>
        }
        #expect(
            Peek.endpoint.problems.map(\.description) == [
                "Peek: the method is HEAD, whose response has no content, but the Response is a stream; use GET"
            ])
        #expect(Watch.endpoint.problems.isEmpty)
    }

    @Test("A callback refuses a stream, and says how it is loaded")
    func callback() {
        let error = #expect(throws: EndpointError.self) {
            try URLSession.shared.endpointTask(in: .production, with: Watch()) { _ in }
        }
        #expect(
            error?.description
                == "Watch: the response is a stream, which only async functions return; use `response(in:with:)`"
        )
    }

    @Test("A stream is read from memory in a test, as every response is")
    func memory() async throws {
        let stream = try Watch.decode(Data(#"{"id": 1}"#.utf8), Self.success())
        #expect(try await stream.collected() == [Numbered(id: 1)])
    }

    @Test("A stream is read from a transport that has the whole body")
    func stub() async throws {
        let stub = Stub(data: Data(#"{"id": 1}"#.utf8))
        let stream = try await stub.response(in: .production, with: Watch())
        #expect(try await stream.collected() == [Numbered(id: 1)])
    }

    @Test("Whether a stream has succeeded is decided before its data, which are read as the error")
    func succeeded() async {
        let stub = Stub(data: Data(#"{"id": 1}"#.utf8))
        do throws(Doubt.TaskError) {
            _ = try await stub.response(in: .production, with: Doubt())
            Issue.record("there is a stream")
        } catch .errorResponse(_, let response) {
            #expect(response == Numbered(id: 1))
        } catch {
            Issue.record(error)
        }
    }

    @Test("The error of another request, thrown by a transport, is not that of the stream")
    func otherRequest() async {
        struct Failing: Transport {
            func send(_ request: TransportRequest) async throws -> TransportResponse {
                throw Watch.TaskError.unexpectedResponse(httpResponse: try .stub(301))
            }
        }
        do throws(Watch.TaskError) {
            _ = try await Failing().response(in: .production, with: Watch())
            Issue.record("there is a stream")
        } catch .transportError(let error) {
            #expect(error.cause is Watch.TaskError)
        } catch {
            Issue.record(error)
        }
    }

    @Test("A line that can't be read is an error that names it, and the next one can be read")
    func unreadableLine() async throws {
        let text = """
            {"id": 1}

            x
            {"id": 2}
            """
        let stub = Stub(data: Data(text.utf8))
        var items = try await stub.response(in: .production, with: Watch()).makeAsyncIterator()
        #expect(try await items.next() == Numbered(id: 1))
        do throws(StreamError) {
            _ = try await items.next()
            Issue.record("the line is read")
        } catch {
            #expect(
                error.description == """
                    Watch: the response with status 200 can't be read: in line 3, the content is \
                    not valid
                    """)
        }
        #expect(try await items.next() == Numbered(id: 2))
        #expect(try await items.next() == nil)
    }

    @Test("A line that is too long ends the stream, also for a loop that goes on after errors")
    func limit() async throws {
        struct Limited: FlatRequest {
            static let endpoint = Endpoint<Limited>(method: .get, path: "stream")
            static let loadPolicy = LoadPolicy(bodyLimit: 20)
            typealias Response = JSONLines<Numbered>
        }
        let stub = Stub(data: Data((String(repeating: "1", count: 30) + "\n").utf8))
        let lines = try await stub.response(in: ServerEnvironment.production, with: Limited())
        var iterator = lines.makeAsyncIterator()
        await #expect(throws: StreamError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("A part that was requested again by its Range can be saved")
    func savedPart() async throws {
        let transport = ClosureTransport { request in
            let range = request.urlRequest.value(forHTTPHeaderField: "Range")
            return try .stub(range == nil ? 200 : 206, [:], range ?? "")
        }
        struct Rest: FlatRequest {
            static let endpoint = Endpoint<Rest>(method: .get, path: "rest")
            typealias Response = Arriving
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let first = try await transport.response(in: ServerEnvironment.production, with: Rest())
        let rest = try await first.response.requestAgain { request in
            request.setValue("bytes=5-", forHTTPHeaderField: "Range")
        }
        try await ByteStream(rest).save(to: file)
        #expect(try String(contentsOf: file, encoding: .utf8) == "bytes=5-")
    }

    @Test("A response in memory has no request to send again, and the error says so")
    func againInMemory() async throws {
        struct Get: FlatRequest {
            static let endpoint = Endpoint<Get>(method: .get, path: "rest")
            typealias Response = Arriving
        }
        let stream = try Get.decode(Data(), Self.success())
        let error = await #expect(throws: StreamError.self) {
            try await stream.response.requestAgain { _ in }
        }
        #expect(
            error?.description == """
                Get: the response was made of data in memory, so there is no request to send again; \
                check `canAskAgain` first
                """)
    }

    struct Arriving: StreamedResponse {
        let response: ArrivingResponse
        static var acceptedType: MIMEType? { nil }
        init(_ response: ArrivingResponse) { self.response = response }
        func makeAsyncIterator() -> ByteStream.AsyncIterator {
            ByteStream(response).makeAsyncIterator()
        }
    }
}
