import Endpoints
import EndpointsTesting
import EndpointsMiddleware
import Foundation
import Testing

@Suite struct CredentialsPlaceTests {
    struct Send: FlatRequest, Sendable {
        typealias Response = Void
        @TaskLocal static var endpoint = Endpoint<Send>(method: .post, path: "p")
        var token = Credentials.bearer("s3cr3t")
        var maybe: Credentials?
        var several = [Credentials.bearer("s3cr3t")]
        var keyed = ["k": Credentials.bearer("s3cr3t")]
        var user = "ann"
    }

    private static func endpoint(
        _ path: PathTemplate<Send> = "p", _ parameters: ParameterList<Send> = []
    ) -> Endpoint<Send> {
        Endpoint(method: .post, path: path, parameters: parameters)
    }

    static let constant = Credentials.bearer("s3cr3t")

    static let rows: [(endpoint: Endpoint<Send>, field: EndpointError.Field)] = [
        (endpoint("u/\(path: \.token)"), .pathValue("token")),
        (endpoint("u/\(path: \.maybe)"), .pathValue("maybe")),
        (endpoint("u/\(segments: \.several)"), .pathValue("several")),
        (endpoint("u/\(value: constant)"), .pathValue("#1")),
        (endpoint("p", [.query("q", path: \.token)]), .query("q")),
        (endpoint("p", [.query("q", path: \.maybe)]), .query("q")),
        (endpoint("p", [.query("q", path: \.several)]), .query("q")),
        (endpoint("p", [.query("q", path: \.keyed)]), .query("q")),
        (endpoint("p", [.queryValue("q", value: constant)]), .query("q")),
        (endpoint("p", [.form("f", path: \.token)]), .form("f")),
        (endpoint("p", [.formValue("f", value: constant)]), .form("f")),
    ]

    @Test(
        "Credentials in a URL or a form are refused, and the error names the field", arguments: rows
    )
    func refused(_ endpoint: Endpoint<Send>, _ field: EndpointError.Field) throws {
        let error = try #require(
            Send.$endpoint.withValue(endpoint) {
                #expect(throws: EndpointError.self) { try Send().urlRequest(in: .production) }
            })
        #expect(error.field == field)
        #expect(
            error.reason
                == """
                has Credentials or a Secret, but URLs and forms may be logged; send it in a header, \
                or declare a Secret in the path as \\(secret:)
                """)
        #expect(endpoint.problems.map(\.field) == [field])
    }

    struct Items: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "g", parameters: [.query(contentsOf: \.items)])
        typealias Response = Void
        let items = ["q": Credentials.bearer("s3cr3t")]
    }

    @Test("Credentials as query items known at run time are refused")
    func additionalItems() {
        #expect(Items.endpoint.problems.map(\.field) == [.property("items")])
        #expect(throws: EndpointError.self) { try Items().urlRequest(in: .production) }
    }

    struct Keyed: FlatRequest {
        let key: Credentials?
        let plain: String
        static let endpoint = Endpoint<Self>(
            method: .get, path: "g",
            headers: HeaderList(
                [
                    "X-Key": .field(path: \.key), "X-Plain": .field(path: \.plain),
                    "X-Constant": .fieldValue(value: Credentials.bearer("c")),
                ], contentsOf: \.more))
        typealias Response = Void
        static let loadPolicy = LoadPolicy(sensitiveHeaders: ["X-Own"])
        var commonHeaders: [String: Credentials] { ["X-Common": .bearer("h")] }
        var more: [Headers: Credentials] { ["X-More": .bearer("a")] }
        typealias Environment = Server
    }

    struct Server: EnvironmentType {
        let baseUrl = ServerEnvironment.production.baseUrl
        let headers = ["X-Server": Credentials.bearer("e")]
    }

    struct Stub: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let names = request.policy.sensitiveHeaders.map(\.name).sorted()
            throw UnrepresentableValue(names.joined(separator: " "))
        }
    }

    @Test("Headers whose values are credentials are sensitive, in every layer")
    func sensitive() async {
        do {
            try await Stub().response(in: Server(), with: Keyed(key: nil, plain: ""))
            Issue.record("no error")
        } catch .transportError(let error) {
            #expect("\(error)" == "X-Common X-Constant X-Key X-More X-Own X-Server")
        } catch { Issue.record("\(error)") }
    }

    @Test("A curl command doesn't show credentials")
    func curl() throws {
        let command = try Keyed(key: .bearer("s3cr3t"), plain: "p").curl(in: Server())
        #expect(!command.contains("Bearer"))
        #expect(command.contains("X-Plain: p"))
    }
}
