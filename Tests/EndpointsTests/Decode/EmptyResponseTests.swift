import Endpoints
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Responses without content")
struct EmptyResponseTests {
    /// A type and its value without content; `nil` is the error.
    struct Row: Sendable {
        let get: Reader
        let head: Reader
        let value: String?

        init<Value: Decodable>(_ type: Value.Type, _ value: String?) {
            (get, head) = (Reader(Revalidate<Value>.self), Reader(Peek<Value>.self))
            self.value = value
        }

        /// The expected value of a request type.
        func expected(_ reader: Reader, _ status: Int) -> String {
            value ?? """
                \(reader.testDescription): the response with status \(status) can't be read: \
                there is no content; declare the Response as an optional or as Void
                """
        }
    }

    static let rows =
        [
            Row(EmptyResponse.self, "EmptyResponse()"), Row(EmptyResponse?.self, "nil"),
            Row(Data.self, "0 bytes"), Row(Data?.self, "nil"),
            Row(String.self, nil), Row(String?.self, "nil"),
        ] + decoded

    /// The types that a decoder makes.
    static let decoded = [
        Row(User.self, nil), Row(User?.self, "nil"), Row(User??.self, "nil"),
        Row([User].self, nil), Row([User]?.self, "nil"), Row(Bool.self, nil), Row(Int?.self, "nil"),
    ]

    @Test(
        "A response without content decodes as nil, empty or an error, by its type",
        arguments: rows, ["", #"{"id": 1, "name": "Ann"}"#])
    func withoutContent(row: Row, body: String) {
        for status in [204, 205, 304] {
            #expect(row.get.outcome(CannedResponse(status, body)) == row.expected(row.get, status))
        }
        for status in [200, 204, 206] {
            #expect(
                row.head.outcome(CannedResponse(status, body)) == row.expected(row.head, status))
        }
    }

    @Test(
        "An empty body with status 200 decodes as an empty String, and fails for other types",
        arguments: [200, 201, 299])
    func emptyBody(status: Int) {
        for row in Self.rows {
            let isText = row.get.testDescription == "Revalidate<String>"
            let expected = isText ? "" : row.expected(row.get, status)
            #expect(row.get.outcome(CannedResponse(status)) == expected)
        }
    }

    @Test(
        "A body of white space is no content for a type that is decoded",
        arguments: [" ", "\n", "\r\n\t "])
    func blanks(body: String) {
        for row in Self.decoded {
            #expect(row.get.outcome(CannedResponse(200, body)) == row.expected(row.get, 200))
        }
        #expect(Reader(Revalidate<String>.self).outcome(CannedResponse(200, body)) == body)
    }

    @Test("A decoder may make a value of an empty body with status 200")
    func decoder() throws {
        struct Lines: DecoderType {
            var contentType: MIMEType? { .csv }
            func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
                return try JSONDecoder().decode(
                    type, from: JSONEncoder().encode(lines.map(String.init)))
            }
        }
        struct GetLines: RequestType {
            static let endpoint = Endpoint<GetLines>(method: .get, path: "x")
            typealias Response = [String]
            static let responseDecoder = Lines()
        }
        #expect(try CannedResponse(200, "a\nb").read(GetLines.self) == ["a", "b"])
        #expect(try CannedResponse(200).read(GetLines.self) == [])
        #expect(
            "\(try CannedResponse(204).error(of: GetLines.self))"
                == Row([String].self, nil).expected(Reader(GetLines.self), 204))
    }

    @Test("Any body is a success where the response is Void", arguments: [200, 204, 205, 299])
    func void(status: Int) throws {
        struct Delete: RequestType {
            static let endpoint = Endpoint<Delete>(method: .delete, path: "x")
            typealias Response = Void
        }
        for body in ["", "not JSON"] {
            #expect(throws: Never.self) { try CannedResponse(status, body).read(Delete.self) }
        }
    }

    @Test("A response without content keeps its status and headers", arguments: [200, 204, 304])
    func withHead(status: Int) throws {
        struct PeekWithHead<Value: Decodable>: RequestType {
            static var endpoint: Endpoint<Self> { Endpoint(method: .head, path: "x") }
            typealias Response = WithHTTPResponse<Value>
            static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool { true }
        }
        struct PeekAtHead: RequestType {
            static let endpoint = Endpoint<PeekAtHead>(method: .head, path: "x")
            typealias Response = WithHTTPResponse<Void>
            static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool { true }
        }
        let canned = CannedResponse(status, fields: ["ETag": #""a1""#, "Content-Length": "9"])
        let void = try canned.read(PeekAtHead.self).httpResponse
        let data = try canned.read(PeekWithHead<Data>.self)
        let user = try canned.read(PeekWithHead<User?>.self)
        #expect(data.value.isEmpty && user.value == nil)
        for head in [void, data.httpResponse, user.httpResponse] {
            #expect(head.statusCode == status)
            #expect(head.value(forHTTPHeaderField: "etag") == #""a1""#)
        }
    }
}
