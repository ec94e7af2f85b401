import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// Refuses a `URLRequest` of this type that a session can't send as it is.
    static func check(_ urlRequest: URLRequest) throws(EndpointError) {
        if let refusal = urlRequest.refusal {
            throw EndpointError(requestType: "\(Self.self)", refusal)
        }
    }

    /// What a load of a request of this type came to.
    static func result(
        of load: Result<(Data, HTTPURLResponse), any Error>
    ) -> Result<Response, TaskError> {
        Result { () throws(TaskError) in
            switch load {
            case .success(let answer): try decode(answer.0, answer.1)
            case .failure(let error): throw TaskError(loading: error, Self.self)
            }
        }
    }
}
