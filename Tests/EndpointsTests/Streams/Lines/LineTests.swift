import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

@Suite("Lines of a stream")
struct LineTests {
    static let rows: [(stream: [UInt8], lines: [String])] = [
        ([], []),
        (Array("a".utf8), ["a"]),
        (Array("a\n".utf8), ["a"]),
        (Array("a\nb".utf8), ["a", "b"]),
        (Array("a\rb\r".utf8), ["a", "b"]),
        (Array("a\r\nb\r\n".utf8), ["a", "b"]),
        (Array("\n".utf8), [""]),
        (Array("\r".utf8), [""]),
        (Array("\r\n".utf8), [""]),
        (Array("\n\r".utf8), ["", ""]),
        (Array("\r\r\n\n\r".utf8), ["", "", "", ""]),
        (Array("a\n\n\nb".utf8), ["a", "", "", "b"]),
        (Array("a\r\n\nb\n\r\nc".utf8), ["a", "", "b", "", "c"]),
        (Array("a\0b\n".utf8), ["a\0b"]),
        (Array("a\u{2028}b\u{2029}c\u{85}d\n".utf8), ["a\u{2028}b\u{2029}c\u{85}d"]),
        (Array("a\u{B}b\u{C}c\n".utf8), ["a\u{B}b\u{C}c"]),
        (Array("é🍕\r\n日本".utf8), ["é🍕", "日本"]),
        (Array("\u{FEFF}a\n\u{FEFF}b".utf8), ["a", "\u{FEFF}b"]),
        (Array("\u{FEFF}\u{FEFF}\n".utf8), ["\u{FEFF}"]),
        (Array("\u{FEFF}".utf8), []),
        (Array("\n\u{FEFF}a\n".utf8), ["", "\u{FEFF}a"]),
        ([0x61, 0xFF, 0x0A, 0xE2, 0x82, 0x0A, 0xAC, 0x0A], ["a\u{FFFD}", "\u{FFFD}", "\u{FFFD}"]),
        ([0xEF, 0xBB, 0x0A, 0x61], ["\u{FFFD}", "a"]),
    ]

    @Test("Lines end at CR, LF and CRLF, wherever the stream is cut", arguments: rows)
    func lines(row: (stream: [UInt8], lines: [String])) throws {
        for chunk in 1...max(row.stream.count, 1) {
            var parser = TextLineParser(limit: 1000)
            let lines = try parser.elements(of: row.stream, chunk: chunk)
            #expect(lines == row.lines, "chunk \(chunk)")
        }
    }

    @Test("A line that ends in CR is read at once, and an LF in the next chunk makes no other line")
    func promptness() throws {
        var parser = TextLineParser(limit: 1000)
        parser.append(Data("a\r".utf8))
        #expect(try parser.next() == "a")
        #expect(try parser.next() == nil)
        parser.append(Data("\n".utf8))
        #expect(try parser.next() == nil)
        parser.append(Data("\n".utf8))
        #expect(try parser.next() == "")
        #expect(try parser.finish() == nil)
    }

    static let limits: [(stream: String, lines: [String], isWhole: Bool)] = [
        ("1234\n1234", ["1234", "1234"], true),
        ("1234\r\n1234\r\n", ["1234", "1234"], true),
        ("1234\n12345\n1\n", ["1234"], false),
        ("12345", [], false),
        ("1\n12345", ["1"], false),
        ("1\r12345\r", ["1"], false),
        ("é€", [], false),
    ]

    @Test(
        "A line of more bytes than the limit is an error, after all lines before it",
        arguments: limits)
    func limit(row: (stream: String, lines: [String], isWhole: Bool)) throws {
        for chunk in 1...row.stream.utf8.count {
            let (lines, error) = read(row.stream, chunk: chunk, limit: 4)
            #expect(lines == row.lines, "chunk \(chunk)")
            #expect(error == (row.isWhole ? nil : .line(limit: 4)), "chunk \(chunk)")
        }
    }

    @Test("A line without an end is refused as soon as it is too long")
    func endless() throws {
        var parser = TextLineParser(limit: 4)
        parser.append(Data("1234".utf8))
        #expect(try parser.next() == nil)
        parser.append(Data("5".utf8))
        #expect(throws: StreamLimitExceeded.line(limit: 4)) { try parser.next() }
        #expect(throws: StreamLimitExceeded.line(limit: 4)) { try parser.next() }
    }

    @Test("The text of a limit that is exceeded names the limit")
    func reason() {
        #expect(
            StreamLimitExceeded.line(limit: 4).errorDescription
                == "a line is longer than the limit of 4 bytes; declare a ByteStream as Response")
        #expect(
            StreamLimitExceeded.event(limit: 4).errorDescription
                == "an event is longer than the limit of 4 bytes; declare a ByteStream as Response")
    }

    @Test("Random lines come out as they went in, whatever their ends and however they are cut")
    func random() throws {
        var random = SplitMix64(seed: 12)
        for _ in 0..<2000 {
            let lines = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                String(repeating: "x", count: Int.random(in: 0..<40, using: &random))
            }
            let ends = lines.map { _ in ["\n", "\r", "\r\n"].randomElement(using: &random) ?? "" }
            // CR, then a blank line that ends in LF, is one CRLF.
            let isClear = zip(ends, zip(lines, ends).dropFirst()).allSatisfy {
                !($0 == "\r" && $1 == ("", "\n"))
            }
            guard isClear else { continue }
            let stream = zip(lines, ends).map { $0 + $1 }.joined()
            var parser = TextLineParser(limit: 40)
            let chunk = Int.random(in: 1...50, using: &random)
            #expect(try parser.elements(of: stream.utf8, chunk: chunk) == lines)
        }
    }

    @Test("Lines that nobody has read yet stay while more chunks arrive")
    func backlog() throws {
        var parser = TextLineParser(limit: 100)
        var read: [String] = []
        for number in 0..<1000 {
            parser.append(Data("a\(number)\nb\(number)\r\nc\(number)\n".utf8))
            read += [try parser.next(), try parser.next()].compactMap { $0 }
        }
        while let line = try parser.next() { read.append(line) }
        #expect(read == (0..<1000).flatMap { ["a\($0)", "b\($0)", "c\($0)"] })
    }

    private func read(
        _ stream: String, chunk: Int, limit: Int
    ) -> (lines: [String], error: StreamLimitExceeded?) {
        let bytes = Array(stream.utf8)
        var parser = TextLineParser(limit: limit)
        var lines: [String] = []
        do throws(StreamLimitExceeded) {
            for start in stride(from: 0, to: bytes.count, by: chunk) {
                parser.append(Data(bytes[start..<min(start + chunk, bytes.count)]))
                while let line = try parser.next() { lines.append(line) }
            }
            if let last = try parser.finish() { lines.append(last) }
        } catch { return (lines, error) }
        return (lines, nil)
    }
}
