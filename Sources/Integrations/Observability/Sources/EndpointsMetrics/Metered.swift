import CoreMetrics
import Dispatch
import Endpoints
import Foundation
import HTTPConventions

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A transport that measures each request, by OpenTelemetry's HTTP conventions, for the
    /// metrics system of swift-metrics.
    ///
    ///     let transport = URLSession.shared.metered().retrying()
    ///     // http.client.request.duration, of `GET` and `/v1/users/{id}`: 0.081 s
    ///
    /// - `http.client.request.duration`, a timer, as long as the span of `traced()`: until the head
    ///   of the response has arrived, and for a response that isn't a stream, the body.
    /// - `http.client.active_requests`, a meter: the requests whose response hasn't been read or
    ///   dropped. An event stream is active until its reader leaves it.
    /// - `http.client.request.body.size` and `http.client.response.body.size`, recorders of bytes
    ///   as they are transferred. A size that isn't known isn't recorded: that of a body that came
    ///   compressed and without `Content-Length`, or whose load failed.
    ///
    /// In `.retrying().metered()`, all attempts are one request. Written twice, it counts each
    /// request twice.
    public func metered() -> some Transport { Metered(base: self) }
}

private struct Metered<Base: Transport>: Transport {
    let base: Base

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let measured = Measurement(ClientRequest(request))
        do {
            var response = try await base.send(request)
            let head = response.httpResponse
            measured.recordDuration(status: head.statusCode, head.errorType)
            guard let count = response.body.count else {
                response.body = response.body.observed { count in
                    measured.end(of: head, read: count)
                }
                return response
            }
            measured.end(of: head, read: count)
            return response
        } catch {
            measured.recordDuration(status: nil, error.httpErrorType)
            measured.end(of: nil, read: nil)
            throw error
        }
    }
}

/// What is measured of one request.
private struct Measurement: Sendable {
    let request: ClientRequest
    /// The metrics system when the request was sent: a task may have one of its own.
    let factory = MetricsSystem.currentFactory
    let start = DispatchTime.now()

    init(_ request: ClientRequest) {
        self.request = request
        active.increment()
    }

    /// The requests that are active. The conventions leave the status out here.
    private var active: Meter {
        Meter(label: "http.client.active_requests", dimensions: dimensions(), factory: factory)
    }

    func recordDuration(status: Int?, _ errorType: String?) {
        let timer = CoreMetrics.Timer(
            label: "http.client.request.duration",
            dimensions: dimensions(status: status, errorType), factory: factory)
        timer.recordNanoseconds(
            DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds)
    }

    /// - Parameter count: How many bytes were read; `nil` if the load has failed.
    func end(of head: HTTPURLResponse?, read count: Int?) {
        active.decrement()
        guard let head else { return }
        let dimensions = dimensions(status: head.statusCode, head.errorType)
        if let size = request.bodySize {
            record(size, as: HTTPAttribute.requestBodySize, dimensions)
        }
        if let count, let size = head.transferredBytes(read: count) {
            record(size, as: HTTPAttribute.responseBodySize, dimensions)
        }
    }

    private func record(_ size: Int64, as name: String, _ dimensions: [(String, String)]) {
        // The metric of a size has the name of the attribute, after `http.client` in place of
        // `http`.
        let label = "http.client" + name.dropFirst("http".count)
        Recorder(label: label, dimensions: dimensions, aggregate: true, factory: factory)
            .record(size)
    }

    private func dimensions(
        status: Int? = nil, _ errorType: String? = nil
    ) -> [(String, String)] {
        let values: [(String, String?)] = [
            (HTTPAttribute.method, request.method), (HTTPAttribute.address, request.address),
            (HTTPAttribute.port, request.port.map { "\($0)" }),
            (HTTPAttribute.template, request.template),
            (HTTPAttribute.status, status.map { "\($0)" }), (HTTPAttribute.errorType, errorType),
        ]
        return values.compactMap { name, value in value.map { (name, $0) } }
    }
}

extension ResponseBody {
    /// The same body, with a function that is called once at the end with the number of bytes that
    /// were read, or with `nil` if the load failed: also if the reader leaves the body.
    fileprivate func observed(_ onEnd: @escaping @Sendable (Int?) -> Void) -> ResponseBody {
        let chunks = ObservedChunks(self, onEnd)
        return ResponseBody(chunks: { try await chunks.next() })
    }
}

private actor ObservedChunks {
    private var chunks: ResponseBody.AsyncIterator
    private var count = 0
    private var onEnd: (@Sendable (Int?) -> Void)?

    init(_ body: ResponseBody, _ onEnd: @escaping @Sendable (Int?) -> Void) {
        chunks = body.makeAsyncIterator()
        self.onEnd = onEnd
    }

    deinit { onEnd?(count) }

    func next() async throws -> Data? {
        // One task at a time calls this, so the copy isn't older than the iterator.
        var chunks = chunks
        do {
            let chunk = try await chunks.next(isolation: self)
            self.chunks = chunks
            count += chunk?.count ?? 0
            if chunk == nil { end(count) }
            return chunk
        } catch {
            end(nil)
            throw error
        }
    }

    private func end(_ count: Int?) {
        onEnd?(count)
        onEnd = nil
    }
}
