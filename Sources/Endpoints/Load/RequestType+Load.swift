import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// Throws if a session can't send the `URLRequest` as it is, or if a callback or a publisher
    /// can't hand over the response.
    static func check(_ urlRequest: URLRequest) throws(EndpointError) {
        if endpoint.plan.streamsResponse {
            throw endpoint.plan.endpointError(
                FieldError(
                    .response,
                    "is a stream, which only async functions return; use `response(in:with:)`"))
        }
        if let refusal = urlRequest.refusal {
            throw EndpointError(requestType: "\(Self.self)", refusal)
        }
    }

    /// The typed result of a load.
    static func result(
        of load: Result<(Data, HTTPURLResponse), any Error>, of sent: SentRequest
    ) -> Result<Response, TaskError> {
        Result { () throws(TaskError) in
            switch load {
            case .success(let (data, httpResponse)):
                try decode(data, httpResponse, of: sent)
            case .failure(let error):
                throw TaskError(loading: error, Self.self).traced(sent.trace())
            }
        }
    }

    /// Decodes the response to a request, or throws the error that it means, with what was sent.
    static func decode(
        _ data: Data, _ httpResponse: HTTPURLResponse, of sent: SentRequest
    ) throws(TaskError) -> Response {
        do throws(TaskError) { return try decode(data, httpResponse, under: sent.policy) } catch {
            throw error.traced(sent.trace(data))
        }
    }
}
