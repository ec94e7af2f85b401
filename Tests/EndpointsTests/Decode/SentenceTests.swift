import Endpoints
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
        }
        let books: [Book]
        let prices: [String: Int]?
        let byNumber: [Int: Book]?
    }

    struct GetShelf: RequestType {
        static let endpoint = Endpoint<GetShelf>(method: .get, path: "x")
        typealias Response = Shelf
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
        (#"{"books": [{"title": "", "pages": 1.5}]}"#, "the content is not valid"),
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
            "the value at `books[0].sold` is not of type Double"
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
