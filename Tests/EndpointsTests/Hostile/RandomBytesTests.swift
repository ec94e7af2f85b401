import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsShared
@testable import EndpointsFormats
@testable import EndpointsMiddleware
@testable import EndpointsStreams

@Suite("Random bytes")
struct RandomBytesTests {
    /// A reader, by name, and chunks of what it reads: random bytes alone seldom get far.
    struct Subject: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let chunks: [String]
        let read: @Sendable ([UInt8]) throws -> Void
    }

    static let now = Date(timeIntervalSince1970: 1_700_000_000)

    static let subjects = [
        Subject(testDescription: "lines", chunks: ["\r", "\n", "\u{FEFF}", "abc"]) { bytes in
            var parser = TextLineParser(limit: 40)
            _ = try parser.elements(of: bytes, chunk: 7)
        },
        Subject(
            testDescription: "JSON lines", chunks: ["\n", "{", "}", "\"a\"", ":", "1", "[", " "]
        ) { bytes in
            var parser = JSONLineParser(of: [String: Int].self, with: JSONDecoder(), limit: 40)
            _ = try parser.elements(of: bytes, chunk: 7)
        },
        Subject(
            testDescription: "an event stream",
            chunks: ["data", "id", "event", "retry", ":", " ", "\n", "\r", "\0", "1", "\u{FEFF}"]
        ) { bytes in
            var parser = EventStreamParser(limit: 40)
            _ = try parser.elements(of: bytes, chunk: 7)
        },
        Subject(
            testDescription: "Link",
            chunks: [
                "<", ">", ";", ",", "=", "\"", "\\", "rel", "title*", "UTF-8''%C3%A9", "anchor",
                "http://", "//", "?", "#", "@", "[", "]", "%", " ",
            ]
        ) { bytes in
            let field = String(decoding: bytes, as: UTF8.self)
            for base in [URL(string: "https://h/a?b#c"), nil] {
                let links = WebLink.links(in: field, at: base)
                #expect(links.allSatisfy { !$0.relations.isEmpty && $0.url.scheme != nil })
                #expect(links.allSatisfy { $0.url.scheme != "https" || $0.url.user == nil })
            }
        },
        Subject(
            testDescription: "HTTP dates",
            chunks: [
                "Sun", "Sunday", ",", " ", "06", "6", "Nov", "-", "1994", "94", "08:49:37", ":",
                "GMT", "99",
            ]
        ) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let date = HTTPDate.date(text, now: now) else { return }
            #expect(HTTPDate.text(date) != nil)
        },
        Subject(
            testDescription: "rate limits",
            chunks: [
                "\"a\"", "r", "t", "q", "=", ";", ",", "limit", "remaining", "reset", "1", "999",
                ".", "-", " ", "\"", "\\",
            ]
        ) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let names = [
                "RateLimit", "RateLimit-Policy", "RateLimit-Reset", "X-RateLimit-Limit",
                "X-Rate-Limit-Remaining", "Retry-After",
            ]
            for name in names {
                let response = try CannedResponse(429, "", fields: [name: text]).httpResponse
                let limit = RateLimit(response, now: now)
                #expect(limit?.remaining ?? 0 >= 0)
                #expect(limit?.reset?.timeIntervalSince1970.isFinite ?? true)
            }
        },
        Subject(
            testDescription: "problem details",
            chunks: [
                "{", "}", "[", "]", ":", ",", "\"type\"", "\"title\"", "\"status\"", "1", "1e999",
                "null", "true", "\"a\"", "-",
            ]
        ) { bytes in
            let data = Data("{\"title\":".utf8) + Data(bytes) + Data("}".utf8)
            _ = try JSONDecoder().decode(ProblemDetails<[String: Int]>.self, from: data)
        },
    ]

    @Test("Reading 10,000 random byte strings ends in a value or an error", arguments: subjects)
    func random(subject: Subject) {
        var random = SplitMix64(seed: 9457)
        var (values, errors) = (0, 0)
        for _ in 0..<10_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<24, using: &random) {
                if Int.random(in: 0..<8, using: &random) == 0 {
                    bytes.append(.random(in: 0...255, using: &random))
                } else {
                    bytes += Array((subject.chunks.randomElement(using: &random) ?? "").utf8)
                }
            }
            do {
                try subject.read(bytes)
                values += 1
            } catch { errors += 1 }
        }
        #expect(values + errors == 10_000 && values > 0)
    }
}
