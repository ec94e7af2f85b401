import Endpoints
import EndpointsHTTPTypes
import Foundation
import HTTPTypes
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response, and what its head says.
struct ResponseRow: Sendable {
    let status: Int
    var headers: [String: String] = [:]
    /// The fields, with names in lower case, as Foundation of Linux changes them; `nil` if there is
    /// no head.
    let fields: [String]?
}

@Suite("Responses as those of swift-http-types")
struct ResponseConversionTests {
    static let url = URL(string: "https://api.example.com/users/42")

    static let rows = [
        ResponseRow(status: 200, fields: []),
        ResponseRow(status: 299, headers: ["ETag": "\"a\""], fields: ["etag: \"a\""]),
        ResponseRow(
            status: 404, headers: ["X-Name": "Zoë", "Content-Type": "text/plain"],
            fields: ["content-type: text/plain", "x-name: Zoë"]),
        ResponseRow(status: 200, headers: ["X Name": "a", "X-Name": "b"], fields: ["x-name: b"]),
        ResponseRow(status: 42, fields: nil),
        ResponseRow(status: 1000, fields: nil),
    ]

    @Test("An HTTPURLResponse has its status and fields as a head", arguments: rows)
    func head(_ row: ResponseRow) throws {
        let url = try #require(Self.url)
        let response = try #require(
            HTTPURLResponse(
                url: url, statusCode: row.status, httpVersion: nil,
                headerFields: row.headers))
        let head = HTTPResponse(response)
        #expect(head?.headerFields.map { "\($0.name.canonicalName): \($0.value)" } == row.fields)
        #expect(head.map { $0.status.code == row.status } != false)
    }

    @Test(
        "A head has its status and fields in an HTTPURLResponse, which is read without regard to case"
    )
    func again() throws {
        var head = HTTPResponse(status: .created)
        head.headerFields = [.eTag: "\"a\"", .setCookie: "a=1", .setCookie: "b=2"]
        let url = try #require(Self.url)
        let response = try #require(HTTPURLResponse(head, url: url))
        #expect(response.statusCode == 201)
        #expect(response.url == Self.url)
        #expect(response.value(forHTTPHeaderField: "etag") == "\"a\"")
        #expect(response.value(forHTTPHeaderField: "Set-Cookie") == "a=1, b=2")
    }

    @Test("A function of these types is a transport")
    func transport() async throws {
        let transport = Handled { head, body in
            #expect(head.path == "/users/42")
            #expect(head.headerFields[.accept] == "text/plain")
            #expect(body == nil)
            return (
                HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]),
                Data("Ann".utf8)
            )
        }
        let server = ServerEnvironment(
            baseUrl: try #require(URL(string: "https://api.example.com")))
        #expect(try await transport.response(in: server, with: GetName(id: 42)) == "Ann")
    }
}

private struct GetName: FlatRequest {
    let id: Int
    static let endpoint = Endpoint<GetName>(
        method: .get, path: "users/\(path: \.id)",
        headers: [.accept: .fieldValue(value: "text/plain")])
    typealias Response = String
}

/// What a server does with a request, without a network.
private struct Handled: Transport {
    let handle: @Sendable (HTTPRequest, Data?) async throws -> (HTTPResponse, Data)

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try request.check()
        guard let url = request.urlRequest.url, let head = HTTPRequest(request.urlRequest)
        else { throw URLError(.badURL) }
        let (response, data) = try await handle(head, request.urlRequest.httpBody)
        guard let httpResponse = HTTPURLResponse(response, url: url)
        else { throw URLError(.badServerResponse) }
        return TransportResponse(data, httpResponse)
    }
}
