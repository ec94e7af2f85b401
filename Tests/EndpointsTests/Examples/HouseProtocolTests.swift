import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What all requests of a program have in common.
protocol APIRequest: RequestType where ErrorResponse == ServerError {}

extension APIRequest {
    var commonHeaders: [Headers: String] {
        ["X-Client": "tests/1.0", .acceptLanguage: "de, en;q=0.5"]
    }
    static var bodyEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }
    static var responseDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}

struct RemoveUser: APIRequest, FlatRequest {
    let id: Int
    static let endpoint = Endpoint<RemoveUser>(method: .delete, path: "users/\(path: \.id)")
    typealias Response = Void
}

struct Meet: APIRequest {
    static let endpoint = Endpoint<Meet>(
        method: .post, path: "anything", headers: ["X-Client": .fieldValue(value: "replaced")])
    struct Body: Codable, Equatable { let at: Date }
    let body: Body
    struct Response: Decodable {
        let json: Body
        let headers: [String: String]
    }
}

/// A page of any items, with the same error.
struct Listing<Item: Decodable>: APIRequest, FlatRequest {
    let path: String
    var page: Int?
    static var endpoint: Endpoint<Self> {
        .once(
            Endpoint(
                method: .get, path: "\(segments: \.path)",
                parameters: [.query("page", path: \.page)]))
    }
    typealias Response = WithHTTPResponse<[Item]>
}

@Suite("Shared protocol")
struct HouseProtocolTests {
    @Test("A shared protocol's headers and coders are used by its requests", .needsServers)
    func headers() async throws {
        let request = try RemoveUser(id: 1).urlRequest(in: .production)
        #expect(
            request.allHTTPHeaderFields == [
                "X-Client": "tests/1.0", "Accept-Language": "de, en;q=0.5",
                "Accept": "application/json",
            ])
        let at = Date(timeIntervalSince1970: 1_700_000_000)
        let response = try await Server.httpbin.response(to: Meet(body: .init(at: at)))
        #expect(response.headers["X-Client"] == "replaced", "by the declaration")
        #expect(response.headers["Accept-Language"] == "de, en;q=0.5")
        #expect(response.json.at == at, "by the encoder and decoder of all")
    }

    @Test("Requests of a shared protocol throw one type of error")
    func error() async {
        do {
            try await CannedResponses.session.response(in: .production, with: RemoveUser(id: 1))
            Issue.record("no error")
        } catch .errorResponse(let httpResponse, let error) {
            #expect(httpResponse.statusCode == 409)
            #expect(error == ServerError(code: 7, message: "has open orders"))
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("A generic request can adopt a shared protocol")
    func generic() throws {
        let request = try Listing<User>(path: "teams/a b/members", page: 2).urlRequest(
            in: .production)
        #expect(
            request.url?.absoluteString
                == "https://api.example.com/v1/teams/a%20b/members?page=2")
        #expect(request.value(forHTTPHeaderField: "X-Client") == "tests/1.0")
        let canned = CannedResponse(
            200, #"[{"id": 1, "name": "Ann"}]"#, fields: ["Link": "</3>; rel=next"])
        let page = try canned.read(Listing<User>.self)
        #expect(page.value == [User(id: 1, name: "Ann")])
        #expect(page.httpResponse.value(forHTTPHeaderField: "Link") == "</3>; rel=next")
    }
}
