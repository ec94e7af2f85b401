import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A transport that reports each request, and its response or error.
    ///
    ///     let transport = session.logged { print($0) }
    ///
    /// `.logged { … }.retrying()` reports each attempt. `.retrying().logged { … }` reports only the
    /// whole load.
    /// - Parameters:
    ///   - secretNames: Changes to ``SecretNames/usual``, the names of query items whose values are
    ///     hidden. With a name that is empty, each load ends with an ``EndpointError``.
    ///   - log: The function that is called with each event, on any thread.
    public func logged(
        masking secretNames: SecretNames = [], _ log: @escaping @Sendable (LogEvent) -> Void
    ) -> some Transport {
        Logged(
            base: self, secretNames: .usual.union(secretNames), log: log,
            wrong: WrongSetting(masking: secretNames, of: "logged", "write names, such as `token`"))
    }
}

struct Logged<Base: Transport>: Transport {
    let base: Base
    let secretNames: SecretNames
    let log: @Sendable (LogEvent) -> Void
    let wrong: WrongSetting?

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let wrong { throw wrong.error(request.requestType) }
        let record = LogRecord(request, secretNames, log)
        record.report(.request)
        do {
            var response = try await base.send(request)
            let head = response.httpResponse
            let (status, count) = (head.statusCode, Locked(0))
            response.body = try response.body.observed { chunk in
                count.withLock { $0 += chunk.count }
            } onEnd: { end in
                let bytes = count.withLock { $0 }
                switch end {
                case .whole:
                    record.report(.response(status: status, bytes: bytes, isWhole: true), of: head)
                case .dropped:
                    // There was nothing to read.
                    let isWhole = bytes == 0 && head.hasNoContent(method: request.urlRequest.method)
                    record.report(
                        .response(status: status, bytes: bytes, isWhole: isWhole), of: head)
                case .failed(let error): record.report(.failure(error), of: head)
                }
            }
            return response
        } catch {
            record.report(.failure(error))
            throw error
        }
    }
}

extension Logged: Observing {
    var inner: any Transport { base }
}

extension HTTPURLResponse {
    /// Whether the head says that no content follows (RFC 9110, sections 8.6, 9.3.2, 15.3.5, 15.3.6
    /// and 15.4.5).
    func hasNoContent(method: String) -> Bool {
        method == "HEAD" || [204, 205, 304].contains(statusCode)
            || value(forHTTPHeaderField: "Content-Length") == "0"
    }
}

private struct LogRecord: Sendable {
    private let request: TransportRequest
    private let id: UUID
    private let requestType: String
    private let pathTemplate: String?
    private let sent: [String: String]
    private let url: String
    private let uploadLength: Int64?
    private let masking: EventMasking
    private let log: @Sendable (LogEvent) -> Void
    private let start = TransportClock.system.uptime()

    init(
        _ request: TransportRequest, _ secretNames: SecretNames,
        _ log: @escaping @Sendable (LogEvent) -> Void
    ) {
        self.request = request
        self.log = log
        id = request.loadID
        requestType = "\(request.requestType)"
        pathTemplate = request.pathTemplate
        sent = request.urlRequest.allHTTPHeaderFields ?? [:]
        uploadLength = try? request.upload?.contentLength
        var masking = EventMasking(request, secretNames)
        url = masking.url(request.urlRequest.url)
        self.masking = masking
    }

    func report(_ kind: LogEvent.Kind, of head: HTTPURLResponse? = nil) {
        let isStart = if case .request = kind { true } else { false }
        log(
            LogEvent(
                kind: kind, loadID: id, requestType: requestType, pathTemplate: pathTemplate,
                method: request.urlRequest.method, url: url, attempt: request.attempt,
                uploadLength: uploadLength,
                seconds: isStart ? 0 : TransportClock.system.uptime() - start,
                whyNotRetried: isStart ? nil : request.whyNotRetried, sent: sent, head: head,
                masking: masking.noting(request)))
    }
}

extension TransportRequest {
    /// The id that all events of this request have, those of its later attempts included.
    var loadID: UUID {
        memory.withLock { memory in
            let id = memory[ObjectIdentifier(LoadIDKey.self)] as? UUID ?? UUID()
            memory[ObjectIdentifier(LoadIDKey.self)] = id
            return id
        }
    }
}

private enum LoadIDKey {}

extension LogEvent.Kind: CustomStringConvertible, CustomReflectable {
    /// What has happened. Of an error it shows what ``SignInError/description`` shows of its cause.
    public var description: String {
        switch self {
        case .request: "request"
        case .response(let status, let bytes, let isWhole):
            "\(status), \(bytes) bytes\(isWhole ? "" : ", not read to the end")"
        case .failure(let error): error.safeReason
        }
    }
    /// No children, because `dump(_:)` would print the error, which may have the whole URL.
    public var customMirror: Mirror { .hidden(self) }
}

extension LogEvent: CustomReflectable {
    /// No children, because `dump(_:)` would print the error.
    public var customMirror: Mirror { .hidden(self) }
}

/// What ``Transport/logged(masking:_:)`` reports: that a request is sent, that its response has
/// been read or dropped, or that the request has failed.
///
/// The description is one line, with `…` for secret query values:
///
///     let transport = session.logged { print($0) }
///     // GetUser GET https://api.example.com/users/42
///     // GetUser GET https://api.example.com/users/42 -> 200, 512 bytes, 0.081 s
///     // AddPhoto POST https://api.example.com/photos, sends 48213 bytes
///     // GetUser GET https://api.example.com/users/42 -> it took too long (URLError -1001), 60.0 s
public struct LogEvent: Sendable, CustomStringConvertible {
    /// What has happened.
    public enum Kind: Sendable {
        /// The request is sent.
        case request
        /// The response has been read or dropped: its status, how many bytes of its body were read,
        /// and whether the body was read to its end.
        case response(status: Int, bytes: Int, isWhole: Bool)
        /// The load has failed.
        case failure(any Error)
    }

    /// What has happened.
    public let kind: Kind
    /// The id of the load. All lines of one load have it, those of its later attempts included, so
    /// that they can be found among those of other loads.
    public let loadID: UUID
    /// The name of the request type.
    public let requestType: String
    /// The path as it is declared, such as `/v1/users/{id}`; `nil` where
    /// ``TransportRequest/pathTemplate`` is.
    public let pathTemplate: String?
    /// The method.
    public let method: String
    /// The URL without user info and fragment, and with `…` for each secret query value.
    public let url: String
    /// The number of the attempt, counted from 1.
    public let attempt: Int
    /// How many bytes the request's ``Upload`` has; `nil` without one, or if a file can't be read.
    public let uploadLength: Int64?
    /// The seconds since the request was sent; 0 for the kind `.request`.
    public let seconds: TimeInterval
    /// Why `retrying()` didn't send the failed request again, such as that its ``RetryBudget`` is
    /// spent; otherwise `nil`. In `.logged { … }.retrying()`, an attempt is reported before that is
    /// known, so read it in `.retrying().logged { … }`.
    public let whyNotRetried: String?
    fileprivate let sent: [String: String]
    fileprivate let head: HTTPURLResponse?
    fileprivate let masking: EventMasking

    /// The request's headers, with `…` for secrets. What a middleware between this one and the
    /// transport adds isn't there, such as the `Authorization` of `session.authorized(…)` in
    /// `session.authorized(…).logged { … }`.
    public var requestHeaders: [String: String] { masking.headers(sent) }

    /// The response's headers, with `…` for secrets; empty before a response has arrived. The
    /// dictionary compares names with their case, and Foundation may change it: `ETag` is `Etag`
    /// on Linux.
    public var responseHeaders: [String: String] { masking.headers(of: head) }

    /// One line, with `…` for secret values, and with ``whyNotRetried`` at its end. If the error is
    /// a `LocalizedError` of yours, its `errorDescription` is in the line, or `…` if that gives a
    /// value to a secret name, as in `token=t0k3n`. What the request sends as a secret is hidden in
    /// any case.
    public var description: String {
        let request =
            "\(requestType) \(method) \(url)" + (attempt > 1 ? " (attempt \(attempt))" : "")
        let time = "\((seconds * 1000).rounded() / 1000) s"
        let end = whyNotRetried.map { "; \($0)" } ?? ""
        switch kind {
        case .request:
            return request + (uploadLength.map { ", sends \($0) bytes" } ?? "")
        case .response: return "\(request) -> \(kind), \(time)\(end)"
        case .failure(let error):
            return "\(request) -> \(masking.reason(of: error)), \(time)\(end)"
        }
    }
}
