import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A step of a load, which ``Transport/monitored(masking:clock:_:)`` reports.
///
/// The description is one line, with `…` for secrets:
///
///     let transport = session.monitored { print($0) }
///     // #1 GetUser GET https://api.example.com/users/42: started
///     // #1 GetUser GET https://api.example.com/users/42: sent, 0.001 s
///     // #1 GetUser GET https://api.example.com/users/42: 200, first byte after 0.08 s, 0.081 s
///     // #1 GetUser GET https://api.example.com/users/42: on a new connection, h2, TLS 1.3, 0.09 s
///     // #1 GetUser GET https://api.example.com/users/42: finished, 512 bytes, 0.09 s
public struct LoadEvent: Sendable, CustomStringConvertible {
    /// What has happened.
    public enum Kind: Sendable {
        /// The load has reached the monitor, and goes on to the transport inside of it.
        case started
        /// The transport sends a request: for each attempt, and after each redirect.
        case sent
        /// The head of a response has arrived, also that of a redirect and of each attempt; the
        /// last one is that of the load. The time is from when the request was sent or, if the
        /// transport doesn't tell that, from the start of the load.
        case responded(status: Int, timeToFirstByte: TimeInterval)
        /// A redirect is followed to this URL, which is masked.
        case redirected(to: String)
        /// What the platform tells of the connection of a request.
        case connection(TransportConnection)
        /// The end: the body has been read, or its reader has left it. `isWhole` says whether it
        /// was read to its end.
        case finished(bytes: Int, isWhole: Bool)
        /// The end: the load has failed.
        case failed(any Error)
        /// The end: the load was cancelled.
        case cancelled
    }

    /// What has happened.
    public let kind: Kind
    /// A number that the events from a start to its end have and no others, counted from 1 in this
    /// process.
    public let number: Int
    /// The id of the load, which is also the ``LogEvent/loadID`` of its lines in a log. A monitor
    /// that reports several starts for a load, such as one for each attempt or for each lane of a
    /// download, has the same id in all of them.
    public let loadID: UUID
    /// The number of the attempt, counted from 1. It is 1 for all events of a monitor that is
    /// outside of `retrying()`.
    public let attempt: Int
    /// The name of the request type.
    public let requestType: String
    /// The path as it is declared, such as `/v1/users/{id}`; `nil` where
    /// ``TransportRequest/pathTemplate`` is.
    public let pathTemplate: String?
    /// The method of the request that was sent last.
    public let method: String
    /// The URL of the request that was sent last, or of that which the connection is about, without
    /// user info and fragment, and with `…` for secrets.
    public let url: String
    /// The seconds since the load has started, by the monitor's clock.
    public let seconds: TimeInterval
    /// How many bytes the request's body has; `nil` without one, or if that isn't known.
    public let bodyLength: Int64?
    /// The status of the last response; `nil` before a response has arrived.
    public var status: Int? { head?.statusCode }
    let sent: [String: String]
    let head: HTTPURLResponse?
    let masking: EventMasking

    /// The headers of the request that was sent last, with `…` for secrets. Those that other
    /// middleware adds are there from `sent` on.
    public var requestHeaders: [String: String] { masking.headers(sent) }

    /// The headers of the last response, with `…` for secrets; empty before a response has arrived.
    /// The dictionary compares names with their case, and Foundation may change it: `ETag` is
    /// `Etag` on Linux.
    public var responseHeaders: [String: String] { masking.headers(of: head) }

    /// Whether the event is the last one of its load or, inside of `retrying()`, of the attempt.
    public var isEnd: Bool {
        switch kind {
        case .finished, .failed, .cancelled: true
        case .started, .sent, .responded, .redirected, .connection: false
        }
    }

    /// One line, with `…` for secret values. The text of an error is that of ``LogEvent``.
    public var description: String {
        let attempt = attempt > 1 ? " (attempt \(attempt))" : ""
        let phrase = kind.phrase { masking.reason(of: $0) }
        let request = "#\(number) \(requestType) \(method) \(url)\(attempt): \(phrase)"
        return if case .started = kind { request } else { "\(request), \(seconds.rounded3) s" }
    }
}

extension LoadEvent.Kind: CustomStringConvertible, CustomReflectable {
    /// What has happened. Of an error it shows what ``SignInError/description`` shows of its cause.
    public var description: String { phrase { $0.safeReason } }
    /// No children, because `dump(_:)` would print the error, which may have the whole URL.
    public var customMirror: Mirror { .hidden(self) }

    fileprivate func phrase(_ reason: (any Error) -> String) -> String {
        switch self {
        case .started: "started"
        case .sent: "sent"
        case .responded(let status, let time): "\(status), first byte after \(time.rounded3) s"
        case .redirected(let url): "redirected to \(url)"
        case .connection(let connection): connection.phrase
        case .finished(let bytes, let isWhole):
            "finished, \(bytes) bytes\(isWhole ? "" : ", not read to the end")"
        case .failed(let error): "failed, \(reason(error))"
        case .cancelled: "cancelled"
        }
    }
}

extension LoadEvent: CustomReflectable {
    /// No children, because `dump(_:)` would print the error.
    public var customMirror: Mirror { .hidden(self) }
}

extension TransportConnection {
    fileprivate var phrase: String {
        if isFromCache == true { return "from the session's cache" }
        let kind = isReused.map { $0 ? "on a kept connection" : "on a new connection" }
        return [kind ?? "on a connection", networkProtocol, tlsVersion].compactMap(\.self)
            .joined(separator: ", ")
    }
}

extension TimeInterval {
    fileprivate var rounded3: TimeInterval { (self * 1000).rounded() / 1000 }
}
