import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct DefaultHeaderTests {
    struct User: Codable, Sendable {}

    struct Fetch<Response: Decodable>: RequestType {
        static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "f") }
    }

    struct FetchWithHead<Value: Decodable>: RequestType {
        typealias Response = WithHTTPResponse<Value>
        static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "f") }
    }

    struct FetchNothing: RequestType {
        typealias Response = Void
        static let endpoint = Endpoint<FetchNothing>(method: .get, path: "f")
    }

    struct FetchHead: RequestType {
        typealias Response = WithHTTPResponse<Void>
        static let endpoint = Endpoint<FetchHead>(method: .head, path: "f")
    }

    struct Picture { let bytes: Data }
    struct FetchPicture: RequestType {
        static let endpoint = Endpoint<FetchPicture>(method: .get, path: "f")
        static func response(data: Data, httpResponse: HTTPURLResponse) -> Picture {
            Picture(bytes: data)
        }
    }

    struct FetchPropertyList: RequestType {
        typealias Response = User
        static let endpoint = Endpoint<FetchPropertyList>(method: .get, path: "f")
        static let responseDecoder = PropertyListDecoder()
    }

    struct FetchVendor: RequestType {
        typealias Response = User
        static let endpoint = Endpoint<FetchVendor>(
            method: .get, path: "f", headers: [.accept: "application/vnd.github+json"])
    }

    struct FetchAny: RequestType {
        typealias Response = User
        static let endpoint = Endpoint<FetchAny>(method: .get, path: "f", headers: [.accept: nil])
    }

    /// Its response is `Decodable`, but the decoder has no part in it.
    struct FetchConverted: RequestType {
        typealias Response = User
        static let endpoint = Endpoint<FetchConverted>(method: .get, path: "f")
        static func response(data: Data, httpResponse: HTTPURLResponse) -> User { User() }
    }

    struct Remove<Response, ErrorResponse: Decodable & Sendable>: RequestType {
        static var endpoint: Endpoint<Self> { Endpoint(method: .delete, path: "f") }
        static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
            throw UnrepresentableValue("not called")
        }
    }

    struct RemoveWithPropertyList: RequestType {
        typealias Response = Void
        typealias ErrorResponse = User
        static let endpoint = Endpoint<RemoveWithPropertyList>(method: .delete, path: "f")
        static let errorDecoder = PropertyListDecoder()
    }

    static let json = "application/json"

    static let rows: [(request: any RequestType & Sendable, accept: String?)] = [
        (Fetch<User>(), json),
        (Fetch<User?>(), json),
        (Fetch<[User]>(), json),
        (Fetch<[String: Data]>(), json),
        (Fetch<[Data]>(), json),
        (Fetch<Int>(), json),
        (Fetch<Data>(), nil),
        (Fetch<Data?>(), nil),
        (Fetch<String>(), nil),
        (Fetch<String?>(), nil),
        (Fetch<EmptyResponse>(), nil),
        (Fetch<EmptyResponse?>(), nil),
        (FetchWithHead<User>(), json),
        (FetchWithHead<User?>(), json),
        (FetchWithHead<Data>(), nil),
        (FetchWithHead<String?>(), nil),
        (FetchHead(), nil),
        (FetchNothing(), nil),
        (FetchPicture(), nil),
        (FetchPropertyList(), "application/xml"),
        (FetchVendor(), "application/vnd.github+json"),
        (FetchAny(), nil),
        (FetchConverted(), json),
        (Remove<Void, EmptyResponse>(), nil),
        (Remove<Void, User>(), json),
        (Remove<Void, Data>(), nil),
        (Remove<Void, String>(), nil),
        (Remove<WithHTTPResponse<Void>, User>(), json),
        (Remove<EmptyResponse, User>(), json),
        (Remove<EmptyResponse?, User>(), json),
        (Remove<Data, User>(), nil),
        (Remove<String, User>(), nil),
        (Remove<Picture, User>(), nil),
        (RemoveWithPropertyList(), "application/xml"),
    ]

    @Test(
        "Accept is what the decoder reads, or the error decoder of a response that is not read",
        arguments: rows)
    func accept(_ request: any RequestType & Sendable, _ accept: String?) throws {
        let fields = try fields(of: request)
        #expect(fields == (accept.map { ["Accept": $0] } ?? [:]))
    }

    private func fields<Request: RequestType>(of request: Request) throws -> [String: String] {
        let environment = try #require(ServerEnvironment.production as? Request.Environment)
        return try request.urlRequest(in: environment).allHTTPHeaderFields ?? [:]
    }

    @Test("Typed media types are written as Accept and Content-Type")
    func typedMIME() throws {
        let endpoint = Endpoint<Probe>(
            method: .get, path: "f",
            headers: [
                .accept: .fieldValue(value: MIMEType.png),
                .contentType: .fieldValue(value: MIMEType(rawValue: "a/b; c=\"d\"")),
            ])
        let fields = try Probe().urlRequest(of: endpoint).allHTTPHeaderFields
        #expect(fields == ["Accept": "image/png", "Content-Type": "a/b; c=\"d\""])
    }

    struct FetchRange: FlatRequest, Sendable {
        var range: String? = "bytes=0-4"
        var coding: String?
        var prepared: String?
        typealias Response = Data
        static let endpoint = Endpoint<FetchRange>(
            method: .get, path: "f",
            headers: ["range": .field(path: \.range), "accept-encoding": .field(path: \.coding)])

        func prepare(_ request: inout URLRequest) {
            if let prepared { request.setValue(prepared, forHTTPHeaderField: "Range") }
        }
    }

    struct FetchRangeOnly: FlatRequest, Sendable {
        typealias Response = Data
        static let endpoint = Endpoint<FetchRangeOnly>(
            method: .get, path: "f", headers: [.range: "bytes=0-4"])
    }

    @Test(
        "A request with a Range refuses codings, unless it has an Accept-Encoding of its own",
        arguments: [
            (FetchRangeOnly(), "identity"), (FetchRange(), "identity"),
            (FetchRange(coding: "gzip"), "gzip"), (FetchRange(range: nil), nil),
            (FetchRange(range: nil, prepared: "bytes=5-"), "identity"),
            (FetchRange(range: nil, coding: "br", prepared: "bytes=5-"), "br"),
        ] as [(any RequestType<Data> & Sendable, String?)])
    func range(_ request: any RequestType<Data> & Sendable, _ coding: String?) throws {
        #expect(try Self.coding(of: request) == coding)
    }

    private static func coding<Request: RequestType>(of request: Request) throws -> String? {
        let server = ServerEnvironment(baseUrl: try #require(URL(string: "https://h")))
        let environment = try #require(server as? Request.Environment)
        return try request.urlRequest(in: environment)
            .value(forHTTPHeaderField: "Accept-Encoding")
    }
}
