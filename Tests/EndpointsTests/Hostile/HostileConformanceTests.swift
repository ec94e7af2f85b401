import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Custom types with unusual behaviour; each makes a request or an error, and never traps.
@Suite struct HostileConformanceTests {
    /// A value with the test's texts.
    struct Odd: PathRepresentable, PathSegmentsRepresentable, Encodable {
        struct Failure: Error {}
        var text: String?
        var texts: ParameterTexts?
        var segments: [String]?

        var pathRepresentation: String? {
            get throws {
                guard let text else { throw Failure() }
                return text
            }
        }
        var parameterRepresentation: ParameterTexts {
            get throws {
                guard let texts else { throw Failure() }
                return texts
            }
        }
        var pathSegments: [String] {
            get throws {
                guard let segments else { throw Failure() }
                return segments
            }
        }
        func encode(to encoder: any Encoder) throws {}
    }

    /// A format with the test's text.
    struct OddFormat: FormatStyle {
        let text: String
        func format(_ value: String) -> String { text }
    }

    struct OddCoder: EncoderType, DecoderType {
        static let contentTypes: [MIMEType?] = [nil, "", "\r\n", "a\u{0}", "é", " ", "\t"]
        @TaskLocal static var contentType: MIMEType?
        @TaskLocal static var data: Data?

        var contentType: MIMEType? { Self.contentType }
        func encode<Value: Encodable>(_ value: Value) throws -> Data {
            guard let data = Self.data else { throw Odd.Failure() }
            return data
        }
        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            throw Odd.Failure()
        }
    }

    struct Send: FlatRequest {
        typealias Response = [String]
        typealias ErrorResponse = [Int]
        @TaskLocal static var endpoint = Endpoint<Send>(method: .post, path: "a")
        static var bodyEncoder: OddCoder { OddCoder() }
        static var responseDecoder: OddCoder { OddCoder() }
        static var errorDecoder: OddCoder { OddCoder() }
        var body: Odd?
        var odd = Odd()
        var text = ""
        var maybe: String?
        var list = ["", ""]
    }

    static func declarations(_ text: String) -> [Endpoint<Send>] {
        let format = OddFormat(text: text)
        let coded = ParameterEncoding.encoded(by: OddCoder())
        return [
            Endpoint(method: .get, path: "\(path: \.odd)\(path: \.odd, includesSlash: false)"),
            Endpoint(method: .get, path: "a/\(segments: \.odd)/b"),
            Endpoint(
                method: .get,
                path: "\(path: \.text, format: format)/\(path: \.maybe, format: format)"),
            Endpoint(
                method: .post, path: "a",
                parameters: [
                    .query("a", path: \.odd, style: .commaSeparated),
                    .query("b", path: \.odd, encoding: coded),
                    .query("c", path: \.text, format: format),
                    .query("d", path: \.maybe, format: format),
                    .query("e", path: \.list, format: format, style: .brackets),
                ]),
            Endpoint(
                method: .post, path: "a",
                parameters: [
                    .form("a", path: \.odd, style: .brackets),
                    .form("b", path: \.odd, encoding: coded),
                    .form("c", path: \.text, format: format),
                    .form("d", path: \.maybe, format: format),
                    .form("e", path: \.list, format: format, style: .commaSeparated),
                ]),
            Endpoint(
                method: .put, path: "a",
                headers: [
                    "A": .field(path: \.odd), "B": .field(path: \.text, format: format),
                    "C": .field(path: \.maybe, format: format),
                    "D": .fieldValue(value: Odd(text: text)),
                    "E": .fieldValue(value: Odd()),
                ]),
        ]
    }

    static let texts = [
        "", ".", "..", "/", "%", "\u{0}", "\r\nX: y", "é\u{301}", "a,b", "]", "&=", "+",
    ]

    @Test(
        "Custom values, formats and coders of any behaviour make a request or an error",
        arguments: texts)
    func behaviour(_ text: String) throws {
        let texts: [ParameterTexts?] = [
            nil, .one(nil), .one(text), .several([]), .several([text, text]), .keyed([]),
            .keyed([([text], text), ([text, text], text), ([], text)]),
        ]
        for texts in texts {
            for segments in [nil, [], [text], [text, "", text]] {
                let odd = Odd(text: segments == nil ? nil : text, texts: texts, segments: segments)
                for endpoint in Self.declarations(text) {
                    try Self.check(endpoint, Send(odd: odd, text: text, maybe: text))
                }
            }
        }
    }

    private static func check(_ endpoint: Endpoint<Send>, _ request: Send) throws {
        #expect(endpoint.problems.allSatisfy { !$0.description.isEmpty })
        do {
            let made = try Send.$endpoint.withValue(endpoint) {
                try request.urlRequest(in: .production)
            }
            #expect(made.url != nil)
        } catch let error as EndpointError { #expect(error.description.hasPrefix("Send: ")) }
    }

    @Test(
        "A coder with any content type and any bytes makes a request or an error",
        arguments: OddCoder.contentTypes)
    func coder(_ type: MIMEType?) throws {
        for data in [nil, Data(), Data([0xFF]), Data("\r\n".utf8)] {
            try OddCoder.$contentType.withValue(type) {
                try OddCoder.$data.withValue(data) {
                    try Self.check(Endpoint(method: .post, path: "a"), Send(body: Odd()))
                    for endpoint in Self.declarations("a") { try Self.check(endpoint, Send()) }
                    let error = try CannedResponse(500, "a").error(of: Send.self)
                    #expect(
                        error.description
                            == "Send: the error response with status 500 can't be read: Failure was thrown"
                    )
                }
            }
        }
    }
}
