import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

@Suite("JSON lines")
struct JSONLineTests {
    struct Item: Decodable, Equatable { let id: Int }

    static let streams: [(stream: String, ids: [Int])] = [
        ("", []),
        (#"{"id": 1}"#, [1]),
        ("{\"id\": 1}\n{\"id\": 2}\n", [1, 2]),
        ("{\"id\": 1}\r\n\r\n{\"id\": 2}", [1, 2]),
        ("\n \t\n{\"id\": 1}\n\n\n", [1]),
        ("\u{FEFF}{\"id\": 1}\n", [1]),
        ("  {\"id\": 1}\t\n", [1]),
        (" ", []),
        ("{\"id\": 1, \"text\": \"a\u{2028}b\"}\n{\"id\": 2}", [1, 2]),
    ]

    @Test("Each line but the blank ones is a value, however the stream is cut", arguments: streams)
    func values(row: (stream: String, ids: [Int])) throws {
        for chunk in 1...max(row.stream.utf8.count, 1) {
            var parser = JSONLineParser(of: Item.self, with: JSONDecoder(), limit: 100)
            let items = try parser.elements(of: row.stream.utf8, chunk: chunk)
            #expect(items.map(\.id) == row.ids, "chunk \(chunk)")
        }
    }

    static let broken: [(stream: String, reason: String)] = [
        ("{\"id\": 1}\n\n{\"id\": \"x\"}\n", "in line 3, the value at `id` is not of type Int"),
        ("{}", "in line 1, the value at `id` is missing"),
        ("[DONE]\n", "in line 1, the content is not valid"),
        ("{\"id\": 1}{\"id\": 2}\n", "in line 1, the content is not valid"),
        ("{\"id\":\n1}\n", "in line 1, the content is not valid"),
    ]

    @Test("A line that is no value is an error that names the line", arguments: broken)
    func refusal(row: (stream: String, reason: String)) throws {
        var parser = JSONLineParser(of: Item.self, with: JSONDecoder(), limit: 100)
        let error = #expect(throws: UnreadableElement.self) {
            try parser.elements(of: row.stream.utf8, chunk: 5)
        }
        #expect(error?.errorDescription == row.reason)
    }

    @Test("The lines after one that is no value can still be read")
    func goingOn() throws {
        var parser = JSONLineParser(of: Item.self, with: JSONDecoder(), limit: 100)
        parser.append(Data("oops\n{\"id\": 2}\n".utf8))
        #expect(throws: UnreadableElement.self) { try parser.next() }
        #expect(try parser.next() == Item(id: 2))
    }

    @Test("A line that is too long is an error")
    func limit() throws {
        var parser = JSONLineParser(of: Item.self, with: JSONDecoder(), limit: 9)
        #expect(throws: StreamLimitExceeded.line(limit: 9)) {
            try parser.elements(of: "{\"id\": 1}\n{\"id\": 12}\n".utf8, chunk: 100)
        }
    }
}
