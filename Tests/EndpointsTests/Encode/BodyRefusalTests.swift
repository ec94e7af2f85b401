import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct BodyRefusalTests {
    struct Send<Body: Encodable & Sendable>: RequestType, Sendable {
        typealias Response = Void
        static var endpoint: Endpoint<Self> { Endpoint(method: .post, path: "b") }
        let body: Body
    }

    struct Order: Encodable, Sendable {
        var items = [Item()]
        var note: Note?
        var prices: [String: Double] = [:]
    }

    struct Item: Encodable, Sendable { var price = 0.5 }

    /// A value whose encoding throws its error.
    struct Note: Encodable, Sendable {
        let error: any Error
        func encode(to encoder: any Encoder) throws { throw error }
    }

    static let file = URL(fileURLWithPath: "/s3cr3t/a.png")

    /// Requests whose bodies have the URL of a file, and the field that the error names.
    static let files: [(make: @Sendable () throws -> URLRequest, field: String)] = [
        ({ try Send(body: file).urlRequest(in: .production) }, "the body"),
        ({ try Send(body: Optional(file)).urlRequest(in: .production) }, "the body"),
        ({ try Send(body: [file]).urlRequest(in: .production) }, "the body"),
        ({ try Send(body: ["a": file]).urlRequest(in: .production) }, "the body"),
        (
            {
                try Send(body: Multipart([.value("photo", file)])).urlRequest(in: .production)
            }, "the part \"photo\""
        ),
        ({ try SendPart().urlRequest(in: .production) }, "the part \"photo\""),
    ]

    struct SendPart: FlatRequest {
        var photo = BodyRefusalTests.file
        static let endpoint = Endpoint<Self>(
            method: .post, path: "b", parameters: [.part("photo", path: \.photo, encoding: .json)])
        typealias Response = Void
    }

    @Test("The URL of a file as a body is an error that names File", arguments: files)
    func fileURL(_ row: (make: @Sendable () throws -> URLRequest, field: String)) {
        let error = #expect(throws: EndpointError.self) { try row.make() }
        #expect(
            error?.description.hasSuffix(
                "\(row.field) is the URL of a file; declare it as a File, so that the file is sent")
                == true, "\(error?.description ?? "")")
    }

    @Test("Another URL as a body is sent as text in JSON")
    func webURL() throws {
        let url = try #require(URL(string: "https://h/a"))
        let body = try Send(body: url).urlRequest(in: .production).httpBody
        #expect(body.map { String(decoding: $0, as: UTF8.self) } == #""https:\/\/h\/a""#)
    }

    struct Plain: Error {}
    struct Worded: LocalizedError { var errorDescription: String? { "the note has no author" } }

    typealias Row = (body: Order, reason: String)

    static let rows: [Row] = [
        (
            Order(items: [Item(), Item(price: .nan)]),
            "the number at `items[1].price` is not finite; use a finite one, or an encoder that writes it"
        ),
        (
            Order(prices: ["s3cr3t": .infinity]),
            "the number at `prices[…]` is not finite; use a finite one, or an encoder that writes it"
        ),
        (Order(note: Note(error: Plain())), "Plain was thrown"),
        (Order(note: Note(error: Worded())), "the note has no author"),
        (Order(note: Note(error: UnrepresentableValue("the note is long"))), "the note is long"),
    ]

    @Test(
        "The text of a body encoder's failure shows no value, and its error is kept",
        arguments: rows)
    func encoder(_ row: Row) throws {
        let error = #expect(throws: EndpointError.self) {
            try Send(body: row.body).urlRequest(in: .production)
        }
        #expect(error?.description == "Send<Order>: the body could not be encoded: \(row.reason)")
        #expect(error?.field == .body)
        #expect(error?.cause != nil)
        let optional = #expect(throws: EndpointError.self) {
            try Send(body: Optional(row.body)).urlRequest(in: .production)
        }
        #expect(optional?.reason == "could not be encoded: \(row.reason)")
    }

    @Test("The cause of a body that can't be encoded is the encoder's own error")
    func cause() throws {
        let error = #expect(throws: EndpointError.self) {
            try Send(body: Item(price: .nan)).urlRequest(in: .production)
        }
        guard case EncodingError.invalidValue(_, let context)? = error?.cause else {
            Issue.record("the cause is no EncodingError")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["price"])
    }
}
