extension Transport {
    /// A transport that limits how many requests are in flight to one origin. The others wait for
    /// their turn.
    ///
    ///     URLSession.shared.limited(perHost: 4)   // the fifth request waits for the end of one
    ///
    /// Requests are sent in the order in which they came. A request is in flight until its response
    /// has been returned or, if its body arrives in pieces, until the body has been read or
    /// dropped. Cancelling a request that waits ends it at once. A request that a
    /// ``CredentialSource`` sends in order to refresh a token neither takes a place nor waits.
    ///
    /// - Parameter count: The most requests in flight; less than 1 counts as 1.
    public func limited(perHost count: Int) -> some Transport {
        Limited(base: self, places: Places(count: max(1, count)))
    }
}

/// Limits how many requests are in flight to one origin.
struct Limited<Base: Transport>: Transport {
    let base: Base
    let places: Places

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // The requests that have the places may all be waiting for this refresh.
        guard !TokenRefresher.isRefreshing,
            let origin = request.urlRequest.url.flatMap(places.origin)
        else { return try await base.send(request) }
        try await places.enter(origin)
        do {
            var response = try await base.send(request)
            if response.body.count == nil {
                response.body = places.leaving(origin, afterReading: response.body)
            } else {
                places.leave(origin)
            }
            return response
        } catch {
            places.leave(origin)
            throw error
        }
    }
}
