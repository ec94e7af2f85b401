import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads the events of an event stream (HTML Standard, sections 9.2.5 and 9.2.6).
///
/// The text is read as UTF-8, whatever the `Content-Type` says. Bytes that are not valid UTF-8
/// become U+FFFD. If the stream ends within an event, that event is dropped.
struct EventStreamParser: StreamParser {
    /// The id to send as `Last-Event-ID` when connecting again; empty if there was no id.
    private(set) var lastEventID: String
    /// How many seconds to wait before connecting again; `nil` if the server hasn't said.
    private(set) var retry: TimeInterval?

    private var lines: LineSplitter
    private let limit: Int
    /// The values of the `data` lines since the last blank line, with a line feed after each value.
    private var data: [UInt8] = []
    private var type = ""
    /// The value of the last `id` line. The next blank line makes it the ``lastEventID``.
    private var id: String

    /// - Parameters:
    ///   - limit: The most bytes of a line, and the most bytes of the data of an event.
    ///   - lastEventID: The last id that the previous connection received.
    init(limit: Int, lastEventID: String = "") {
        lines = LineSplitter(limit: limit)
        self.limit = limit
        self.lastEventID = lastEventID
        id = lastEventID
    }

    mutating func append(_ chunk: Data) {
        lines.append(chunk)
    }

    mutating func next() throws(StreamLimitExceeded) -> ServerSentEvent? {
        while let line = try lines.next() {
            if !line.isEmpty {
                try read(line)
            } else if let event = dispatch() {
                return event
            }
        }
        return nil
    }

    func finish() -> ServerSentEvent? { nil }

    private mutating func read(_ line: ArraySlice<UInt8>) throws(StreamLimitExceeded) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == .space { value.removeFirst() }
        let name = line[..<colon]
        if name.elementsEqual("data".utf8) {
            guard data.count + value.count <= limit else { throw .event(limit: limit) }
            data += value
            data.append(.lineFeed)
        } else if name.elementsEqual("event".utf8) {
            type = String(decoding: value, as: UTF8.self)
        } else if name.elementsEqual("id".utf8) {
            if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        } else if name.elementsEqual("retry".utf8) {
            retry = Self.seconds(milliseconds: value) ?? retry
        }
    }

    /// Ends and returns the event at a blank line; `nil` if the event had no `data` line.
    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer {
            data.removeAll(keepingCapacity: true)
            type = ""
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type,
            data: String(decoding: data.dropLast(), as: UTF8.self),
            id: lastEventID.isEmpty ? nil : lastEventID, retry: retry)
    }

    /// The value of a `retry` line in seconds; `nil` if the value is empty or isn't only digits. At
    /// most a day, because a huge wait would overflow when it is converted to nanoseconds.
    private static func seconds(milliseconds digits: ArraySlice<UInt8>) -> TimeInterval? {
        String(decoding: digits, as: UTF8.self).cappedNumber.map { min($0, 86_400_000) / 1000 }
    }
}

extension HTTPURLResponse {
    /// Whether the body is an event stream: the status is 200 and the media type is
    /// `text/event-stream`, whatever its parameters are (HTML Standard, section 9.2.3).
    var isEventStream: Bool {
        let type = value(forHTTPHeaderField: "Content-Type") ?? ""
        let name = String(Substring(type.utf8.prefix { $0 != .semicolon })).trimmingBlanks
        return statusCode == 200 && name.lowercased() == "text/event-stream"
    }
}
