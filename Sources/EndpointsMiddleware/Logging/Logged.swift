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
            response.body = record.following(response.body, response.httpResponse.statusCode)
            return response
        } catch {
            record.report(.failure(error))
            throw error
        }
    }
}

private final class LogRecord: Sendable {
    private let request: TransportRequest
    private let url: String
    private let uploadLength: Int64?
    private let secretNames: SecretNames
    private let log: @Sendable (LogEvent) -> Void
    private let start = DispatchTime.now()
    /// The status, and how many bytes of the body were read; `nil` if there is nothing to report.
    private let reading = Locked<(status: Int, bytes: Int)?>(nil)

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

    /// When this object is released, nobody reads the body any more, so the response is reported.
    deinit { end(isWhole: false) }

    func report(_ kind: LogEvent.Kind) {
        var nanoseconds: UInt64 = 0
        if case .request = kind {
        } else {
            nanoseconds = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
        }
        log(
            LogEvent(
                kind: kind, requestType: "\(request.requestType)",
                method: request.urlRequest.httpMethod ?? "GET", url: url,
                attempt: request.attempt, uploadLength: uploadLength,
                seconds: TimeInterval(nanoseconds) / 1e9, secretNames: secretNames))
    }

    /// The same body. The response is reported at once if the body is in memory, or else when the
    /// body has been read or dropped.
    func following(_ body: ResponseBody, _ status: Int) -> ResponseBody {
        if let count = body.count {
            report(.response(status: status, bytes: count, isWhole: true))
            return body
        }
        reading.withLock { $0 = (status, 0) }
        let chunks = Locked(body.makeAsyncIterator())
        return ResponseBody { [self] in
            var iterator = chunks.withLock { $0 }
            do {
                let chunk = try await iterator.next()
                reading.withLock { $0?.bytes += chunk?.count ?? 0 }
                if chunk == nil { end(isWhole: true) }
                return chunk
            } catch {
                if reading.withLock({ $0.take() }) != nil { report(.failure(error)) }
                throw error
            }
        }
    }

    private func end(isWhole: Bool) {
        guard let (status, bytes) = reading.withLock({ $0.take() }) else { return }
        report(.response(status: status, bytes: bytes, isWhole: isWhole))
    }
}
