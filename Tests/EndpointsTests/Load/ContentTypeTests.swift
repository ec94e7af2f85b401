import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Content-Type of a body without one", .needsServers)
struct ContentTypeTests {
    private struct Plain: EncoderType {
        var contentType: MIMEType? { nil }
        func encode<Value: Encodable>(_ value: Value) throws -> Data { Data("plain".utf8) }
    }

    private struct Post: RequestType {
        static let endpoint = Endpoint<Self>(method: .post, path: "")
        static var bodyEncoder: Plain { Plain() }
        let body = 1
        typealias Response = Recorded
    }

    @Test("A POST whose encoder has no content type is sent without one")
    func none() async throws {
        let arrival = try await Server.recorder.response(to: Post())
        #expect(arrival.values(of: "Content-Type") == [])
        #expect(arrival.values(of: "Content-Length") == ["5"])
        #expect(arrival.body == "plain")
    }

    @Test("A POST without a content type stays so after a redirect")
    func redirected() async throws {
        let origins = try Origins()
        let key = UUID().uuidString
        let to = origins.other.absoluteString + "/-/echo?key=\(key)"
        var request = URLRequest(
            url: try Origins.redirect(at: origins.first, 307, to: to, key: key))
        request.httpMethod = "POST"
        request.httpBody = Data("x".utf8)
        _ = try await URLSession.shared.load(request, .default)
        let arrivals = try await origins.arrivals(key)
        #expect(
            arrivals == [
                "first: POST /-/redirect\ncontent-length: 1\nhost: first\n\nx",
                "other: POST /-/echo\ncontent-length: 1\nhost: other\n\nx",
            ])
    }

    @Test("A content type of the session's own is sent")
    func session() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["content-type": "a/b"]
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let environment = try Server.recorder.environment
        let arrival = try await session.response(in: environment, with: Post())
        #expect(arrival.values(of: "Content-Type") == ["a/b"])
    }

    private struct Press: RequestType {
        static let endpoint = Endpoint<Self>(method: .post, path: "")
        typealias Response = Recorded
    }

    @Test("A POST without a body has no content type")
    func noBody() async throws {
        let arrival = try await Server.recorder.response(to: Press())
        #expect(arrival.values(of: "Content-Type") == [])
        #expect(arrival.body == "")
    }
}
