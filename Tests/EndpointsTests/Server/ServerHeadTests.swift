import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Response heads from a server", .needsServers)
struct ServerHeadTests {
    struct PeekAtBytes: FlatRequest {
        let count: Int
        static let endpoint = Endpoint<PeekAtBytes>(method: .head, path: "bytes/\(path: \.count)")
        typealias Response = WithHTTPResponse<Void>
    }

    @Test("A HEAD request receives the status and the headers")
    func head() async throws {
        let httpResponse = try await Server.httpbin.response(to: PeekAtBytes(count: 1234))
            .httpResponse
        #expect(httpResponse.statusCode == 200)
        #expect(httpResponse.value(forHTTPHeaderField: "content-length") == "1234")
        #expect(
            httpResponse.value(forHTTPHeaderField: "Content-Type") == "application/octet-stream")
    }

    /// A request with an ETag, for a resource that may not have changed.
    struct GetIfChanged: FlatRequest {
        let etag: String
        let known: String?
        static let endpoint = Endpoint<GetIfChanged>(
            method: .get, path: "etag/\(path: \.etag)",
            headers: [
                .ifNoneMatch: .field(path: \.known), .cacheControl: .fieldValue(value: "no-cache"),
            ])
        struct Content: Decodable { let url: String }
        typealias Response = WithHTTPResponse<Content?>

        static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
            [200, 304].contains(httpResponse.statusCode)
        }
    }

    @Test("A request that accepts 304 gets nil where its ETag still matches")
    func entityTag() async throws {
        let first = try await Server.httpbin.response(to: GetIfChanged(etag: "v1", known: nil))
        #expect(first.httpResponse.statusCode == 200)
        #expect(first.value?.url.hasSuffix("/etag/v1") == true)
        let etag = try #require(first.httpResponse.value(forHTTPHeaderField: "ETag"))
        #expect(etag == "v1")
        let second = try await Server.httpbin.response(
            to: GetIfChanged(etag: "v1", known: #""v1""#))
        #expect(second.httpResponse.statusCode == 304)
        #expect(second.value == nil)
        let third = try await Server.httpbin.response(to: GetIfChanged(etag: "v2", known: #""v1""#))
        #expect(third.httpResponse.statusCode == 200)
        #expect(third.value != nil)
    }

    @Test("A response's Link header is received as the server sent it")
    func link() async throws {
        struct GetLinks: FlatRequest {
            let link: String
            static let endpoint = Endpoint<GetLinks>(
                method: .get, path: "response-headers", parameters: [.query("Link", path: \.link)])
            typealias Response = WithHTTPResponse<[String: String]>
        }
        let link = "<https://h/2?a=b&c=d>; rel=\"next\""
        let response = try await Server.httpbin.response(to: GetLinks(link: link))
        #expect(response.httpResponse.value(forHTTPHeaderField: "link") == link)
        #expect(response.value["Link"] == link)
    }
}
