import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession: Transport {
    /// X
    public func load(
        _ request: URLRequest, _ policy: LoadPolicy
    ) async throws -> (Data, HTTPURLResponse) {
        let (data, response) = try await data(for: request)
        guard let response = response as? HTTPURLResponse else {
            throw URLError(.badServerResponse)
        }
        return (data, response)
    }
    func task(
        with r: URLRequest, _ policy: LoadPolicy,
        completion: @escaping @Sendable (Result<(Data, HTTPURLResponse), any Error>) -> Void
    ) -> URLSessionDataTask {
        dataTask(with: r) { d, r, e in
            completion(
                Result {
                    if let e { throw e }
                    guard let d, let r = r as? HTTPURLResponse else {
                        throw URLError(.badServerResponse)
                    }
                    return (d, r)
                })
        }
    }
}
extension URLRequest {
    func check<R: RequestType>(sentBy: R.Type) throws(EndpointError) {}
}
