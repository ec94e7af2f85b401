import Endpoints
import EndpointsFormats
import EndpointsTesting
import Foundation
import Testing

@Suite("Values spread over the query or the form")
struct SpreadingTests {
    struct Filter: Encodable {
        enum State: String, Encodable { case open, closed }
        struct Range: Encodable { var from: Int? }
        var state: State?
        var labels: [String]?
        var perPage: Int?
        var since: Date?
        var isMine: Bool?
        var range: Range?
        var ranges: [Range]?
        var pairs: [[Int]]?
        var names: [String: String]?
    }

    struct List: FlatRequest {
        var page = 1
        var filter: Filter?
        static let endpoint = Endpoint<Self>(
            method: .get, path: "items",
            parameters: [.query(spreading: \.filter), .query("page", path: \.page)])
        typealias Response = Void
    }

    static let filters: [(filter: Filter?, query: String)] = [
        (nil, "page=1"),
        (Filter(), "page=1"),
        (Filter(labels: []), "page=1"),
        (
            Filter(state: .open, labels: ["a&b", "é"]),
            "state=open&labels=a%26b&labels=%C3%A9&page=1"
        ),
        (
            Filter(perPage: 20, since: Date(timeIntervalSince1970: 0), isMine: false),
            "perPage=20&since=1970-01-01T00:00:00Z&isMine=false&page=1"
        ),
        (Filter(range: Filter.Range(), ranges: [], names: [:]), "page=1"),
    ]

    @Test("Each property of the value is an item under its own name", arguments: filters)
    func query(row: (filter: Filter?, query: String)) throws {
        let list = List(filter: row.filter)
        let url = try list.urlRequest(in: .production).url
        #expect(url?.absoluteString.hasSuffix("/items?\(row.query)") == true)
        #expect(list.problems.isEmpty)
    }

    static let nested: [(filter: Filter, name: String)] = [
        (Filter(range: Filter.Range(from: 1)), "range"),
        (Filter(ranges: [Filter.Range(from: 1)]), "ranges"),
        (Filter(pairs: [[1], [2]]), "pairs"),
        (Filter(names: ["a": "b"]), "names"),
    ]

    @Test("A property with values of its own is refused by its name", arguments: nested)
    func refused(row: (filter: Filter, name: String)) {
        let error = #expect(throws: EndpointError.self) {
            try List(filter: row.filter).urlRequest(in: .production)
        }
        #expect(
            error?.description == """
                List: the property "filter" can't be written as text: its "\(row.name)" has values \
                of its own; make that a property of the request, and write \
                .query(name, path:, encoding:) for it
                """)
    }

    struct Send<Value: Encodable & Sendable>: FlatRequest {
        let value: Value
        static var endpoint: Endpoint<Self> {
            Endpoint(
                method: .post, path: "items",
                parameters: [
                    .form(
                        spreading: \.value,
                        by: FormEncoder(
                            arrayEncodingStrategy: .brackets,
                            keyEncodingStrategy: .convertToSnakeCase,
                            boolEncodingStrategy: .numeric))
                ])
        }
        typealias Response = Void
    }

    @Test("The fields of a form are written as by the given encoder")
    func form() throws {
        func body(_ value: some Encodable & Sendable) throws -> String {
            let request = try Send(value: value).urlRequest(in: .production)
            return String(decoding: request.httpBody ?? Data(), as: UTF8.self)
        }
        #expect(
            try body(Filter(labels: ["a", "b"], perPage: 5, isMine: true))
                == "labels%5B%5D=a&labels%5B%5D=b&per_page=5&is_mine=1")
        #expect(try body(["b": "2", "a": "1 x"]) == "a=1+x&b=2")
        #expect(try body([String: Int]()) == "")
    }

    @Test("A value without names can't be spread")
    func withoutNames() {
        for error in [
            #expect(throws: EndpointError.self) {
                try Send(value: 3).urlRequest(in: .production)
            },
            #expect(throws: EndpointError.self) {
                try Send(value: ["a"]).urlRequest(in: .production)
            },
        ] {
            #expect(error?.field == .property("value"))
            #expect(error?.reason.contains("its value has no names; spread a struct") == true)
        }
    }
}
