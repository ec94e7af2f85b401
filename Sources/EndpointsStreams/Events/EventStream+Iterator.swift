import Endpoints
import Foundation

extension EventStream {
    /// An iterator over the events, which connects again when needed.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum Connection {
            case open(ParsedBody<EventStreamParser>)
            /// The connection has ended. The next connection sends this id, if it isn't empty.
            case lost(lastEventID: String)
            /// The connection has ended, and no other connection follows.
            case closed
        }

        private static var idField: String { "Last-Event-ID" }

        private let stream: EventStream
        private let decoder: any DecoderType
        private var connection: Connection
        private var backoff: Backoff

        init(_ stream: EventStream) {
            self.stream = stream
            decoder = stream.response.decoder
            backoff = Backoff(delay: 3, limit: stream.reconnectionLimit)
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
            guard let event = try await nextEvent() else { return nil }
            if stream.isEnd(event) {
                connection = .closed
                return nil
            }
            if Item.self == ServerSentEvent.self, let item = event as? Item { return item }
            do { return try decoder.decode(Item.self, from: Data(event.data.utf8)) } catch {
                throw stream.response.error(parsing: error)
            }
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
                guard case .lost = connection, let delay = backoff.next() else {
                    connection = .closed
                    if let failure { throw failure }
                    return nil
                }
                try await stream.response.wait(delay, stream.clock)
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
                    return event
                }
                lose(events.parser)
                return nil
            } catch {
                if stream.response.isTransient(error) { lose(events.parser) }
                throw error
            }
        }

        private mutating func lose(_ parser: EventStreamParser) {
            guard stream.response.canAskAgain else { return }
            connection = .lost(lastEventID: parser.lastEventID)
            if let retry = parser.retry { backoff.delay = retry }
        }

        private nonisolated(nonsending) mutating func connect(after id: String)
            async throws(StreamError)
        {
            do throws(StreamError) {
                let response = try await stream.response.again { request in
                    request.setValue(id.isEmpty ? nil : id, forHTTPHeaderField: Self.idField)
                }
                guard response.httpResponse.statusCode == 204 || response.httpResponse.isEventStream
                else {
                    throw stream.response.traced(
                        .unexpectedResponse(httpResponse: response.httpResponse))
                }
                connection = Self.connection(to: response, after: id)
            } catch {
                if !stream.response.isTransient(error) { connection = .closed }
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
