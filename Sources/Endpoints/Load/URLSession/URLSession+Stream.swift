import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession {
    /// Sends a request and returns its response when the status and headers have arrived.
    func stream(_ request: TransportRequest) async throws -> TransportResponse {
        let buffer = ResponseBuffer(unreadLimit: request.policy.unreadLimit)
        let load = Load(
            of: request.urlRequest, by: self, under: request.policy, into: buffer)
        let reader = Reader(buffer: buffer, load: load)
        let httpResponse = try await withTaskCancellationHandler {
            load.start { buffer.end($0.map { $0.1 }) }
            return try await buffer.head()
        } onCancel: {
            load.cancel()
        }
        return TransportResponse(
            body: ResponseBody(chunks: { try await reader.next() }), httpResponse)
    }

    /// The load ends when the reader is released.
    private final class Reader: Sendable {
        let buffer: ResponseBuffer
        let load: Load

        init(buffer: ResponseBuffer, load: Load) {
            self.buffer = buffer
            self.load = load
        }

        deinit {
            load.cancel()
        }

        func next() async throws -> Data? {
            try Task.checkCancellation()
            return try await withTaskCancellationHandler {
                try await buffer.next()
            } onCancel: {
                load.cancel()
            }
        }
    }
}
