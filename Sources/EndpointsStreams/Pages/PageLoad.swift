import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The load of one page. With prefetching, `start()` begins it before the caller's loop over the
/// pages asks for this page. Releasing this object cancels a load that `start()` began.
final class PageLoad: Sendable {
    private let request: TransportRequest
    private let transport: any Transport
    private let begun = Locked<Begun?>(nil)

    private struct Begun {
        let sent: TransportRequest
        let task: Task<(Data, HTTPURLResponse), any Error>
    }

    init(of request: TransportRequest, by transport: any Transport) {
        self.request = request
        self.transport = transport
    }

    var url: URL? { request.urlRequest.url }

    deinit { begun.withLock { $0 }?.task.cancel() }

    func start() {
        let (request, transport) = (request, transport)
        begun.withLock { begun in
            begun = Begun(
                sent: request.startingNow(),
                task: Task { try await transport.load(request) })
        }
    }

    /// The request and its response. If the load has not begun, it begins now.
    func result<Request: RequestType>(
        _ type: Request.Type
    ) async throws(Request.TaskError) -> (TransportRequest, Data, HTTPURLResponse) {
        let begun = begun.withLock { $0 }
        let sent = begun?.sent ?? request.startingNow()
        do {
            let (data, httpResponse) =
                if let task = begun?.task {
                    try await withTaskCancellationHandler {
                        try await task.value
                    } onCancel: {
                        task.cancel()
                    }
                } else {
                    try await transport.load(request)
                }
            return (sent, data, httpResponse)
        } catch { throw Request.TaskError(loading: error, type).traced(by: sent) }
    }
}
