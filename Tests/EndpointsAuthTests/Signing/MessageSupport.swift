import Endpoints
import EndpointsShared
import EndpointsStructuredFields
import Foundation
import Testing

@testable import EndpointsAuth

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Ask: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "dogs")
    typealias Response = Data
}

/// A transport that calls a function.
struct Respond: Transport {
    let respond: @Sendable (TransportRequest) async throws -> TransportResponse
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await respond(request)
    }
}

enum Message {
    static let now = Date(timeIntervalSince1970: 1_700_000_000)
    static let secret = Data("0123456789abcdef0123456789abcdef".utf8)

    static func request(
        _ method: String = "GET", _ url: String = "https://api.example.com/dogs?name=Rex",
        _ fields: [String: String] = [:], body: String? = nil
    ) -> TransportRequest {
        var request = URLRequest(url: URL(string: url) ?? URL(fileURLWithPath: "/"))
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = body.map { Data($0.utf8) }
        return TransportRequest(request, requestType: Ask.self)
    }

    static func head(
        _ status: Int = 200, _ fields: [String: String] = [:]
    ) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "https://api.example.com/dogs"))
        return try #require(
            HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
    }

    static func member(
        _ components: [MessageComponent], _ parameters: [(String, StructuredValue)]
    ) -> StructuredMember {
        .innerList(components.map(\.item), StructuredMap(parameters))
    }

    /// The head of a response that a server has signed with the ``secret``.
    static func signedHead(
        _ status: Int = 200, _ fields: [String: String] = [:], body: String = "{}",
        covering components: [MessageComponent] = [.status, "content-digest"],
        parameters: [(String, StructuredValue)]? = nil, to request: TransportRequest = request(),
        label: String = "sig", key: Data = secret
    ) throws -> HTTPURLResponse {
        var fields = fields
        let digest = Data(SHA256.hash(Data(body.utf8))).base64EncodedString()
        if fields["Content-Digest"] == nil { fields["Content-Digest"] = "sha-256=:\(digest):" }
        let member = member(
            components,
            parameters ?? [("created", .integer(1_700_000_000)), ("keyid", .string("server"))])
        let message = SignedMessage(
            request: request.urlRequest, response: try head(status, fields))
        let base = try message.base(of: components, member)
        let signature = Data(SHA256.hmac(base, key: key)).base64EncodedString()
        fields["Signature-Input"] = "\(label)=\(try member.serialized())"
        fields["Signature"] = "\(label)=:\(signature):"
        return try head(status, fields)
    }

    static func clock(_ date: Date = now) -> TransportClock {
        TransportClock(date: { date }, uptime: { 0 }, sleep: { _ in }, random: { 0 })
    }
}
