import Endpoints

extension Transport {
    /// A transport that limits how many requests are in flight to one origin: one scheme, host and
    /// port. Further requests wait.
    ///
    ///     URLSession.shared.limited(perOrigin: 4)   // a fifth request waits until one has ended
    ///
    /// Requests are sent in the order in which they came. A request is in flight until it fails or
    /// its response is returned. If the response's body arrives in chunks, the request is in flight
    /// until the body has been read or dropped. Cancelling a request that waits ends it at once. A
    /// request that a ``CredentialSource`` sends to get a token isn't limited, because all requests
    /// in flight may be waiting for that token.
    /// - Parameter count: The most requests in flight to one origin; less than 1 counts as 1.
    public func limited(perOrigin count: Int) -> some Transport {
        Limited(base: self, slots: Slots(count: max(1, count)))
    }
}

struct Limited<Base: Transport>: Transport {
    let base: Base
    let slots: Slots

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // A request that gets a token isn't limited: all requests in flight may wait for that
        // token.
        guard !TokenRefresher.isCallingAnySource,
            let origin = request.urlRequest.url.flatMap(slots.origin)
        else { return try await base.send(request) }
        try await slots.enter(origin)
        do {
            var response = try await base.send(request)
            if response.body.count == nil {
                response.body = slots.leaving(origin, afterReading: response.body)
            } else {
                slots.leave(origin)
            }
            return response
        } catch {
            slots.leave(origin)
            throw error
        }
    }
}
