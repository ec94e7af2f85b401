import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Hooks in each way in which they are likely to be written. Those that must not compile are in
/// Tests/Compile/Errors, those that are listed as problems in `UnreadPropertyTests`.
@Suite struct NearMissTests {
    struct Plain: EnvironmentType {
        let baseUrl = URL(string: "https://h") ?? URL(fileURLWithPath: "/")
    }

    struct WithProcessor: EnvironmentType {
        let baseUrl = Plain().baseUrl
        let requestProcessor: RequestProcessor = { $0.setValue("yes", forHTTPHeaderField: "X") }
    }

    struct WithOptionalProcessor: EnvironmentType {
        let baseUrl = Plain().baseUrl
        let requestProcessor: RequestProcessor? = { $0.setValue("yes", forHTTPHeaderField: "X") }
    }

    struct WithComputedProcessor: EnvironmentType {
        var baseUrl: URL { Plain().baseUrl }
        var requestProcessor: RequestProcessor { { $0.setValue("yes", forHTTPHeaderField: "X") } }
    }

    struct WithProcess: EnvironmentType {
        let baseUrl = Plain().baseUrl
        func process(_ request: inout URLRequest) {
            request.setValue("yes", forHTTPHeaderField: "X")
        }
    }

    struct WithHeaders: EnvironmentType {
        let baseUrl = Plain().baseUrl
        let headers: [Headers: String] = ["X": "yes"]
    }

    struct WithTextHeaders: EnvironmentType {
        let baseUrl = Plain().baseUrl
        let headers = ["X": "yes"]
    }

    struct Get<Environment: EnvironmentType>: RequestType {
        static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "g") }
        typealias Response = Void
    }

    @Test(
        "An environment's processor and headers take effect in each way to write them",
        arguments: [
            WithProcessor(), WithOptionalProcessor(), WithComputedProcessor(), WithProcess(),
            WithHeaders(), WithTextHeaders(),
        ] as [any EnvironmentType])
    func environment(_ environment: any EnvironmentType) throws {
        #expect(try value(in: environment) == "yes")
    }

    private func value<Environment: EnvironmentType>(in environment: Environment) throws -> String?
    {
        try Get<Environment>().urlRequest(in: environment).value(forHTTPHeaderField: "X")
    }

    @Test("An environment without a processor and headers changes nothing")
    func plainEnvironment() throws {
        #expect(try value(in: Plain()) == nil)
    }

    struct HeaderDictionary: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "g", headers: HeaderList(contentsOf: \.more))
        typealias Response = Void
        let more: [Headers: String] = ["X": "yes"]
    }

    struct TextDictionary: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "g", headers: HeaderList(contentsOf: \.more))
        typealias Response = Void
        let more = ["X": "yes"]
    }

    struct OptionalTexts: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "g", headers: HeaderList(contentsOf: \.more))
        typealias Response = Void
        var more: [String: String?] { ["X": "yes", "Y": nil] }
    }

    struct CommonTexts: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "g")
        typealias Response = Void
        var commonHeaders: [String: String] { ["X": "yes"] }
    }

    struct PrepareWithLabel: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "g")
        typealias Response = Void
        func prepare(request: inout URLRequest) { request.setValue("yes", forHTTPHeaderField: "X") }
    }

    struct Prepare: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "g")
        typealias Response = Void
        func prepare(_ request: inout URLRequest) {
            request.setValue("yes", forHTTPHeaderField: "X")
        }
    }

    struct HeaderLiteral: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "g", headers: ["X": "yes"])
        typealias Response = Void
    }

    @Test(
        "A request's headers and prepare take effect in each way to write them",
        arguments: [
            HeaderDictionary(), TextDictionary(), OptionalTexts(), CommonTexts(),
            PrepareWithLabel(), Prepare(), HeaderLiteral(),
        ] as [any RequestType & Sendable])
    func request(_ request: any RequestType & Sendable) throws {
        #expect(try fields(of: request) == ["X": "yes"])
    }

    private func fields<Request: RequestType>(of request: Request) throws -> [String: String]? {
        let environment = try #require(ServerEnvironment.production as? Request.Environment)
        return try request.urlRequest(in: environment).allHTTPHeaderFields
    }

    struct ItemDictionary: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "g",
            parameters: [.query(contentsOf: \.items), .queryValue("z", value: 0)])
        typealias Response = Void
        let items: [String: Int?] = ["b": 2, "a": 1, "c": nil]
    }

    @Test("Query items known at run time can be a dictionary, which is sorted by name")
    func queryItems() throws {
        let url = try ItemDictionary().urlRequest(in: .production).url
        #expect(url?.query == "a=1&b=2&z=0")
    }

    enum Sort: String, ParameterRepresentable { case newest }
    enum Level: Int, ParameterRepresentable { case high = 3 }

    struct ByEnum: FlatRequest {
        let sort = Sort.newest
        let level: Level? = .high
        static let endpoint = Endpoint<Self>(
            method: .get, path: "g",
            parameters: [.query("sort", path: \.sort), .query("level", path: \.level)])
        typealias Response = Void
    }

    @Test("An enum that is declared ParameterRepresentable, as the compiler asks, is its raw value")
    func parameterEnum() throws {
        let url = try ByEnum().urlRequest(in: .production).url
        #expect(url?.query == "sort=newest&level=3")
    }

    struct SucceedsByStatus: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "g")
        typealias Response = Void
        static func succeeded(_ httpResponse: HTTPURLResponse) -> Bool {
            httpResponse.statusCode == 404
        }
    }

    struct SucceedsByContent: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "g")
        typealias Response = Void
        static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
            httpResponse.statusCode == 404 && data.isEmpty
        }
    }

    @Test("succeeded takes effect with the content and without")
    func succeeded() throws {
        let head = try #require(
            HTTPURLResponse(
                url: Plain().baseUrl, statusCode: 404, httpVersion: nil, headerFields: nil))
        try SucceedsByStatus.decode(Data(), head)
        try SucceedsByContent.decode(Data(), head)
        #expect(throws: SucceedsByContent.TaskError.self) {
            try SucceedsByContent.decode(Data("no".utf8), head)
        }
    }

    struct Own: FlatRequest {
        let body: [String: Int]
        let sorts: Bool
        static let endpoint = Endpoint<Self>(method: .post, path: "g")
        typealias Response = Void
        var bodyEncoder: JSONEncoder {
            let encoder = JSONEncoder()
            encoder.outputFormatting = sorts ? [.sortedKeys, .prettyPrinted] : []
            return encoder
        }
        var loadPolicy: LoadPolicy { LoadPolicy(bodyLimit: sorts ? 1 : 2, errorBodyLimit: 3) }
    }

    @Test("A request's own bodyEncoder takes effect")
    func bodyEncoder() throws {
        let request = try Own(body: ["a": 1], sorts: true).urlRequest(in: .production)
        #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == "{\n  \"a\" : 1\n}")
    }

    struct Recorder: Transport {
        let respond: @Sendable (LoadPolicy) -> Data
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let url = request.urlRequest.url ?? Plain().baseUrl
            let head = HTTPURLResponse(
                url: url, statusCode: 404, httpVersion: nil, headerFields: nil)
            return TransportResponse(
                respond(request.policy), try #require(head))
        }
    }

    struct Failing: FlatRequest {
        let limit: Int
        static let endpoint = Endpoint<Self>(method: .get, path: "g")
        typealias Response = Void
        typealias ErrorResponse = [Int]
        var loadPolicy: LoadPolicy { LoadPolicy(errorBodyLimit: limit) }
    }

    @Test("A request's own loadPolicy takes effect: in the transport, and for an unreadable error")
    func loadPolicy() async throws {
        let transport = Recorder { policy in Data("\(policy.errorBodyLimit) and more".utf8) }
        do {
            try await transport.response(in: .production, with: Failing(limit: 2))
            Issue.record("no error")
        } catch .errorResponseParseError(_, let data, _) {
            #expect(String(decoding: data, as: UTF8.self) == "2 ")
        }
    }

    @Test("A request without a Response that compiles all the same is refused, and says so")
    func undeclaredResponse() throws {
        struct Get: FlatRequest {
            static let endpoint = Endpoint<Get>(method: .get, path: "a")
            static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
                throw URLError(.unknown)
            }
        }
        let text = """
            Get: the response has no type; write `typealias Response = …`, with Void if the body \
            isn't read
            """
        #expect(Get.endpoint.problems.map(\.description) == [text])
        let error = #expect(throws: EndpointError.self) { try Get().urlRequest(in: .production) }
        #expect(error?.description == text)
    }
}
