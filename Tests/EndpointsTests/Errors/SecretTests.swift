import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// No text of an error shows a value: each request here has a secret in every part and throws.
@Suite struct SecretTests {
    struct Send: FlatRequest, Sendable {
        typealias Response = Void
        @TaskLocal static var endpoint = Endpoint<Send>(method: .post, path: "p")
        var secret = "s3cr3t"
        var credentials = Credentials.basic(username: "s3cr3t", password: "s3cr3t")
        var number = Double.nan
        var key = ["s3cr3t": Double.nan]
        var nested = Nested()
        var body: Nested? = Nested()
        var moreHeaders: [Headers: String] = ["X-More": "s3cr3t"]
        var moreItems = [URLQueryItem(name: "more", value: "s3cr3t")]
        var refuses = false

        struct Nested: Encodable {
            var secret = "s3cr3t"
            var number = 0.0
            var dictionary = ["s3cr3t": 0.0]
        }

        struct Refusal: Error, CustomStringConvertible {
            var description: String { "s3cr3t" }
        }

        func prepare(_ request: inout URLRequest) throws {
            if refuses { throw Refusal() }
        }
    }

    private static func endpoint(
        _ path: PathTemplate<Send> = "p", _ parameters: [Parameter<Send>] = [],
        _ headers: [Headers: HeaderField<Send>] = [:]
    ) -> Endpoint<Send> {
        var headers = headers
        headers["X-Key"] = headers["X-Key"] ?? .field(path: \.secret)
        headers[.authorization] = headers[.authorization] ?? .field(path: \.credentials)
        return Endpoint(
            method: .post, path: path,
            parameters: ParameterList(
                [.query("secret", path: \.secret)] + parameters + [
                    .query(contentsOf: \.moreItems)
                ]),
            headers: HeaderList(HeaderList(headers), contentsOf: \.moreHeaders))
    }

    typealias Row = (endpoint: Endpoint<Send>, values: Send, field: EndpointError.Field)

    static let broken = "s3cr3t\r\nX-Evil: s3cr3t"

    static let rows: [Row] = [
        (endpoint(), Send(secret: broken), .header("X-Key")),
        (
            endpoint("p", [], ["X-Key": .fieldValue(value: broken)]), Send(), .header("X-Key")
        ),
        (endpoint(), Send(moreHeaders: ["X-More": broken]), .header("X-More")),
        (
            endpoint(), Send(moreHeaders: ["Content-Length": "s3cr3t"]),
            .header("Content-Length")
        ),
        (endpoint(), Send(credentials: .bearer(broken)), .header("Authorization")),
        (
            endpoint(), Send(credentials: .basic(username: "s3cr3t:", password: "s3cr3t")),
            .header("Authorization")
        ),
        (endpoint("p", [], ["X-N": .field(path: \.number)]), Send(), .header("X-N")),
        (endpoint("p/\(path: \.secret)/\(path: \.number)"), Send(), .pathValue("number")),
        (
            endpoint("\(path: \.secret)\(path: \.secret, includesSlash: false)"), Send(secret: "."),
            .pathValue("secret")
        ),
        (endpoint("p", [.query("n", path: \.number)]), Send(), .query("n")),
        (endpoint("p", [.query("n", path: \.key)]), Send(), .query("n")),
        (
            endpoint("p", [.query("n", path: \.nested, encoding: .json)]),
            Send(nested: .init(number: .nan)), .query("n")
        ),
        (
            endpoint("p", [.query("n", path: \.nested, encoding: .json)]),
            Send(nested: .init(dictionary: ["s3cr3t": .nan])), .query("n")
        ),
        (endpoint("p", [.form("n", path: \.secret)]), Send(), .form("n")),
        (endpoint(), Send(body: .init(number: .nan)), .body),
        (endpoint(), Send(body: .init(dictionary: ["s3cr3t": .infinity])), .body),
        (endpoint(), Send(refuses: true), .prepare),
    ]

    @Test("No text of an EndpointError shows a value of the request", arguments: rows)
    func refusal(_ row: Row) throws {
        let environment = try ServerEnvironment(at: "https://s3cr3t:s3cr3t@h/?token=s3cr3t")
        let error = try #require(
            Send.$endpoint.withValue(row.endpoint) {
                #expect(throws: EndpointError.self) { try row.values.urlRequest(in: environment) }
            })
        #expect(error.field == row.field)
        check(error)
        for problem in row.endpoint.problems { check(problem) }
    }

    private func check(_ error: EndpointError) {
        let nsError = error as NSError
        let texts = [
            error.description, String(describing: error), String(reflecting: error), "\([error])",
            error.localizedDescription, nsError.localizedDescription, "\(nsError)", error.reason,
            "\(EndpointTaskError<EmptyResponse>.endpointError(error))",
            String(reflecting: EndpointTaskError<EmptyResponse>.endpointError(error)),
            EndpointTaskError<EmptyResponse>.endpointError(error).localizedDescription,
        ]
        for text in texts { #expect(!text.contains("s3cr3t")) }
    }

    @Test(
        "No text of an error about a base URL shows a part of it",
        arguments: [
            "ftp://s3cr3t:s3cr3t@s3cr3t/s3cr3t", "https://s3cr3t@/s3cr3t", "s3cr3t?s3cr3t",
            "https://s3cr3t@h/s3cr3t/../s3cr3t?s3cr3t#s3cr3t",
        ])
    func baseURL(_ address: String) throws {
        let environment = try ServerEnvironment(at: address)
        let error = try #require(
            #expect(throws: EndpointError.self) { try Send().urlRequest(in: environment) })
        #expect(error.field == .baseUrl)
        check(error)
    }

    @Test("No text of an EndpointError shows the error that requestProcessor threw")
    func requestProcessor() throws {
        let environment = ServerEnvironment(baseUrl: ServerEnvironment.production.baseUrl) { _ in
            throw Send.Refusal()
        }
        let error = try #require(
            #expect(throws: EndpointError.self) { try Send().urlRequest(in: environment) })
        #expect(error.field == .requestProcessor)
        #expect(error.cause is Send.Refusal)
        check(error)
    }
}
