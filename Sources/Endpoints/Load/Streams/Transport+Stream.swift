import Foundation

extension Transport {
    /// Sends a request and returns the response's stream. Throws if the response isn't a success.
    func stream<Request: RequestType>(
        _ request: TransportRequest, as type: Request.Type
    ) async throws(Request.TaskError) -> sending Request.Response {
        let sent = SentRequest(request)
        let response: TransportResponse
        var errorData: Data?
        do {
            response = try await send(request)
            if !Request.succeeded(response.httpResponse, data: Data()) {
                errorData = try await response.body.data(upTo: request.policy.partLimit)
            }
        } catch { throw Request.TaskError(loading: error, type).traced(sent.trace()) }
        if let errorData {
            throw Request.failure(from: errorData, response.httpResponse, under: request.policy)
                .traced(sent.trace(errorData, of: response.httpResponse))
        }
        let source = ArrivingResponse.Source(request: request, transport: self, sent: sent)
        do throws(Request.TaskError) {
            return try Request.stream(ArrivingResponse(response, to: type, from: source))
        } catch { throw error.traced(sent.trace(status: response.httpResponse.statusCode)) }
    }
}

extension RequestType {
    fileprivate static func stream(
        _ response: ArrivingResponse
    ) throws(TaskError) -> Response {
        do {
            let value = try DeclaredStream(Response.self)?.value(response)
            guard let value = value as? Response else { throw UnreadableContent.none }
            return value
        } catch {
            throw .responseParseError(
                httpResponse: response.httpResponse, data: Data(),
                error: EndpointParseError(Self.self, cause: error))
        }
    }
}
