import Endpoints
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct BodyTests {
    struct Send<Body: Encodable & Sendable>: RequestType {
        typealias Response = Void
        static var endpoint: Endpoint<Self> { Endpoint(method: .post, path: "b") }
        let body: Body
    }

    struct Item: Codable, Equatable, Sendable {
        var name = "a/é"
        var note: String??
    }

    static let json = "application/json"
    static let text = "text/plain; charset=utf-8"
    static let bytes = "application/octet-stream"

    typealias Row = (request: any RequestType & Sendable, body: String?, type: String?)

    static let rows: [Row] = [
        (Send(body: EmptyResponse()), nil, nil),
        (Send(body: Item()), #"{"name":"a\/é"}"#, json),
        (Send(body: Item?.some(Item())), #"{"name":"a\/é"}"#, json),
        (Send(body: Item?.none), nil, nil),
        (Send(body: [1, 2]), "[1,2]", json),
        (Send(body: [Int]()), "[]", json),
        (Send(body: [String: Int]()), "{}", json),
        (Send(body: 3), "3", json),
        (Send(body: true), "true", json),
        (Send(body: Data([104, 105, 0])), "hi\u{0}", bytes),
        (Send(body: Data()), "", bytes),
        (Send(body: Data?.some(Data([104]))), "h", bytes),
        (Send(body: Data?.none), nil, nil),
        (Send(body: "h\"i\r\n é"), "h\"i\r\n é", text),
        (Send(body: ""), "", text),
        (Send(body: String?.some("")), "", text),
        (Send(body: String?.none), nil, nil),
        (Send(body: [Data([104])]), #"["aA=="]"#, json),
        (Send(body: Item??.some(.some(Item()))), #"{"name":"a\/é"}"#, json),
        (Send(body: Item??.some(.none)), "null", json),
        (Send(body: Item??.none), nil, nil),
        (Send(body: String??.some(.some("hi"))), "hi", text),
        (Send(body: String??.some(.none)), "null", json),
        (Send(body: Data??.some(.some(Data([104])))), "h", bytes),
        (Send(body: Data??.none), nil, nil),
        (Send(body: EmptyResponse?.some(EmptyResponse())), nil, nil),
        (Send(body: EmptyResponse?.none), nil, nil),
    ]

    @Test("A body's type decides its bytes and its Content-Type", arguments: rows)
    func body(_ row: Row) throws {
        let request = try urlRequest(of: row.request)
        let body = request.httpBody.map { String(decoding: $0, as: UTF8.self) }
        #expect(body == row.body)
        #expect(
            request.allHTTPHeaderFields ?? [:] == (row.type.map { ["Content-Type": $0] } ?? [:]))
    }

    private func urlRequest<Request: RequestType>(of request: Request) throws -> URLRequest {
        let environment = try #require(ServerEnvironment.production as? Request.Environment)
        return try request.urlRequest(in: environment)
    }

    @Test(
        "A double optional in a body tells null from absent",
        arguments: [
            (String??.none, #"{"name":"n"}"#), (.some(nil), #"{"name":"n","note":null}"#),
            ("t", #"{"name":"n","note":"t"}"#),
        ] as [(String??, String)])
    func doubleOptional(_ note: String??, _ json: String) throws {
        let request = try Send(body: Item(name: "n", note: note)).urlRequest(in: .production)
        let body = try #require(request.httpBody)
        let members = try JSONSerialization.jsonObject(with: body) as? NSDictionary
        let expected = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
        #expect(members == expected)
    }

    /// Encodes lines instead of JSON, with or without a media type.
    struct Lines: EncoderType {
        var contentType: MIMEType?
        func encode<Value: Encodable>(_ value: Value) throws -> Data {
            guard let lines = value as? [String] else { throw UnrepresentableValue("no lines") }
            return Data(lines.joined(separator: "\n").utf8)
        }
    }

    struct SendLines: FlatRequest {
        typealias Response = Void
        @TaskLocal static var bodyEncoder = Lines()
        @TaskLocal static var endpoint = Endpoint<SendLines>(method: .post, path: "l")
        var body: [String]?
        var type: String?
        static func make(_ headers: HeaderList<SendLines> = [:]) -> Endpoint<SendLines> {
            Endpoint(method: .post, path: "l", headers: headers)
        }
    }

    typealias LinesRow = (type: MIMEType?, headers: HeaderList<SendLines>, fields: [String: String])

    static let encoders: [LinesRow] = [
        (nil, [:], [:]),
        ("text/x-lines", [:], ["Content-Type": "text/x-lines"]),
        (
            "text/x-lines", [.contentType: .fieldValue(value: MIMEType.csv)],
            ["Content-Type": "text/csv"]
        ),
        (nil, [.contentType: .fieldValue(value: MIMEType.csv)], ["Content-Type": "text/csv"]),
        (nil, [.contentType: .field(path: \.type)], [:]),
        ("", [:], ["Content-Type": ""]),
    ]

    @Test(
        "A declared Content-Type wins over the encoder's; an encoder's nil sets none",
        arguments: encoders)
    func encoder(_ row: LinesRow) throws {
        try SendLines.$bodyEncoder.withValue(Lines(contentType: row.type)) {
            try SendLines.$endpoint.withValue(SendLines.make(row.headers)) {
                let request = try SendLines(body: ["a", "b"]).urlRequest(in: .production)
                #expect(request.httpBody == Data("a\nb".utf8))
                #expect(request.allHTTPHeaderFields ?? [:] == row.fields)
            }
        }
    }

    @Test("An encoder's content type with a line break is refused")
    func encoderInjection() throws {
        SendLines.$bodyEncoder.withValue(Lines(contentType: "a/b\r\nX-Evil: 1")) {
            SendLines.$endpoint.withValue(SendLines.make()) {
                let error = #expect(throws: EndpointError.self) {
                    try SendLines(body: ["a"]).urlRequest(in: .production)
                }
                #expect(
                    error?.description == """
                        SendLines: the header "Content-Type" has a control character, such as a \
                        line break; remove it
                        """)
            }
        }
    }

    struct SendWithoutNull: RequestType {
        typealias Response = Void
        static let endpoint = Endpoint<SendWithoutNull>(method: .post, path: "b")
        static var bodyEncoder: JSONEncoder {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            return encoder
        }
        struct Body: Encodable { let firstName: String }
        let body: Body
    }

    @Test("A body goes through the request type's own encoder")
    func ownEncoder() throws {
        let request = try SendWithoutNull(body: .init(firstName: "A")).urlRequest(in: .production)
        #expect(request.httpBody == Data(#"{"first_name":"A"}"#.utf8))
    }

    @Test("A property list encoder names its format's media type")
    func propertyList() {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        #expect(encoder.contentType == .xml)
        encoder.outputFormat = .binary
        #expect(encoder.contentType == .octetStream)
        #expect(PropertyListDecoder().contentType == .xml)
    }

    struct SendList: FlatRequest {
        let body: [String: Int]?
        let isBinary: Bool
        static let endpoint = Endpoint<Self>(method: .post, path: "p")
        typealias Response = Void
        static var bodyEncoder: PropertyListEncoder { PropertyListEncoder() }
        var bodyEncoder: PropertyListEncoder {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = isBinary ? .binary : .xml
            return encoder
        }
    }

    @Test(
        "A property list is labelled by the format in which its encoder has written it",
        arguments: [
            (true, "application/octet-stream", "bplist"), (false, "application/xml", "<?xml"),
        ])
    func propertyListBody(_ isBinary: Bool, _ contentType: String, _ beginning: String) throws {
        let request = try SendList(body: ["a": 1], isBinary: isBinary).urlRequest(in: .production)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == contentType)
        #expect(request.httpBody?.starts(with: Data(beginning.utf8)) == true)
    }
}
