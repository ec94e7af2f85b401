import Endpoints
import EndpointsFormats
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct FormRequestTests {
    struct Item: Encodable, Sendable { var price = 1.5 }

    struct CreateOrder: FlatRequest {
        struct Content: Encodable {
            var items = [Item()]
            var metadata = ["a b": "c"]
        }
        let body: Content?
        static let endpoint = Endpoint<CreateOrder>(method: .post, path: "orders")
        static let bodyEncoder = FormEncoder()
        typealias Response = Void
    }

    @Test("A body that goes through a form encoder is sent with its content type")
    func body() throws {
        let request = try CreateOrder(body: .init()).urlRequest(in: .production)
        let body = String(decoding: try #require(request.httpBody), as: UTF8.self)
        #expect(body == "items%5B0%5D%5Bprice%5D=1.5&metadata%5Ba+b%5D=c")
        #expect(
            request.value(forHTTPHeaderField: "Content-Type")
                == "application/x-www-form-urlencoded")
    }

    @Test("An optional body that is nil is not sent by a form encoder")
    func noBody() throws {
        let request = try CreateOrder(body: nil).urlRequest(in: .production)
        #expect(request.httpBody == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test("The error for a body that can't be a form names its place and doesn't show it")
    func refusal() {
        let error = #expect(throws: EndpointError.self) {
            try CreateOrder(body: .init(items: [Item(price: .nan)])).urlRequest(in: .production)
        }
        #expect(error?.field == .body)
        #expect(
            error?.description == """
                CreateOrder: the body could not be encoded: at `items[0].price`, the number is \
                not finite; use a finite one, or nil
                """)
    }

    struct Search: FlatRequest {
        struct Filter: Encodable, Sendable {
            var open = true
            var within: [String: Int] = ["from": 1, "to": 2]
            var tags = ["x", "y z"]
            var limit: Double? = nil
        }
        typealias Response = Void
        @TaskLocal static var endpoint = Endpoint<Search>(method: .post, path: "s")
        var filter = Filter()
        var maybe: Filter?
        var items = [Item(), Item(price: 2)]
        var numbers = [1, 2]
        var text = "t"

        fileprivate func request(_ parameter: Parameter<Search>) throws -> URLRequest {
            let endpoint = Endpoint<Search>(method: .post, path: "s", parameters: [parameter])
            return try Search.$endpoint.withValue(endpoint) {
                try urlRequest(in: ServerEnvironment(at: "https://h"))
            }
        }
    }

    private static let indices = ParameterEncoding.brackets(
        by: FormEncoder(arrayEncodingStrategy: .indices, boolEncodingStrategy: .numeric))
    private static let repeated = ParameterEncoding.brackets(
        by: FormEncoder(arrayEncodingStrategy: .repeated))

    typealias Row = (query: Parameter<Search>, form: Parameter<Search>, text: String)

    private static func row<Value: Encodable & SendableMetatype>(
        _ path: KeyPath<Search, Value> & Sendable, _ encoding: ParameterEncoding, _ text: String
    ) -> Row {
        (
            .query("f", path: path, encoding: encoding), .form("f", path: path, encoding: encoding),
            text
        )
    }

    static let rows: [Row] = [
        row(
            \.filter, .brackets,
            "f[open]=true&f[within][from]=1&f[within][to]=2&f[tags][]=x&f[tags][]=y z"),
        row(
            \.filter, indices,
            "f[open]=1&f[within][from]=1&f[within][to]=2&f[tags][0]=x&f[tags][1]=y z"),
        row(
            \.filter, repeated,
            "f[open]=true&f[within][from]=1&f[within][to]=2&f[tags]=x&f[tags]=y z"),
        row(\.filter.within, .brackets, "f[from]=1&f[to]=2"),
        row(\.maybe, .brackets, ""),
        row(\.items, .brackets, "f[0][price]=1.5&f[1][price]=2.0"),
        row(\.numbers, .brackets, "f[]=1&f[]=2"),
        row(\.numbers, indices, "f[0]=1&f[1]=2"),
        row(\.numbers, repeated, "f=1&f=2"),
        row(\.text, .brackets, "f=t"),
    ]

    @Test("A parameter is nested in brackets, in a query and in a form alike", arguments: rows)
    func parameter(_ row: Row) throws {
        let escaped = row.text.replacingOccurrences(of: "[", with: "%5B")
            .replacingOccurrences(of: "]", with: "%5D")
        let url = try Search().request(row.query).url?.absoluteString
        let query = escaped.replacingOccurrences(of: " ", with: "%20")
        #expect(url == "https://h/s" + (query.isEmpty ? "" : "?" + query))
        let body = try #require(try Search().request(row.form).httpBody)
        #expect(
            String(decoding: body, as: UTF8.self)
                == escaped.replacingOccurrences(of: " ", with: "+"))
    }

    @Test("The error for a nested parameter without a text names its place and doesn't show it")
    func parameterRefusal() {
        let values = Search(filter: .init(limit: .infinity))
        let error = #expect(throws: EndpointError.self) {
            try values.request(.query("f", path: \.filter, encoding: .brackets))
        }
        #expect(
            error?.description
                == #"Search: the query item "f" can't be written as text: at `limit`, the number is not finite; use a finite one, or nil"#
        )
    }
}
