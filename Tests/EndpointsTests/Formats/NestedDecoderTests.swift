@testable import Endpoints
@testable import EndpointsFormats
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Decoding below keys")
struct NestedDecoderTests {
    struct User: Codable, Equatable {
        let id: Int
        var at: Date?
    }

    struct GetUser: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "user")
        static let responseDecoder = JSONDecoder().below("data", "user")
        typealias Response = User
        struct ErrorResponse: Decodable { let message: String }
    }

    struct GetDate: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "date")
        static let responseDecoder = {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return decoder.below("date")
        }()
        typealias Response = Date?
    }

    @Test("A response below keys is decoded, and the request accepts JSON")
    func value() throws {
        let response = CannedResponse(200, #"{"data": {"user": {"id": 7}}, "more": 1}"#)
        #expect(try response.read(GetUser.self) == User(id: 7))
        let accept = try GetUser().urlRequest(in: .production).value(forHTTPHeaderField: "Accept")
        #expect(accept == "application/json")
    }

    static let failures = [
        (#"{"data": {}}"#, "the value at `data.user` is missing"),
        (#"{}"#, "the value at `data` is missing"),
        (#"{"data": {"user": {"id": "x"}}}"#, "the value at `data.user.id` is not of type Int"),
        (#"{"data": 1}"#, "the value at `data` is not an object"),
    ]

    @Test("An error below keys names the whole place", arguments: failures)
    func failure(_ json: String, _ reason: String) throws {
        let error = try CannedResponse(200, json).error(of: GetUser.self)
        #expect(error.description.contains(reason), "\(error)")
    }

    struct GetEmptyKey: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "user")
        static let responseDecoder = JSONDecoder().below("")
        typealias Response = User
    }

    @Test("An empty key is an error, unless the response has it")
    func emptyKey() throws {
        let error = try CannedResponse(200, #"{"id": 7}"#).error(of: GetEmptyKey.self)
        #expect(error.description.contains("`below(…)` has an empty key; write the key"))
        #expect(
            try CannedResponse(200, #"{"": {"id": 7}}"#).read(GetEmptyKey.self) == User(id: 7))
    }

    struct GetDotted: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "user")
        static let responseDecoder = JSONDecoder().below("data.user")
        typealias Response = User
    }

    static let dotted = [
        (
            #"{"data": {"user": {"id": 7}}}"#,
            #"there is no key "data.user", but its parts are keys; write `below("data", "user")`"#
        ),
        (#"{"data": {"users": 1}}"#, "the value at `data.user` is missing"),
        (#"{"data": 1}"#, "the value at `data.user` is missing"),
    ]

    @Test("A missing key with a dot whose parts are keys says how to write them", arguments: dotted)
    func dottedKey(_ json: String, _ reason: String) throws {
        let error = try CannedResponse(200, json).error(of: GetDotted.self)
        #expect(error.description.hasSuffix(reason), "\(error)")
        #expect(try CannedResponse(200, #"{"data.user": {"id": 7}}"#).read(GetDotted.self).id == 7)
    }

    static let dates = [
        (#"{"date": "1970-01-01T00:00:05Z"}"#, 5.0 as Double?), (#"{"date": null}"#, nil),
    ]

    @Test("The strategies of the decoder hold below keys", arguments: dates)
    func strategy(_ json: String, _ seconds: Double?) throws {
        let date = try CannedResponse(200, json).read(GetDate.self)
        #expect(date?.timeIntervalSince1970 == seconds)
    }

    static let layers = [
        (#"{"data": {"user": {"id": 7}}}"#, 7 as Int?),
        (#"{"data": {"data": {"id": 6}, "user": {"id": 7}}}"#, 7),
        (#"{"data": {"data": {"id": 6}}}"#, nil),
    ]

    @Test("A decoder below a decoder below a key reads under the keys of both", arguments: layers)
    func layer(_ json: String, _ id: Int?) throws {
        let decoder = JSONDecoder().below("data").below("user")
        let user = try? decoder.decode(User.self, from: Data(json.utf8))
        #expect(user?.id == id)
    }

    @Test(
        "A key is written as the strategy for keys converts it",
        arguments: [("userInfo", 7), ("user_info", nil)] as [(String, Int?)])
    func snakeCase(_ key: String, _ id: Int?) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let json = Data(#"{"user_info": {"id": 7}}"#.utf8)
        #expect((try? decoder.below(key).decode(User.self, from: json))?.id == id)
    }

    @Test("A response that decodes another one below other keys doesn't change its keys")
    func inner() throws {
        struct Page: Decodable {
            let user: User
            let next: Int

            enum CodingKeys: CodingKey { case text, next }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                let text = try container.decode(String.self, forKey: .text)
                user = try JSONDecoder().below("user").decode(User.self, from: Data(text.utf8))
                next = try container.decode(Int.self, forKey: .next)
            }
        }
        let json = #"{"a": {"b": {"text": "{\"user\": {\"id\": 7}}", "next": 2}}}"#
        let page = try JSONDecoder().below("a").below("b").decode(Page.self, from: Data(json.utf8))
        #expect(page.user == User(id: 7))
        #expect(page.next == 2)
    }

    @Test("A decoder whose base decodes in another task throws")
    func otherTask() {
        struct Detached: DecoderType {
            var contentType: MIMEType? { .json }

            func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                try InnerKey.$paths.withValue([]) {
                    try JSONDecoder().decode(type, from: data)
                }
            }
        }
        let error = #expect(throws: (any Error).self) {
            try Detached().below("a").decode(Int.self, from: Data(#"{"a": 1}"#.utf8))
        }
        #expect(
            error?.safeReason == """
                the keys of `below(…)` are lost on another thread; use a decoder that decodes on \
                the thread that calls it
                """)
    }

    @Test("An error response is decoded from the top")
    func errorResponse() throws {
        let error = try CannedResponse(410, #"{"message": "gone"}"#).error(of: GetUser.self)
        guard case .errorResponse(_, let response) = error else {
            Issue.record(error)
            return
        }
        #expect(response.message == "gone")
    }
}
