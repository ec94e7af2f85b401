import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A step of a load. A transport calls ``TransportRequest/onStep`` with it when it happens.
///
///     struct Telling<Base: Transport>: Transport {
///         let base: Base   // tells nothing itself
///         func send(_ request: TransportRequest) async throws -> TransportResponse {
///             request.onStep?(.sent(request.urlRequest))
///             let response = try await base.send(request)
///             request.onStep?(.responded(response.httpResponse))
///             return response
///         }
///     }
///
/// A `URLSession` reports all of them on Apple platforms, and all but `connection` on Linux.
public indirect enum TransportStep: Sendable {
    /// A request is sent: the first one, one after a redirect, or the same one again because the
    /// server had closed the kept connection. A `URLSession` doesn't report when it sends a request
    /// again by itself.
    case sent(URLRequest)
    /// The head of a response has arrived, also that of a redirect.
    case responded(HTTPURLResponse)
    /// A redirect is followed, to this request.
    case redirected(to: URLRequest)
    /// What is known of the connection on which a request to this URL was sent. It may become known
    /// only when the body has arrived, as on Apple platforms.
    case connection(TransportConnection, to: URL?)
}

extension TransportStep: CustomReflectable {
    /// No children, because `dump(_:)` would print the requests and the responses.
    public var customMirror: Mirror { .hidden(self) }
}

/// What a transport knows of a connection, and of one request on it. What it doesn't know is `nil`.
///
///     var connection = TransportConnection()
///     connection.isReused = true
///     connection.networkProtocol = "h2"
public struct TransportConnection: Sendable {
    /// Whether an earlier request was sent on the same connection.
    public var isReused: Bool?
    /// The protocol as TLS negotiates it (ALPN): `http/1.1`, `h2` or `h3`.
    public var networkProtocol: String?
    /// The version of TLS, such as `TLS 1.3`; also `nil` for a connection without TLS.
    public var tlsVersion: String?
    /// Whether the response came from the session's `URLCache`, without a connection.
    public var isFromCache: Bool?
    /// The seconds that it took to find the host's address; `nil` for a connection that is reused,
    /// as for the next two.
    public var domainLookup: TimeInterval?
    /// The seconds that it took to connect, those of ``secureConnect`` included.
    public var connect: TimeInterval?
    /// The seconds of TLS's handshake.
    public var secureConnect: TimeInterval?
    /// The seconds that it took to send the request.
    public var sending: TimeInterval?
    /// The seconds from the end of the request to the first byte of the response.
    public var waiting: TimeInterval?
    /// The seconds from the first byte of the response to the last one.
    public var receiving: TimeInterval?
    /// How many bytes were sent, those of the head included.
    public var bytesSent: Int64?
    /// How many bytes were received, those of the head included, and compressed as they came.
    public var bytesReceived: Int64?

    /// A connection of which nothing is known.
    public init() {}
}
