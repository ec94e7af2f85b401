import Endpoints
import EndpointsTesting
import Foundation
import Testing

/// A server that `make test` starts beside the tests.
enum Server: String {
    /// An independent server: https://httpbin.org.
    case httpbin = "ENDPOINTS_HTTPBIN"
    /// A server that reports what arrives, byte for byte.
    case recorder = "ENDPOINTS_RECORDER"
    /// A server that misbehaves on purpose.
    case faults = "ENDPOINTS_FAULTS"

    /// The environment of its address.
    var environment: ServerEnvironment {
        get throws {
            ServerEnvironment(baseUrl: try TestServers.address(rawValue))
        }
    }

    /// Sends a request to it and decodes the response.
    func response<Request: RequestType>(
        to request: Request
    ) async throws -> Request.Response where Request.Environment == ServerEnvironment {
        try await Self.transport.get().response(in: environment, with: request)
    }

    /// The archive of `make replay`.
    static let archive = ProcessInfo.processInfo.environment["ENDPOINTS_ARCHIVE"]

    /// What sends a request: the network or, in `make replay`, an archive of what it sent before.
    ///
    /// No name is a secret, as the servers repeat what they get and the tests compare that.
    static let transport = Result<any Transport, any Error> {
        guard let file = archive else { return network }
        return try network.recorded(at: URL(fileURLWithPath: file), masking: .nothing)
    }
}

/// A request as the recorder reports it.
struct Recorded: Decodable {
    let method: String
    let target: String
    let headers: [[String]]
    let body: String?
    let bodyBase64: String

    private enum CodingKeys: String, CodingKey {
        case method, target, headers, body
        case bodyBase64 = "body_base64"
    }

    /// The exact bytes of the body.
    var bytes: Data? { Data(base64Encoded: bodyBase64) }

    /// The bytes of the path's segments, with `%XX` decoded.
    var segments: [[UInt8]] {
        target.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        )
        .map { segment in
            let parts = segment.split(
                separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
            return parts.dropFirst().reduce(Array(parts[0])) { bytes, part in
                let code = String(decoding: part.prefix(2), as: UTF8.self)
                return bytes + [UInt8(code, radix: 16)].compactMap(\.self) + part.dropFirst(2)
            }
        }
    }

    /// The values of a header, in order.
    func values(of name: String) -> [String] {
        headers.filter { $0[0].lowercased() == name.lowercased() }.map { $0[1] }
    }
}

/// A request as httpbin reports it at `/anything`.
struct Anything: Decodable {
    /// A value, or several if a name was sent more than once.
    enum Values: Decodable, Equatable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
        case one(String)
        case several([String])

        /// Compares bytes, because `==` of two strings ignores how an accent is written.
        static func == (left: Values, right: Values) -> Bool {
            switch (left, right) {
            case (.one(let left), .one(let right)): left.utf8.elementsEqual(right.utf8)
            case (.several(let left), .several(let right)):
                left.elementsEqual(right) {
                    $0.utf8.elementsEqual($1.utf8)
                }
            default: false
            }
        }

        init(stringLiteral value: String) { self = .one(value) }
        init(arrayLiteral values: String...) { self = .several(values) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            do { self = .one(try container.decode(String.self)) } catch {
                self = .several(try container.decode([String].self))
            }
        }
    }

    let method: String
    let args: [String: Values]
    let form: [String: Values]
    let headers: [String: String]
    let data: String
}

/// Texts that are easy to send wrongly.
enum Texts {
    static let all =
        ascii + [
            "a b", "a+b", "a%20b", "%2F", "%", "100%", "%zz", "a/b", "/", "//", "a\\b", "a;b=c",
            "a&b=c", "=", "&", "?", "#", "a?b#c", "..a", "a..", "...", "../../etc/passwd",
            "café & crème", "cafe\u{301}", "日本語", "🍕👩‍👩‍👧", "\u{FEFF}bom", "a\u{A0}b", "\u{200B}",
            "a\nb", "a\r\nb", "\ttab\t", " leading and trailing ", "\u{0}", "\u{7F}", "\u{85}",
            #""quoted" and 'quoted'"#, "<script>", "a,b", "[1]", "{x}", "$(id)", "`id`", "!~*'()",
            "https://user:pw@h:1/p?q=1#f", "null", "true", "0", "-1", "1e5",
            String(repeating: "long é/", count: 1000),
        ]

    /// Every printable ASCII character, alone and between letters, except the dot, which alone is
    /// a forbidden segment.
    private static let ascii = (0x20...0x7E).map { String(UnicodeScalar(UInt8($0))) }
        .filter { $0 != "." }.flatMap { [$0, "a\($0)b"] }
}

extension Trait where Self == ConditionTrait {
    /// For tests that `make replay` leaves out, and why.
    static func notReplayed(as reason: Comment) -> Self {
        .enabled(if: Server.archive == nil, reason)
    }
}
