import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Events of an event stream")
struct EventStreamParserTests {
    /// A stream and the texts of its events.
    static let data: [(stream: String, data: [String])] = [
        (
            "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\r"
                + "data:\r\n data:32\ndata:4\n\n",
            ["\0\n 2\n1\n3\n\n4"]
        ),
        (
            "data:1\r:\0\n:\r\ndata:2\n:x\rdata:3\n:data:fail\r:x\ndata:4\n\n",
            ["1\n2\n3\n4"]
        ),
        ("data:test\r\ndata\ndata:test\r\n\r\n", ["test\n\ntest"]),
        ("\u{FEFF}data:1\n\n\u{FEFF}data:2\n\ndata:3\n\n", ["1", "3"]),
        ("\u{FEFF}\u{FEFF}data:1\n\ndata:2\n\ndata:3\n\n", ["2", "3"]),
        ("data:\n\ndata\ndata\n\ndata:test\n\n", ["", "\n", "test"]),
        ("data:\ttest\rdata: \ndata:test\n\n", ["\ttest\n\ntest"]),
        ("data:a\n\nid:t\ndata:b", ["a"]),
        ("data:a\n\ndata:b\n", ["a"]),
        ("data:a\u{2028}b\u{2029}c\u{85}d\n\n", ["a\u{2028}b\u{2029}c\u{85}d"]),
        ("data:a\r\rdata:b\r\n\r\ndata:c\n\n", ["a", "b", "c"]),
        ("data: é🍕\n\n", ["é🍕"]),
        (":comment\n\n\n\n", []),
        ("data:a\n:\n\n", ["a"]),
        ("data : a\ndataa: b\nDATA: c\n\n", []),
        ("data:a:b: c\n\n", ["a:b: c"]),
        ("", []), ("\n", []), ("\u{FEFF}", []),
    ]

    @Test("The data of events is what HTML has it, wherever the stream is cut", arguments: data)
    func texts(row: (stream: String, data: [String])) throws {
        for chunk in 1...max(row.stream.utf8.count, 1) {
            #expect(try events(row.stream, chunk: chunk).map(\.data) == row.data, "chunk \(chunk)")
        }
    }

    /// A stream and its events as `type[id]:data`.
    static let names: [(stream: String, events: [String])] = [
        ("event: \ndata:d\n\n", ["message[]:d"]),
        ("event\ndata:d\n\n", ["message[]:d"]),
        ("event:a\n\nid:5\n\ndata:b\n\n", ["message[5]:b"]),
        ("event:a\ndata:x\n\ndata:y\n\n", ["a[]:x", "message[]:y"]),
        ("event:a\nevent:b\ndata:x\n\n", ["b[]:x"]),
        ("id:1\ndata:1\n\nid\ndata:2\n\n", ["message[1]:1", "message[]:2"]),
        ("id:1\ndata:a\n\nid:\0\0\ndata:b\n\n", ["message[1]:a", "message[1]:b"]),
        ("id:1\ndata:a\n\nid:2\0\ndata:b\n\n", ["message[1]:a", "message[1]:b"]),
        ("id: 1\nid:2\ndata:a\n\ndata:b\n\n", ["message[2]:a", "message[2]:b"]),
        ("data:a\nid:1\n\n", ["message[1]:a"]),
    ]

    @Test("Events have their type and the last id, wherever the stream is cut", arguments: names)
    func name(row: (stream: String, events: [String])) throws {
        for chunk in 1...row.stream.utf8.count {
            let events = try events(row.stream, chunk: chunk)
            #expect(
                events.map { "\($0.type)[\($0.id ?? "")]:\($0.data)" } == row.events,
                "chunk \(chunk)")
        }
    }

    static let times: [(stream: String, seconds: TimeInterval?)] = [
        ("retry:2000\n", 2), ("retry: 1500\n", 1.5), ("retry:0\n", 0), ("retry:007\n", 0.007),
        ("retry:2000\nretry:1000x\nretry\nretry:-1\nretry:+1\nretry:1.5\nretry:  1\n", 2),
        ("retry:x\n", nil), ("retry:\n", nil), ("retry:٣\n", nil), ("", nil),
        ("retry:86400001\n", 86_400), ("retry:99999999999999999999\n", 86_400),
    ]

    @Test("The retry time of an event stream is digits only, and a day at most", arguments: times)
    func retry(row: (stream: String, seconds: TimeInterval?)) throws {
        for chunk in 1...max(row.stream.utf8.count, 1) {
            var parser = EventStreamParser(limit: 1000)
            let events = try parser.elements(of: (row.stream + "data:x\n\n").utf8, chunk: chunk)
            #expect(events.map(\.retry) == [row.seconds])
            #expect(parser.retry == row.seconds)
        }
    }

    static let ids: [(stream: String, id: String)] = [
        ("data:a\n\nid:t\ndata:b", "old"), ("id:t\n\n", "t"), ("id:t\n", "old"), ("", "old"),
        ("data:a\n\n", "old"), ("id\n\n", ""), ("id:1\n\nid:2\n\nid:3\n", "2"),
    ]

    @Test(
        "The Last-Event-ID is the previous connection's, until an event of this one sets it",
        arguments: ids)
    func lastEventID(row: (stream: String, id: String)) throws {
        var parser = EventStreamParser(limit: 1000, lastEventID: "old")
        _ = try parser.elements(of: row.stream.utf8, chunk: 3)
        #expect(parser.lastEventID == row.id)
    }

    @Test("Bytes that are not UTF-8 become U+FFFD, and end neither line nor field")
    func malformed() throws {
        var parser = EventStreamParser(limit: 1000)
        let bytes = Array("data:a".utf8) + [0xFF, 0xC3] + Array("\ndata:b\n\n".utf8)
        #expect(try parser.elements(of: bytes, chunk: 1).map(\.data) == ["a\u{FFFD}\u{FFFD}\nb"])
    }

    @Test("The data of an event has a limit, however many lines it is in")
    func limit() throws {
        var parser = EventStreamParser(limit: 10)
        parser.append(Data("data:12345\ndata:1234\n\n".utf8))
        #expect(try parser.next()?.data == "12345\n1234")
        parser.append(Data("data:12345\ndata:12345\n\n".utf8))
        #expect(throws: StreamLimitExceeded.event(limit: 10)) { try parser.next() }
        parser.append(Data("data:123456\n".utf8))
        #expect(throws: StreamLimitExceeded.line(limit: 10)) { while try parser.next() != nil {} }
    }

    @Test("An event's data is decoded as JSON, or by a decoder of the caller's")
    func decoding() throws {
        let event = ServerSentEvent(data: #"{"id": 1, "name": "Ann"}"#)
        #expect(try event.decode(User.self) == User(id: 1, name: "Ann"))
        #expect(throws: DecodingError.self) {
            try event.decode(User.self, with: PropertyListDecoder())
        }
    }

    static let heads: [(status: Int, type: String?, isStream: Bool)] = [
        (200, "text/event-stream", true), (200, "text/event-stream;charset=utf-8", true),
        (200, "Text/Event-Stream ; charset=windows-1252", true), (200, "text/x-bogus", false),
        (200, "text/event-streams", false), (200, nil, false), (200, "", false),
        (204, "text/event-stream", false), (205, "text/event-stream", false),
        (210, "text/event-stream", false), (299, "text/event-stream", false),
        (404, "text/event-stream", false), (410, "text/event-stream", false),
        (503, "text/event-stream", false),
    ]

    @Test("A response is an event stream by status 200 and its type", arguments: heads)
    func head(row: (status: Int, type: String?, isStream: Bool)) throws {
        let response = try CannedResponse(row.status, bytes: [], type: row.type).httpResponse
        #expect(response.isEventStream == row.isStream)
    }

    private func events(_ stream: String, chunk: Int) throws -> [ServerSentEvent] {
        var parser = EventStreamParser(limit: 1000)
        return try parser.elements(of: stream.utf8, chunk: chunk)
    }
}
