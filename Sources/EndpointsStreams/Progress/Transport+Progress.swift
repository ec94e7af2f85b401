import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// Loads a request, reports how much of the body is sent, and returns the typed response.
    ///
    ///     let progress = UploadProgress(bar.progress)   // a `Foundation.Progress` of yours
    ///     let video = try await session.response(
    ///         in: .production, with: AddVideo(body: File(url)), progress: progress)
    ///
    /// A ``File``, a ``Multipart`` and declared parts are sent as an ``Upload``. For any other
    /// body, such as JSON, only the end is reported.
    /// - Throws: A ``RequestType/TaskError``.
    public nonisolated(nonsending) func response<Request: RequestType>(
        in environment: Request.Environment, with request: Request, progress: UploadProgress
    ) async throws(Request.TaskError) -> Request.Response {
        var message: TransportRequest
        do {
            let urlRequest = try request.urlRequest(in: environment)
            message = TransportRequest(urlRequest, of: request, in: environment)
        } catch {
            progress.fail()
            throw .endpointError(error)
        }
        message.upload?.observe = { try progress.report($0, of: $1) }
        do {
            let response = try await response(to: message, as: Request.self)
            progress.finish()
            return response
        } catch {
            progress.fail()
            throw error
        }
    }
}

extension EndpointClient {
    /// Loads a request, reports how much of the body is sent, and returns the typed response.
    ///
    ///     let progress = UploadProgress()
    ///     let video = try await api.response(to: AddVideo(body: File(url)), progress: progress)
    ///
    /// A ``File``, a ``Multipart`` and declared parts are sent as an ``Upload``. For any other
    /// body, such as JSON, only the end is reported.
    /// - Throws: A ``RequestType/TaskError``.
    public nonisolated(nonsending) func response<Request: RequestType>(
        to request: Request, progress: UploadProgress
    ) async throws(Request.TaskError) -> Request.Response
    where Request.Environment == Environment {
        try await transport.response(in: environment, with: request, progress: progress)
    }
}
