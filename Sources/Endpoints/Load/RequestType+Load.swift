import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// Throws if the response is a stream, which a callback and a publisher can't return.
    static func checkIsWhole() throws(EndpointError) {
        guard DeclaredStream(Response.self) != nil else { return }
        throw endpoint.plan.endpointError(
            FieldError(
                .response,
                "is a stream, which only async functions return; use `response(in:with:)`"))
    }

    /// Throws if a session can't send the `URLRequest` as it is, or if the response is a stream.
    static func check(_ urlRequest: URLRequest) throws(EndpointError) {
        try checkIsWhole()
        if let refusal = urlRequest.refusal {
            let sent = SentRequest(urlRequest, under: .default)
            throw EndpointError(requestType: "\(Self.self)", refusal).traced(sent.trace())
        }
    }

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

    /// Decodes a response. An error gets a trace of the load.
    package static func decode(
        _ data: Data, _ httpResponse: HTTPURLResponse, of sent: SentRequest
    ) throws(TaskError) -> Response {
        do throws(TaskError) { return try decode(data, httpResponse, under: sent.policy) } catch {
            throw error.traced(sent.trace(data, of: httpResponse))
        }
    }
}
