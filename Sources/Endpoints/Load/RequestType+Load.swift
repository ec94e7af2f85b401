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
                FieldError(.response, "is a stream, which only `response(in:with:)` can hand over"))
        }
        if let refusal = urlRequest.refusal {
            throw EndpointError(requestType: "\(Self.self)", refusal)
        }
    }

    /// The typed result of a load under a policy.
    static func result(
        of load: Result<(Data, HTTPURLResponse), any Error>, under policy: LoadPolicy
    ) -> Result<Response, TaskError> {
        Result { () throws(TaskError) in
            switch load {
            case .success(let (data, httpResponse)):
                try decode(data, httpResponse, under: policy)
            case .failure(let error): throw TaskError(loading: error, Self.self)
            }
        }
    }
}
