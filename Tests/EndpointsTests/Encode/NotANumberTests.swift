import Endpoints
import EndpointsFormats
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Numbers and dates that no text stands for, in each position.
@Suite("Values that aren't numbers")
struct NotANumberTests {
    struct Post<Body: Encodable & Sendable>: FlatRequest, Sendable {
        let body: Body
        static var endpoint: Endpoint<Self> { .once(Endpoint(method: .post, path: "a")) }
        typealias Response = Void
    }

    struct Price: Encodable, Sendable {
        var name = "a"
        var price: Decimal
    }

    struct Items: FlatRequest {
        var number = Decimal(1)
        var price = Price(price: 1)
        var prices: [Price] = []
        static let endpoint = Endpoint<Self>(
            method: .post, path: "a/\(path: \.number)",
            parameters: [
                .query("number", path: \.number), .query("p", path: \.price, encoding: .json),
                .part("part", path: \.price, encoding: .json),
                .part("parts", path: \.prices, encoding: .jsonElements),
            ], headers: ["X-Number": .field(path: \.number)])
        typealias Response = Void
    }

    typealias Make = @Sendable () throws -> URLRequest

    private static func post(_ body: some Encodable & Sendable) -> Make {
        { try Post(body: body).urlRequest(in: .production) }
    }

    private static let decimal = "a Decimal is not a number; use a finite one, or nil"
    private static let number = "the number is not finite; use a finite one, or nil"

    static let refused: [(text: String, make: Make)] = [
        ("the body could not be encoded: \(decimal)", post(Price(price: .nan))),
        ("the body could not be encoded: \(decimal)", post(Price(name: #"N\"NaN"#, price: .nan))),
        ("the body could not be encoded: \(decimal)", post([Decimal.nan: 1])),
        ("the body could not be encoded: \(decimal)", post(["NaN": [1, Decimal.nan]])),
        ("the body could not be encoded: \(decimal)", post(Optional(Price(price: .nan)))),
        (
            "the body could not be encoded: the number at `[…]` is not finite",
            post(["a": JSONValue.decimal(.nan)])
        ),
        (
            "the body could not be encoded: the number at `[…]` is not finite",
            post(["a": JSONValue.number(.nan)])
        ),
        (
            "the body could not be encoded: the number at `[0]` is not finite",
            post([CGFloat.infinity])
        ),
        (
            "the body could not be encoded: the number at `[0]` is not finite",
            post([-Float.infinity])
        ),
        (
            #"the query item "p" can't be written as text: \#(decimal)"#,
            { try Items(price: Price(price: .nan)).urlRequest(in: .production) }
        ),
        (
            #"the part "parts" can't be written as text: \#(decimal)"#,
            { try Items(prices: [Price(price: .nan)]).urlRequest(in: .production) }
        ),
        (
            #"the path value "number" can't be written as text: \#(number)"#,
            { try Items(number: .nan).urlRequest(in: .production) }
        ),
    ]

    @Test(
        "A value that isn't a number is an error, and no invalid JSON is sent", arguments: refused)
    func refusal(row: (text: String, make: Make)) {
        let error = #expect(throws: EndpointError.self) { try row.make() }
        let text = error.map { "\($0.field) \($0.reason)" } ?? ""
        #expect(text.hasPrefix(row.text), "\(text)")
    }

    static let sent: [(body: String, make: Make)] = [
        (#"{"name":"NaN \"NaN\" N","price":1.5}"#, post(Price(name: #"NaN "NaN" N"#, price: 1.5))),
        (#"["NaN","N"]"#, post(["NaN", "N"])),
        (#"{"NaN\\":"N"}"#, post([#"NaN\"#: "N"])),
    ]

    @Test("The word NaN in a text is sent", arguments: sent)
    func sentBody(row: (body: String, make: Make)) throws {
        let data = try #require(try row.make().httpBody)
        let sent = try JSONDecoder().decode(JSONValue.self, from: data)
        #expect(try sent == JSONDecoder().decode(JSONValue.self, from: Data(row.body.utf8)))
    }
}
