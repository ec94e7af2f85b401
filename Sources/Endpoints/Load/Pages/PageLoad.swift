import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The load of one page, which may begin before the page is asked for. It ends when nothing holds
/// it any more.
final class PageLoad: Sendable {
    private let request: TransportRequest
    private let transport: any Transport
    private let task = Locked<Task<(Data, HTTPURLResponse), any Error>?>(nil)

    init(of request: TransportRequest, by transport: any Transport) {
        self.request = request
        self.transport = transport
    }

    var url: URL? { request.urlRequest.url }
    var policy: LoadPolicy { request.policy }

    deinit { task.withLock { $0 }?.cancel() }

    /// Begins the load.
    func start() {
        let (request, transport) = (request, transport)
        task.withLock { task in
            task = Task { try await Self.load(request, transport) }
        }
    }

    /// What was loaded; loads it now if that has not begun.
    func result<Request: RequestType>(
        _ type: Request.Type
    ) async throws(Request.TaskError) -> (Data, HTTPURLResponse) {
        let task = task.withLock { $0 }
        do {
            guard let task else { return try await Self.load(request, transport) }
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch { throw Request.TaskError(loading: error, type) }
    }

    @concurrent
    private static func load(
        _ request: TransportRequest, _ transport: any Transport
    ) async throws -> (Data, HTTPURLResponse) {
        let response = try await transport.send(request)
        let data = try await response.body.data(upTo: request.policy.wholeBodyLimit)
        return (data, response.httpResponse)
    }
}
