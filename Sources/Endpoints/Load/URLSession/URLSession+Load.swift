import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession: Transport {
    /// Sends a request under its policy. If the `Task` is cancelled, throws `URLError(.cancelled)`.
    /// - Throws: A `URLError`; a ``FileError``; an ``EndpointError`` if the request can't be sent;
    ///   `CancellationError` if the `Progress` of an ``UploadProgress`` was cancelled.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try request.check()
        if request.streamsResponse { return try await stream(request) }
        let load = Load(of: request.urlRequest, by: self, under: request.policy)
        let (data, httpResponse) = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                load.start { continuation.resume(with: $0) }
            }
        } onCancel: {
            load.cancel()
        }
        return TransportResponse(data, httpResponse)
    }
}
