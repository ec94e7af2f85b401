import Endpoints
import Foundation

/// An event of an event stream (HTML Standard, section 9.2).
///
///     // event: price
///     // id: 7
///     // data: {"euros": 3}
///     ServerSentEvent(type: "price", data: #"{"euros": 3}"#, id: "7")
///
/// Several `data` lines are one text with line feeds between them. This struct is `Codable` because
/// an ``EventStream`` needs `Decodable` items, but the stream makes these events without a decoder.
public struct ServerSentEvent: Codable, Hashable, Sendable {
    /// The name of the event; `message` if the server gave none.
    public var type: String
    /// The text of the `data` lines.
    public var data: String
    /// The value of the last `id` line in or before this event, or else the `Last-Event-ID` of the
    /// request; `nil` if there is neither, or if the last `id` line is empty.
    ///
    /// A client that connects again sends the id as `Last-Event-ID`.
    public var id: String?
    /// How many seconds to wait before connecting again, as the server last said on the connection
    /// that brought this event; at most a day. `nil` if the server hasn't said it there.
    public var retry: TimeInterval?

    /// Makes an event, such as for a test.
    public init(
        type: String = "message", data: String, id: String? = nil, retry: TimeInterval? = nil
    ) {
        self.type = type
        self.data = data
        self.id = id
        self.retry = retry
    }

    /// Decodes the data of the event, as JSON unless you give another decoder.
    ///
    /// - Throws: What the decoder throws.
    public func decode<Value: Decodable>(
        _ type: Value.Type, with decoder: some DecoderType = JSONDecoder()
    ) throws -> Value {
        try decoder.located(type, from: Data(data.utf8))
    }
}
