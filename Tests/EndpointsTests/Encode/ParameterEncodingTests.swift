import Endpoints
import Foundation
import Testing

@Suite struct ParameterEncodingTests {
    struct Filter: Encodable, Sendable {
        var open = true
        var label = "a/é&"
        var limit: Double? = nil
    }

    struct Search: FlatRequest {
        typealias Response = Void
        @TaskLocal static var endpoint = Endpoint<Search>(method: .post, path: "s")
        var filter = Filter()
        var maybe: Filter?
        var list: [Int] = [1, 2]
    }

    private func search(_ parameters: ParameterList<Search>, _ values: Search) throws -> (
        url: String?, form: String?
    ) {
        let endpoint = Endpoint<Search>(method: .post, path: "s", parameters: parameters)
        let request = try Search.$endpoint.withValue(endpoint) {
            try values.urlRequest(in: ServerEnvironment(at: "https://h"))
        }
        return (
            request.url?.absoluteString,
            request.httpBody.map { String(decoding: $0, as: UTF8.self) }
        )
    }

    typealias SearchRow = (
        parameters: ParameterList<Search>, values: Search, url: String, form: String?
    )

    static let searches: [SearchRow] = [
        (
            [.query("f", path: \.filter, encoding: .json)], Search(),
            "/s?f=%7B%22label%22:%22a/%C3%A9%26%22%2C%22open%22:true%7D", nil
        ),
        (
            [.form("f", path: \.filter, encoding: .json)], Search(), "/s",
            "f=%7B%22label%22%3A%22a%2F%C3%A9%26%22%2C%22open%22%3Atrue%7D"
        ),
        ([.query("f", path: \.maybe, encoding: .json)], Search(), "/s", nil),
        ([.form("f", path: \.maybe, encoding: .json)], Search(), "/s", ""),
        (
            [.query("f", path: \.maybe, encoding: .json)], Search(maybe: Filter(label: "")),
            "/s?f=%7B%22label%22:%22%22%2C%22open%22:true%7D", nil
        ),
        ([.query("l", path: \.list, encoding: .json)], Search(), "/s?l=%5B1%2C2%5D", nil),
        ([.query("l", path: \.list, encoding: .json)], Search(list: []), "/s?l=%5B%5D", nil),
    ]

    @Test("A value with the style .json is one parameter with sorted keys", arguments: searches)
    func json(_ row: SearchRow) throws {
        let request = try search(row.parameters, row.values)
        #expect(request.url == "https://h" + row.url)
        #expect(request.form == row.form)
    }

    @Test("The error about a parameter that can't be encoded doesn't show its value")
    func unencodable() throws {
        let values = Search(filter: Filter(label: "s3cr3t", limit: .infinity))
        let error = #expect(throws: EndpointError.self) {
            try search([.query("f", path: \.filter, encoding: .json)], values)
        }
        #expect(
            error?.description
                == #"Search: the query item "f" can't be written as text: the number at `limit` is not finite; use a finite one, or an encoder that writes it"#
        )
        #expect(error?.cause is EncodingError)
    }

    struct Latin: EncoderType {
        var contentType: MIMEType? { nil }
        func encode<Value: Encodable>(_ value: Value) -> Data { Data([0xE9, 0xFF]) }
    }

    struct Reversed: EncoderType {
        var contentType: MIMEType? { nil }
        func encode<Value: Encodable>(_ value: Value) -> Data { Data("\(value)".utf8.reversed()) }
    }

    @Test("A custom encoder can write a parameter, and its output must be UTF-8")
    func ownEncoder() throws {
        let url = try search(
            [.query("l", path: \.list, encoding: .encoded(by: Reversed()))], Search()
        )
        .url
        #expect(url == "https://h/s?l=%5D2%20%2C1%5B")
        let error = #expect(throws: EndpointError.self) {
            try search([.query("l", path: \.list, encoding: .encoded(by: Latin()))], Search())
        }
        #expect(
            error?.description
                == #"Search: the query item "l" can't be written as text: the encoder's output is not UTF-8; use an encoder that writes UTF-8 text"#
        )
    }

    struct Event: Encodable, Sendable { var startDate = Date(timeIntervalSince1970: 1.5) }

    struct Plan: FlatRequest {
        typealias Response = Void
        static let endpoint = Endpoint<Plan>(
            method: .post, path: "p",
            parameters: [
                .query("q", path: \.event, encoding: .json),
                .part("m", path: \.event, encoding: .json),
            ])
        static let bodyEncoder: JSONEncoder = {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .secondsSince1970
            encoder.keyEncodingStrategy = .convertToSnakeCase
            encoder.outputFormatting = .prettyPrinted
            return encoder
        }()
        var event = Event()
    }

    @Test("JSON is written as by the request's body encoder, without its spaces")
    func declaredEncoder() throws {
        let request = try Plan().urlRequest(in: ServerEnvironment(at: "https://h"))
        #expect(request.url?.query?.removingPercentEncoding == #"q={"start_date":1.5}"#)
        let body = String(decoding: try #require(request.upload).data(), as: UTF8.self)
        #expect(body.contains(#"{"start_date":1.5}"#))
        #expect(Plan.bodyEncoder.outputFormatting == .prettyPrinted)
    }
}
