import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Headers from weak to strong: defaults, the environment's, the common ones of a house's protocol,
/// the declared ones, those that are known only at run time.
@Suite struct HeaderLayerTests {
    struct Call: FlatRequest, Sendable {
        typealias Response = [Int]
        @TaskLocal static var endpoint = Endpoint<Call>(
            method: .post, path: "p", headers: HeaderList(contentsOf: \.moreHeaders))
        var body: [Int]? = [1]
        var value: String?
        var commonHeaders: [Headers: String?] = [:]
        var moreHeaders: [Headers: String?] = [:]
    }

    typealias Row = (
        environment: HeaderDictionary<String>, declared: HeaderList<Call>, call: Call,
        fields: [String: String]
    )

    static let json = "application/json"
    static let defaults = ["Accept": json, "Content-Type": json]

    static let rows: [Row] = [
        // Each layer adds.
        (
            ["X-E": "e"], ["X-D": "d"],
            Call(commonHeaders: ["X-H": "h"], moreHeaders: ["X-C": "c"]),
            defaults.merging(["X-E": "e", "X-D": "d", "X-H": "h", "X-C": "c"]) { $1 }
        ),
        // The same name replaces: the stronger one, in any case.
        (["X": "e"], [:], Call(commonHeaders: ["x": "h"]), defaults.merging(["X": "h"]) { $1 }),
        (["X": "e"], ["x": "d"], Call(), defaults.merging(["x": "d"]) { $1 }),
        ([:], ["X": "d"], Call(commonHeaders: ["x": "h"]), defaults.merging(["X": "d"]) { $1 }),
        (
            [:], ["X": .field(path: \.value)], Call(value: "v", commonHeaders: ["x": "h"]),
            defaults.merging(["X": "v"]) { $1 }
        ),
        (
            ["X": "e"], ["x": "d"],
            Call(commonHeaders: ["X": "h"], moreHeaders: ["X": "c"]),
            defaults.merging(["x": "c"]) { $1 }
        ),
        (
            ["X-A": "e"], [:], Call(moreHeaders: ["x-a": "c"]),
            defaults.merging(["X-A": "c"]) { $1 }
        ),
        // A default is weaker than any of them.
        (["accept": "a/e"], [:], Call(body: nil), ["Accept": "a/e"]),
        ([:], [:], Call(body: nil, commonHeaders: ["accept": "a/h"]), ["Accept": "a/h"]),
        ([:], [.accept: "a/d"], Call(body: nil, commonHeaders: [.accept: "h"]), ["Accept": "a/d"]),
        (["Content-type": "a/e"], [:], Call(), ["Accept": json, "Content-Type": "a/e"]),
        // `nil` leaves a header out, and what weaker layers have of that name.
        ([:], [.accept: nil], Call(body: nil), [:]),
        ([.accept: "a/e"], [.accept: nil], Call(body: nil), [:]),
        ([:], [.accept: .field(path: \.value)], Call(body: nil), [:]),
        ([:], [.contentType: nil], Call(), ["Accept": json]),
        ([:], [.contentType: .field(path: \.value)], Call(), ["Accept": json]),
        (["X": "e"], ["x": .field(path: \.value)], Call(), defaults),
        (["X": "e"], [:], Call(commonHeaders: ["x": nil]), defaults),
        ([:], [:], Call(moreHeaders: ["content-type": nil]), ["Accept": json]),
        ([:], ["X": "d"], Call(moreHeaders: ["x": nil]), defaults),
        // A stronger layer brings it back.
        (
            [:], ["X": nil], Call(commonHeaders: ["X": "h"], moreHeaders: ["X": "c"]),
            defaults.merging(["X": "c"]) { $1 }
        ),
    ]

    @Test(
        "Each layer of headers adds to the weaker ones and replaces the same name", arguments: rows)
    func layers(_ row: Row) throws {
        let environment = ServerEnvironment(
            baseUrl: ServerEnvironment.production.baseUrl, headers: row.environment)
        let endpoint = Endpoint<Call>(
            method: .post, path: "p",
            headers: HeaderList(row.declared, contentsOf: \.moreHeaders))
        let request = try Call.$endpoint.withValue(endpoint) {
            try row.call.urlRequest(in: environment)
        }
        #expect(request.allHTTPHeaderFields ?? [:] == row.fields)
    }

    static let controls: [(environment: HeaderDictionary<String>, call: Call)] = [
        (["X": "a\nb"], Call()), ([:], Call(commonHeaders: ["X": "a\nb"])),
        ([:], Call(moreHeaders: ["X": "a\nb"])),
    ]

    @Test("A header with a control character is refused in each layer", arguments: controls)
    func refused(_ environment: HeaderDictionary<String>, _ call: Call) throws {
        let environment = ServerEnvironment(
            baseUrl: ServerEnvironment.production.baseUrl, headers: environment)
        let error = #expect(throws: EndpointError.self) { try call.urlRequest(in: environment) }
        #expect(error?.field == .header("X"))
    }

    struct Twice: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "g", headers: HeaderList(contentsOf: \.more))
        typealias Response = Void
        let more = ["X-A": "1", "x-a": "2"]
    }

    @Test("A dictionary of texts in which a name is given twice is refused")
    func twice() throws {
        let error = #expect(throws: EndpointError.self) {
            try Twice().urlRequest(in: .production)
        }
        #expect(error?.reason == "is given twice, in names that differ only in case; remove one")
    }

    /// An encoder with a boundary of its own, as a computed property makes one for each use.
    struct Parts: EncoderType {
        let boundary = UUID().uuidString
        var contentType: MIMEType? {
            MIMEType(rawValue: "multipart/form-data; boundary=\(boundary)")
        }
        func encode<Value: Encodable>(_ value: Value) throws -> Data { Data(boundary.utf8) }
    }

    struct Send: FlatRequest {
        let body: [Int]?
        static let endpoint = Endpoint<Self>(method: .post, path: "p")
        typealias Response = Void
        static var bodyEncoder: Parts { Parts() }
    }

    struct SendAlways: FlatRequest {
        let body: [Int]
        var count = 1
        static let endpoint = Endpoint<Self>(
            method: .post, path: "p", headers: ["X": .field(path: \.count)])
        typealias Response = Void
        static var bodyEncoder: Parts { Parts() }
    }

    @Test(
        "Content-Type comes from the encoder that made the body",
        arguments: [Send(body: [1]), SendAlways(body: [1])] as [any RequestType & Sendable])
    func boundary(_ request: any RequestType & Sendable) throws {
        let urlRequest = try urlRequest(of: request)
        let boundary = String(decoding: try #require(urlRequest.httpBody), as: UTF8.self)
        #expect(
            urlRequest.value(forHTTPHeaderField: "Content-Type")
                == "multipart/form-data; boundary=\(boundary)")
    }

    @Test("Hooks and headers of an environment that throw are named in the error")
    func throwing() throws {
        struct Broken: HeaderFields, QueryItems {
            var headerTexts: [HeaderText] { get throws { throw UnrepresentableValue("it broke") } }
            var queryItems: [URLQueryItem] { get throws { throw UnrepresentableValue("it broke") } }
        }
        struct Server: EnvironmentType {
            var baseUrl: URL { ServerEnvironment.production.baseUrl }
            var headers: Broken { Broken() }
        }
        struct Get: FlatRequest {
            static let endpoint = Endpoint<Get>(method: .get, path: "a")
            typealias Environment = Server
            typealias Response = Void
        }
        struct Search: FlatRequest {
            static let endpoint = Endpoint<Search>(
                method: .get, path: "a", parameters: [.query(contentsOf: \.items)])
            typealias Response = Void
            let items = Broken()
        }
        let environment = #expect(throws: EndpointError.self) { try Get().urlRequest(in: Server()) }
        #expect(
            environment?.description
                == "Get: the environment's headers can't be written as text: it broke")
        let query = #expect(throws: EndpointError.self) { try Search().urlRequest(in: .production) }
        #expect(
            query?.description == """
                Search: the property "items" can't be written as text: it broke
                """)
    }

    private func urlRequest<Request: RequestType>(of request: Request) throws -> URLRequest {
        try request.urlRequest(
            in: try #require(ServerEnvironment.production as? Request.Environment))
    }
}
