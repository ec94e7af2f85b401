import Endpoints
import EndpointsShared
import Foundation

/// The events of a stream of server-sent events, as they arrive (HTML Standard, section 9.2).
///
///     struct Watch: FlatRequest {
///         static let endpoint = Endpoint<Self>(method: .get, path: "prices")
///         typealias Response = EventStream<Price>
///     }
///     // data: {"euros": 3}  ->  Price(euros: 3)
///
/// The request's ``RequestType/responseDecoder`` decodes the data of each event. An
/// `EventStream<ServerSentEvent>` returns the events themselves: type, id and data as text.
///
/// When the connection of a GET ends, the stream waits, as ``reconnecting(atMost:clock:)``
/// explains, and connects again. As `Last-Event-ID` it then sends the last id that it has received
/// or, before the first id, the `Last-Event-ID` that the request has, if any. If the method isn't
/// GET, the stream ends with its connection. It also ends when the server responds with 204, or
/// before an event that ``ending(at:)`` or ``ending(where:)`` describes. With one of these, any
/// other end than a 204 is an error; without them, a stream that was cut off between two events
/// looks like a whole one. A status other than 200 and 204 is an error, and so is a 200 whose
/// `Content-Type` isn't `text/event-stream`.
///
/// An event with empty data, which some servers send to keep the connection open, is `nil` in an
/// `EventStream<Price?>`. For an event that isn't an `Item`, the iterator throws an
/// ``EndpointTaskError/responseParseError(httpResponse:data:error:)`` with the event's number and
/// data, and can continue with the next event.
public struct EventStream<Item: Decodable>: StreamedResponse {
    let response: ArrivingResponse
    private(set) var isEnd: (@Sendable (ServerSentEvent) -> Bool)?
    private(set) var reconnectionLimit = 10
    private(set) var clock = TransportClock.system
    private var wrong: WrongSetting?

    /// `text/event-stream`.
    public static var acceptedType: MIMEType? { .eventStream }

    /// The events of a response.
    ///
    /// - Throws: An error if the response is neither an event stream nor a 204.
    public init(_ response: ArrivingResponse) throws {
        let status = response.httpResponse.statusCode
        guard status == 204 || response.httpResponse.isEventStream
        else { throw NoEventStream(status: status) }
        self.response = response
    }

    /// The same stream, which ends before the first event with this data, and with an error if it
    /// ends without that event.
    ///
    ///     let prices = stream.ending(at: "[DONE]")   // isn't JSON, so it could not be decoded
    public func ending(at data: String) -> EventStream {
        ending { $0.data == data }
    }

    /// The same stream, which ends before the first event for which `isEnd` returns `true`, and
    /// with an error if it ends without such an event. Each `ending(where:)` and ``ending(at:)``
    /// adds a condition; any of them ends the stream.
    ///
    ///     let prices = stream.ending { $0.type == "done" }
    public func ending(
        where isEnd: @escaping @Sendable (ServerSentEvent) -> Bool
    ) -> EventStream {
        var stream = self
        stream.isEnd = { [isEarlierEnd = self.isEnd] in isEarlierEnd?($0) == true || isEnd($0) }
        return stream
    }

    /// The same stream, which connects again at most `limit` times in a row without an event.
    ///
    /// The default is 10 times; with 0, the stream never connects again, and with less, its loop
    /// throws an ``EndpointError``. When the limit is
    /// reached, the stream throws the last connection's error, or ends if there was none. Of a
    /// request whose method isn't GET, the stream never connects again, whatever the limit.
    ///
    /// The first wait is the time that the server has sent as `retry`, but at least 0.1 seconds, or
    /// 3 seconds. Each later wait is twice as long as the one before, and at most a minute. If the
    /// first wait is longer than a minute, all later waits are as long as the first.
    public func reconnecting(
        atMost limit: Int, clock: TransportClock = .system
    ) -> EventStream {
        var stream = self
        (stream.reconnectionLimit, stream.clock) = (limit, clock)
        stream.wrong = WrongSetting(
            "reconnecting(atMost: \(limit))", in: .response, unless: limit >= 0, "write 0 or more")
        return stream
    }

    /// The events. Use only one iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }
}

private struct NoEventStream: LocalizedError {
    let status: Int

    var errorDescription: String? {
        guard status == 200 else {
            return
                "an event stream must have status 200; check the path, or declare another Response"
        }
        return """
            an event stream must have the Content-Type text/event-stream; check the path, declare \
            another Response, or let `succeeded(_:)` say that this one is an error
            """
    }
}

private struct LongEventID: LocalizedError {
    let count: Int

    var errorDescription: String? {
        """
        the id of the last event has \(count) bytes, which is more than a header holds, so the stream \
        can't go on after that event; the server must send ids of at most \(Self.limit) bytes
        """
    }

    /// What usual servers read of a header field.
    static let limit = 8000
}

/// Some servers send such events to keep a connection open. They are events in browsers, too: only
/// one without a `data` line isn't (HTML Standard, section 9.2.6).
private struct EmptyEvent: LocalizedError {
    let item: String

    var errorDescription: String? {
        """
        there is no content; declare EventStream<\(item)?>, whose element is nil for such an event, \
        or an EventStream<ServerSentEvent>
        """
    }
}

extension ServerSentEvent {
    /// Whether the data is empty, or only white space.
    fileprivate var hasNoContent: Bool { data.utf8.allSatisfy { [9, 10, 13, 32].contains($0) } }
}

private struct MissingEnd: LocalizedError {
    let errorDescription: String? = """
        the stream ended before the event that `ending(at:)` or `ending(where:)` describes, so a \
        part of it may be missing; load it again
        """
    let recoverySuggestion: String? = "Try again."
}

extension EventStream {
    /// An iterator over the events, which connects again when needed.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum Connection {
            case open(ParsedBody<EventStreamParser>)
            /// The connection has ended. The next connection sends this id, if it isn't empty.
            case lost(lastEventID: String)
            /// The stream has ended.
            case closed
        }

        private static var idField: String { "Last-Event-ID" }

        private let stream: EventStream
        private let decoder: any DecoderType
        private var connection: Connection
        private var backoff: Backoff
        private let deadline: Deadline
        /// How many events have arrived.
        private var count = 0

        init(_ stream: EventStream) {
            self.stream = stream
            decoder = stream.response.decoder
            backoff = Backoff(delay: 3, limit: stream.reconnectionLimit)
            deadline = stream.response.deadline(stream.clock)
            let urlRequest = stream.response.source?.request.urlRequest
            let id = urlRequest?.value(forHTTPHeaderField: Self.idField) ?? ""
            connection = Self.connection(to: stream.response, after: id)
        }

        /// The next event; `nil` after the last one.
        public mutating func next() async throws(StreamError) -> Item? {
            try await next(isolation: nil)
        }

        /// Like `next()`, but runs on the caller's actor.
        public nonisolated(nonsending) mutating func next(
            isolation actor: (any Actor)?
        ) async throws(StreamError) -> Item? {
            if let wrong = stream.wrong {
                throw .endpointError(wrong.error(stream.response.requestType))
            }
            guard let event = try await nextEvent() else { return nil }
            if stream.isEnd?(event) == true {
                connection = .closed
                return nil
            }
            if Item.self == ServerSentEvent.self, let item = event as? Item { return item }
            let data = Data(event.data.utf8)
            if event.hasNoContent, let type = Item.self as? any AnyOptional.Type,
                let none = type.none as? Item
            {
                return none
            }
            do { return try decoder.located(Item.self, from: data) } catch {
                let hint = UnreadableElement.hint(
                    for: Item.self, of: "EventStream", "EventStream<ServerSentEvent>")
                throw stream.response.error(
                    parsing: UnreadableElement(
                        place: "event \(count)", data: data,
                        cause: event.hasNoContent ? EmptyEvent(item: "\(Item.self)") : error,
                        hint: hint ?? (mayBeEnd(event) ? Self.endHint : nil)))
            }
        }

        private static var endHint: String { "if it ends the stream, add `ending(at:)`" }

        /// Whether an event that isn't JSON may be a mark such as `[DONE]`.
        private func mayBeEnd(_ event: ServerSentEvent) -> Bool {
            guard stream.isEnd == nil, decoder.contentType == .json, !event.hasNoContent,
                event.data.utf8.count <= 32
            else { return false }
            let data = Data(event.data.utf8)
            return (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
                == nil
        }

        private nonisolated(nonsending) mutating func nextEvent() async throws(StreamError)
            -> ServerSentEvent?
        {
            while true {
                var failure: StreamError?
                do throws(StreamError) {
                    if let event = try await read() { return event }
                } catch {
                    failure = error
                }
                let isLost = if case .lost = connection { true } else { false }
                guard isLost, stream.response.canAskAgain, let delay = backoff.next() else {
                    connection = .closed
                    if let failure { throw failure }
                    guard isLost, stream.isEnd != nil else { return nil }
                    throw stream.response.error(parsing: MissingEnd())
                }
                try await stream.response.wait(delay, until: deadline)
            }
        }

        /// The next event of the connection; `nil` at its end. If the connection was lost before
        /// this call, connects again first.
        private nonisolated(nonsending) mutating func read() async throws(StreamError)
            -> ServerSentEvent?
        {
            if case .lost(let id) = connection { try await connect(after: id) }
            guard case .open(var events) = connection else { return nil }
            // The parser in `events` has a buffer. If `connection` kept `events` too, each new
            // chunk would copy the whole buffer (copy-on-write).
            connection = .closed
            do throws(StreamError) {
                if let event = try await events.next() {
                    connection = .open(events)
                    backoff.reset()
                    count += 1
                    return event
                }
                lose(events.parser)
                return nil
            } catch {
                if error.isTransient, !deadline.isOver { lose(events.parser) }
                throw error
            }
        }

        private mutating func lose(_ parser: EventStreamParser) {
            connection = .lost(lastEventID: parser.lastEventID)
            // A server that ends each connection after an event must not be asked without a pause.
            if let retry = parser.retry { backoff.delay = Swift.max(retry, 0.1) }
        }

        private nonisolated(nonsending) mutating func connect(after id: String)
            async throws(StreamError)
        {
            do throws(StreamError) {
                guard id.utf8.count <= LongEventID.limit
                else { throw stream.response.error(parsing: LongEventID(count: id.utf8.count)) }
                // An id with a control character can't be a header's value.
                let isValid = id.utf8.allSatisfy { ($0 >= 0x20 || $0 == .tab) && $0 != 0x7F }
                let text = isValid ? id.trimmingBlanks : nil
                let response = try await stream.response.requestAgain(until: deadline) { request in
                    request.setValue(
                        text?.isEmpty == false ? text : nil, forHTTPHeaderField: Self.idField)
                }
                guard response.httpResponse.statusCode == 204 || response.httpResponse.isEventStream
                else {
                    throw await stream.response.error(unexpected: response)
                }
                connection = Self.connection(to: response, after: id)
            } catch {
                if !error.isTransient || deadline.isOver { connection = .closed }
                throw error
            }
        }

        private static func connection(
            to response: ArrivingResponse, after id: String
        ) -> Connection {
            guard response.httpResponse.statusCode != 204 else { return .closed }
            let parser = EventStreamParser(limit: response.partLimit, lastEventID: id)
            return .open(ParsedBody(response, parser))
        }
    }
}

extension EventStream.AsyncIterator: CustomReflectable {
    /// No children, because `dump(_:)` would print the request and what has arrived.
    public var customMirror: Mirror { .hidden(self) }
}
