import Endpoints
import Foundation

extension Transport {
    /// A transport that reports each request, and its response or error.
    ///
    ///     let transport = session.logged { print($0) }
    ///
    /// `.logged { … }.retrying()` reports each attempt. `.retrying().logged { … }` reports only the
    /// whole load.
    /// - Parameters:
    ///   - secretNames: The names of query items whose values are hidden.
    ///   - log: The function that is called with each event, on any thread.
    public func logged(
        masking secretNames: SecretNames = .usual, _ log: @escaping @Sendable (LogEvent) -> Void
    ) -> some Transport {
        Logged(base: self, secretNames: secretNames, log: log)
    }
}

struct Logged<Base: Transport>: Transport {
    let base: Base
    let secretNames: SecretNames
    let log: @Sendable (LogEvent) -> Void

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let record = LogRecord(request, secretNames, log)
        record.report(.request)
        do {
            var response = try await base.send(request)
            let (status, count) = (response.httpResponse.statusCode, Locked(0))
            response.body = try response.body.observed { chunk in
                count.withLock { $0 += chunk.count }
            } onEnd: { end in
                let bytes = count.withLock { $0 }
                switch end {
                case .whole: record.report(.response(status: status, bytes: bytes, isWhole: true))
                case .dropped:
                    record.report(.response(status: status, bytes: bytes, isWhole: false))
                case .failed(let error): record.report(.failure(error))
                }
            }
            return response
        } catch {
            record.report(.failure(error))
            throw error
        }
    }
}

private struct LogRecord: Sendable {
    private let request: TransportRequest
    private let url: String
    private let uploadLength: Int64?
    private let secretNames: SecretNames
    private let log: @Sendable (LogEvent) -> Void
    private let start = TransportClock.system.uptime()

    init(
        _ request: TransportRequest, _ secretNames: SecretNames,
        _ log: @escaping @Sendable (LogEvent) -> Void
    ) {
        self.request = request
        self.log = log
        self.secretNames = secretNames
        uploadLength = try? request.upload?.contentLength
        url = secretNames.masked(request.urlRequest.url)
    }

    func report(_ kind: LogEvent.Kind) {
        let isStart = if case .request = kind { true } else { false }
        log(
            LogEvent(
                kind: kind, requestType: "\(request.requestType)",
                method: request.urlRequest.httpMethod ?? "GET", url: url,
                attempt: request.attempt, uploadLength: uploadLength,
                seconds: isStart ? 0 : TransportClock.system.uptime() - start,
                secretNames: secretNames))
    }
}
