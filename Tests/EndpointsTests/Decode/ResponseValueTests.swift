import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Successful responses")
struct ResponseValueTests {
    private static let ann = #"{"id": 1, "name": "Ann"}"#

    /// A request type, a body, and the response as text.
    static let rows: [(reader: Reader, body: String, value: String)] = [
        (Reader(GetNothing.self), "anything", "()"),
        (Reader(GetAnything.self), "not JSON", "EmptyResponse()"),
        (Reader(GetData.self) { String(decoding: $0, as: UTF8.self) }, "\u{0}raw", "\u{0}raw"),
        (Reader(GetText.self), "“text”", "“text”"),
        (Reader(GetUser.self), ann, #"User(id: 1, name: "Ann")"#),
        (Reader(GetMaybeUser.self), "null", "nil"),
        (Reader(GetMaybeUser.self), ann, #"Optional(EndpointsTests.User(id: 1, name: "Ann"))"#),
        (Reader(GetUsers.self), "[\(ann)]", #"[EndpointsTests.User(id: 1, name: "Ann")]"#),
        (Reader(GetNothingAndHead.self) { "\($0.httpResponse.statusCode)" }, "anything", "200"),
        (
            Reader(GetUserAndHead.self) { "\($0.value.name) \($0.httpResponse.statusCode)" }, ann,
            "Ann 200"
        ),
    ]

    @Test("A successful response becomes a value of the request's Response type", arguments: rows)
    func plain(row: (reader: Reader, body: String, value: String)) {
        #expect(row.reader.outcome(CannedResponse(200, row.body)) == row.value)
    }

    static let generic: [(reader: Reader, body: String, value: String)] = [
        (Reader(Fetch<EmptyResponse>.self), "not JSON", "EmptyResponse()"),
        (Reader(Fetch<EmptyResponse?>.self), "not JSON", "Optional(Endpoints.EmptyResponse())"),
        (Reader(Fetch<Data>.self) { String(decoding: $0, as: UTF8.self) }, "raw", "raw"),
        (Reader(Fetch<Data?>.self) { String(decoding: $0 ?? Data(), as: UTF8.self) }, "raw", "raw"),
        (Reader(Fetch<String>.self), #""quoted""#, #""quoted""#),
        (Reader(Fetch<String?>.self), "null", #"Optional("null")"#),
        (Reader(Fetch<Data??>.self) { "\(($0 ?? nil)?.count ?? 0)" }, "raw", "3"),
        (Reader(Fetch<String??>.self) { ($0 ?? nil) ?? "nothing" }, "raw", "raw"),
        (Reader(Fetch<EmptyResponse??>.self) { $0 == nil ? "nothing" : "empty" }, "raw", "empty"),
        (Reader(Fetch<User>.self), ann, #"User(id: 1, name: "Ann")"#),
        (Reader(Fetch<User?>.self), "null", "nil"),
        (Reader(Fetch<User?>.self), ann, #"Optional(EndpointsTests.User(id: 1, name: "Ann"))"#),
        (Reader(Fetch<[String: Int]>.self), #"{"a": 1}"#, #"["a": 1]"#),
        (Reader(Fetch<Int>.self), "42", "42"),
        (Reader(FetchWithHead<Data>.self) { "\($0.value.count)" }, "raw", "3"),
        (Reader(FetchWithHead<String>.self) { $0.value }, "raw", "raw"),
        (Reader(FetchWithHead<User>.self) { $0.value.name }, ann, "Ann"),
        (Reader(FetchWithHead<User?>.self) { $0.value?.name ?? "nobody" }, "null", "nobody"),
        (Reader(FetchWithHead<EmptyResponse>.self) { "\($0.value)" }, "raw", "EmptyResponse()"),
    ]

    @Test("A generic request decodes its Response by the type it stands for", arguments: generic)
    func genericRequest(row: (reader: Reader, body: String, value: String)) {
        #expect(row.reader.outcome(CannedResponse(200, row.body)) == row.value)
    }

    @Test("A request's own response(data:httpResponse:) wins over the default")
    func ownConversion() throws {
        #expect(try CannedResponse(200, "3,4").read(GetPoint.self) == GetPoint.Point(x: 3, y: 4))
        #expect(try CannedResponse(200, "3").read(Wrapped<User>.self).bytes == 1)
        #expect(
            "\(try CannedResponse(200, "3").error(of: GetPoint.self))"
                == "GetPoint: the response with status 200 can't be read: NoPoint was thrown")
    }

    @Test("WithHTTPResponse keeps the status and the headers")
    func head() throws {
        let canned = CannedResponse(
            201, Self.ann, fields: ["Link": "</2>; rel=next", "ETag": "W/\"1\""])
        let head = try canned.read(GetUserAndHead.self).httpResponse
        #expect(head.statusCode == 201)
        #expect(head.value(forHTTPHeaderField: "link") == "</2>; rel=next")
        #expect(head.value(forHTTPHeaderField: "ETag") == "W/\"1\"")
    }

    @Test("A response is decoded by the response decoder that the request declares")
    func decoder() throws {
        struct Snake: RequestType {
            static let endpoint = Endpoint<Snake>(method: .get, path: "x")
            struct Response: Decodable { let userName: String }
            static var responseDecoder: JSONDecoder {
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                return decoder
            }
        }
        #expect(
            try CannedResponse(200, #"{"user_name": "ann"}"#).read(Snake.self).userName == "ann")
    }
}

extension ResponseValueTests {
    struct GetNothing: RequestType {
        static let endpoint = Endpoint<GetNothing>(method: .get, path: "x")
        typealias Response = Void
    }
    struct GetAnything: RequestType {
        static let endpoint = Endpoint<GetAnything>(method: .get, path: "x")
        typealias Response = EmptyResponse
    }
    struct GetData: RequestType {
        static let endpoint = Endpoint<GetData>(method: .get, path: "x")
        typealias Response = Data
    }
    struct GetText: RequestType {
        static let endpoint = Endpoint<GetText>(method: .get, path: "x")
        typealias Response = String
    }
    struct GetUser: RequestType {
        static let endpoint = Endpoint<GetUser>(method: .get, path: "x")
        typealias Response = User
    }
    struct GetMaybeUser: RequestType {
        static let endpoint = Endpoint<GetMaybeUser>(method: .get, path: "x")
        typealias Response = User?
    }
    struct GetUsers: RequestType {
        static let endpoint = Endpoint<GetUsers>(method: .get, path: "x")
        typealias Response = [User]
    }
    struct GetNothingAndHead: RequestType {
        static let endpoint = Endpoint<GetNothingAndHead>(method: .get, path: "x")
        typealias Response = WithHTTPResponse<Void>
    }
    struct GetUserAndHead: RequestType {
        static let endpoint = Endpoint<GetUserAndHead>(method: .get, path: "x")
        typealias Response = WithHTTPResponse<User>
    }
    /// A request with a format of its own.
    struct GetPoint: RequestType {
        static let endpoint = Endpoint<GetPoint>(method: .get, path: "x")
        struct Point: Equatable { let x, y: Int }
        struct NoPoint: Error {}

        static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Point {
            let numbers = String(decoding: data, as: UTF8.self).split(separator: ",").compactMap {
                Int($0)
            }
            guard numbers.count == 2 else { throw NoPoint() }
            return Point(x: numbers[0], y: numbers[1])
        }
    }
    /// A request whose own conversion wins over the default of a decodable response.
    struct Wrapped<Item: Decodable>: RequestType {
        static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "x") }
        struct Response: Decodable { let bytes: Int }
        static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
            Response(bytes: data.count)
        }
    }
}
