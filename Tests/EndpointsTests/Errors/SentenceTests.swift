import Endpoints
import EndpointsFormats
import EndpointsStreams
import Foundation
import Testing

@Suite("Texts of parse errors")
struct SentenceTests {
    @Test("A date that isn't ISO 8601 is named as a date")
    func date() throws {
        struct GetDates: FlatRequest {
            struct Dates: Decodable { let day: Date }
            static let endpoint = Endpoint<Self>(method: .get, path: "x")
            typealias Response = [String: Dates]
            static var responseDecoder: JSONDecoder {
                let decoder = JSONDecoder()
                decoder.dateDecodingStrategy = .iso8601
                return decoder
            }
        }
        let error = try CannedResponse(200, #"{"s3cret": {"day": "s3cret"}}"#)
            .error(of: GetDates.self)
        #expect(error.description.contains(": a date in the value at `[…]"))
        #expect(
            error.description.hasSuffix(
                " is not like 2026-03-01T00:00:00Z; set another dateDecodingStrategy"))
        #expect(!error.description.contains("s3cret"))
    }

    struct Shelf: Decodable {
        struct Book: Decodable {
            let title: String
            let pages: Int
            let sold: Date?
            let link: URL?
            let weight: Float?
            let shelf: Shelf.Number?
            let stars: [UInt8?]?
        }
        enum Number: Int, Decodable { case first = 1 }
        let books: [Book]
        let prices: [String: Int]?
        let byNumber: [Int: Book]?
    }

    struct GetShelf: RequestType {
        static let endpoint = Endpoint<GetShelf>(method: .get, path: "x")
        typealias Response = Shelf
    }

    static func unfit(_ place: String, _ type: String) -> String {
        "the value at `\(place)` is not a number that fits in \(type); declare a type that holds it"
    }

    static let noDate =
        "is not a date as the decoder reads it; set its dateDecodingStrategy, such as `.iso8601`"

    struct GetISODates: RequestType {
        static let endpoint = Endpoint<Self>(method: .get, path: "x")
        typealias Response = [Date]
        static var responseDecoder: JSONDecoder {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return decoder
        }
    }

    @Test(
        "A date that the decoder reads in another form is named as a date, wherever it is",
        arguments: [
            (Reader(Fetch<Date>.self), #""2026-01-01T00:00:00Z""#, "at the top"),
            (Reader(Fetch<Date?>.self), #""2026-01-01T00:00:00Z""#, "at the top"),
            (Reader(Fetch<[Date]>.self), #"[1, "2026-01-01"]"#, "at `[1]`"),
            (Reader(GetISODates.self), "[1767225600]", "at `[0]`"),
        ])
    func dateOfAnotherForm(_ reader: Reader, _ body: String, _ place: String) {
        let outcome = reader.outcome(CannedResponse(200, body))
        #expect(outcome.hasSuffix("the value \(place) \(Self.noDate)"), "\(outcome)")
    }

    @Test(
        "A value that isn't the number or the text of its type is named by that type",
        arguments: [
            (Reader(Fetch<Double>.self), #""1""#, "Double"),
            (Reader(Fetch<[String: String]>.self), #"{"a": 1}"#, "String"),
        ])
    func otherType(_ reader: Reader, _ body: String, _ type: String) {
        #expect(reader.outcome(CannedResponse(200, body)).hasSuffix("is not of type \(type)"))
    }

    static let bodies: [(body: String, sentence: String)] = [
        (
            #"{"books": [{"title": "s3cret", "pages": 1}, {"pages": 2}]}"#,
            "the value at `books[1].title` is missing"
        ),
        (
            #"{"books": [{"title": "s3cret", "pages": "s3cret"}]}"#,
            "the value at `books[0].pages` is not of type Int"
        ),
        (
            #"{"books": [{"title": null, "pages": 1}]}"#,
            "the value at `books[0].title` is null or missing"
        ),
        (#"{"books": [{"title": "", "pages": 14777.5}]}"#, unfit("books[0].pages", "Int")),
        (
            #"{"books": [{"title": "", "pages": 9223372036854775808}]}"#,
            unfit("books[0].pages", "Int")
        ),
        (
            #"{"books": [{"title": "", "pages": 1}, {"title": "", "pages": -1e40}]}"#,
            unfit("books[1].pages", "Int")
        ),
        (
            #"{"books": [{"title": "", "pages": 1, "weight": 1e400}]}"#,
            unfit("books[0].weight", "Float")
        ),
        (
            #"{"books": [{"title": "", "pages": 1, "shelf": 1.5}]}"#,
            unfit("books[0].shelf", "Int")
        ),
        (
            #"{"books": [{"title": "", "pages": 1, "stars": [5, null, 256]}]}"#,
            unfit("books[0].stars[2]", "UInt8")
        ),
        (#"{"books": [], "prices": {"s3cret": 1.5}}"#, unfit("prices[…]", "Int")),
        (
            #"{"books": [], "byNumber": {"4111": {"title": "", "pages": 1.5}}}"#,
            unfit("byNumber[…].pages", "Int")
        ),
        (
            #"{"books": [{"title": "", "pages": 1, "sold": 1e400}]}"#,
            "the value at `books[0].sold` is not valid"
        ),
        (
            #"{"books": [{"title": "s3cret\x", "pages": 1}]}"#,
            "the value at `books[0].title` is not valid"
        ),
        (
            #"{"books": [], "prices": {"s3cret": "s3cret"}}"#,
            "the value at `prices[…]` is not of type Int"
        ),
        (
            #"{"books": [], "prices": {"4111111111111111": "s3cret"}}"#,
            "the value at `prices[…]` is not of type Int"
        ),
        (
            #"{"books": [], "prices": {"Index 3": "s3cret"}}"#,
            "the value at `prices[…]` is not of type Int"
        ),
        (
            #"{"books": [], "byNumber": {"4111": {"title": "", "pages": "s3cret"}}}"#,
            "the value at `byNumber[…].pages` is not of type Int"
        ),
        (
            #"{"books": [], "byNumber": {"s3cret": {}}}"#,
            "the value at `byNumber[…]` is not of type Int"
        ),
        (
            #"{"books": [{"title": "", "pages": 1, "sold": "s3cret"}]}"#,
            "the value at `books[0].sold` \(noDate)"
        ),
        (
            #"{"books": [{"title": "", "pages": 1, "link": ""}]}"#,
            "the value at `books[0].link` is not valid"
        ),
        (#"[]"#, "the value at the top is not an object"),
        (#""s3cret""#, "the value at the top is not an object"),
        ("<html>s3cret", "the content is not valid"),
        (#"{"books": ["#, "the content is not valid"),
    ]

    @Test(
        "A number that doesn't fit its type is named by its place, whatever decodes it",
        arguments: [
            (Reader(Fetch<UInt8>.self), "300", "at the top", "UInt8"),
            (Reader(Fetch<UInt8?>.self), "300", "at the top", "UInt8"),
            (Reader(Fetch<[Int]>.self), "[1, 2.5]", "at `[1]`", "Int"),
            (Reader(Fetch<User>.self), #"{"id": 1.5, "name": ""}"#, "at `id`", "Int"),
            (Reader(Fetch<[[Float]?]>.self), "[null, [1e39]]", "at `[1][0]`", "Float"),
            (Reader(Fetch<[Decimal]>.self), "[1, 1e999]", "at `[1]`", "Decimal"),
            (Reader(FetchWithHead<User>.self), #"{"id": 1.5, "name": ""}"#, "at `id`", "Int"),
            (
                Reader(GetBelow.self), #"{"data": {"user": {"id": 1.5, "name": ""}}}"#,
                "at `data.user.id`", "Int"
            ),
        ])
    func number(reader: Reader, body: String, place: String, type: String) {
        #expect(
            reader.outcome(CannedResponse(200, body))
                == "\(reader.testDescription): the response with status 200 can't be read: the value "
                + "\(place) is not a number that fits in \(type); declare a type that holds it")
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    struct Wide: Decodable {
        let small: Int128
        let large: UInt128
        let byte: UInt8
    }

    @Test(
        "A number that doesn't fit is named among integers of 128 bits, too",
        arguments: [
            (#"{"small": 1e39, "large": 1, "byte": 1}"#, "small", "Int128"),
            (#"{"small": 1, "large": -1, "byte": 1}"#, "large", "UInt128"),
            (#"{"small": 1, "large": 1, "byte": 256}"#, "byte", "UInt8"),
        ])
    func wide(body: String, place: String, type: String) {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        for reader in [Reader(Fetch<Wide>.self), Reader(Fetch<[Wide]>.self)] {
            let isList = reader.testDescription.contains("Array")
            let outcome = reader.outcome(CannedResponse(200, isList ? "[\(body)]" : body))
            #expect(outcome.hasSuffix(Self.unfit(isList ? "[0].\(place)" : place, type)))
        }
    }

    struct GetStream<Stream: StreamedResponse>: RequestType {
        static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "x") }
        typealias Response = Stream
    }

    struct GetBelow: RequestType {
        static let endpoint = Endpoint<Self>(method: .get, path: "x")
        typealias Response = User
        static let responseDecoder = JSONDecoder().below("data", "user")
    }

    @Test("A number that doesn't fit is named in an error response and in an element of a stream")
    func numberElsewhere() async throws {
        struct Failing: RequestType {
            static let endpoint = Endpoint<Self>(method: .get, path: "x")
            typealias Response = Void
            typealias ErrorResponse = User
        }
        let refused = try CannedResponse(400, #"{"id": 1.5, "name": ""}"#).error(of: Failing.self)
        #expect("\(refused)".hasSuffix(Self.unfit("id", "Int")))
        for (text, fields) in [
            (#"{"id": 1, "name": ""}"# + "\n" + #"{"id": 1e30, "name": ""}"#, [:]),
            (
                #"data: {"id": 1, "name": ""}"# + "\n\n" + #"data: {"id": 1e30, "name": ""}"#
                    + "\n\n",
                ["Content-Type": "text/event-stream"]
            ),
        ] {
            let canned = CannedResponse(200, text, fields: fields)
            let error = await #expect(throws: StreamError.self) {
                if fields.isEmpty {
                    for try await _ in try canned.read(GetStream<JSONLines<User>>.self) {}
                } else {
                    for try await _ in try canned.read(GetStream<EventStream<User>>.self) {}
                }
            }
            #expect(error?.description.hasSuffix(Self.unfit("id", "Int")) == true)
        }
        let event = ServerSentEvent(data: #"{"id": 1.5, "name": ""}"#)
        let error = #expect(throws: DecodingError.self) { try event.decode(User.self) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["id"])
    }

    @Test(
        "A coding that isn't decoded is named where the content can't be read",
        arguments: [
            ("aws-chunked", "; its Content-Encoding is \"aws-chunked\", which is not decoded"),
            ("UTF-8", "; its Content-Encoding is \"utf-8\", which is not decoded"),
            (
                "aws-chunked, gzip",
                "; its Content-Encoding is \"aws-chunked, gzip\", which is not decoded"
            ),
            ("gzip", ""), ("br, identity", ""), ("", ""), ("s3cret value; x=1", ""),
        ])
    func coding(field: String, end: String) throws {
        let canned = CannedResponse(200, "3\r\n{}", fields: ["Content-Encoding": field])
        let error = try canned.error(of: Fetch<User>.self)
        #expect("\(error)".hasSuffix("can't be read: the content is not valid\(end)"))
        let readable = CannedResponse(200, #"{"id": 1, "name": ""}"#, fields: canned.fields)
        #expect(try readable.read(Fetch<User>.self).id == 1)
    }

    @Test("An error of a type's own init keeps its words and gets its place")
    func ownError() throws {
        struct Own: Decodable {
            init(from decoder: any Decoder) throws {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "own"))
            }
        }
        struct Outer: Decodable { let own: Own }
        let error = try CannedResponse(200, #"{"own": 1}"#).error(of: Fetch<Outer>.self)
        #expect("\(error)".hasSuffix("the value at `own` is not valid"))
    }

    /// A value whose keys come from the response.
    struct Anyhow: Decodable {
        private struct Key: CodingKey {
            let stringValue: String
            let intValue: Int? = nil
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            for key in container.allKeys { _ = try container.decode(Int.self, forKey: key) }
        }
    }

    /// A value whose keys come from the response, as enum cases with a value.
    struct Anything: Decodable {
        private enum Key: CodingKey {
            case any(String)
            var stringValue: String {
                switch self {
                case .any(let name): name
                }
            }
            var intValue: Int? { nil }
            init(stringValue: String) { self = .any(stringValue) }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            for key in container.allKeys { _ = try container.decode(Int.self, forKey: key) }
        }
    }

    @Test("The text of a parse error shows no key that the server chose")
    func dynamicKey() throws {
        #expect(
            "\(try CannedResponse(200, #"{"s3cret": "x"}"#).error(of: Fetch<Anything>.self))"
                == "Fetch<Anything>: the response with status 200 can't be read: "
                + "the value at `[…]` is not of type Int")
        #expect(
            "\(try CannedResponse(200, #"{"s3cret": "x"}"#).error(of: Fetch<Anyhow>.self))"
                == "Fetch<Anyhow>: the response with status 200 can't be read: the value at `[…]` is not of type Int"
        )
    }

    @Test(
        "The text of a parse error names the place in the body, never the value there",
        arguments: bodies)
    func place(row: (body: String, sentence: String)) throws {
        let error = try CannedResponse(200, row.body).error(of: GetShelf.self)
        #expect(
            "\(error)" == "GetShelf: the response with status 200 can't be read: \(row.sentence)")
        #expect(error.localizedDescription == "\(error)")
    }
}
