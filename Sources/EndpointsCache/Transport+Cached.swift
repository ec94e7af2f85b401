import Endpoints
import EndpointsShared
import Foundation

extension Transport {
    /// A transport that stores responses, and uses them again as the server allows (RFC 9111).
    ///
    ///     let api = EndpointClient(
    ///         URLSession.shared.cached(in: .memory(megabytes: 20)).retrying(), in: .production)
    ///     // 200, Cache-Control: max-age=60  ->  for a minute, the stored response
    ///     // 200, ETag: "1"                  ->  If-None-Match: "1"; after a 304, what is stored
    ///
    /// This is a private cache: it stores responses also to requests with credentials, and gives
    /// them only to requests with the same ones. Those are the headers with secrets, and the
    /// account of an ``Transport/authorized(by:header:clock:)`` inside or outside of this
    /// transport. When the account signs out, its responses are dropped.
    ///
    /// Streams, requests with a `Range` or with conditions of their own, and responses after a
    /// redirect are passed on and not stored.
    /// - Parameters:
    ///   - storage: Where the responses are stored.
    ///   - clock: The clock that tells how old a response is.
    public func cached(
        in storage: CacheStorage, clock: TransportClock = .system
    ) -> some Transport {
        Cached(base: self, shelf: storage.shelf, clock: clock)
    }
}

/// A cache among the layers of a transport.
protocol CacheLayer: Layer {
    var shelf: Shelf { get }

    /// What is stored for a request; `nil` if nothing is that may be used.
    func stored(_ request: TransportRequest) async throws -> TransportResponse?
}

extension Cached: CacheLayer, AccountKeeping {
    var inner: any Transport { base }

    func drop(_ ended: EndedAccounts) {
        ended.addListener { [weak shelf] in shelf?.drop(.account($0)) }
    }

    func stored(_ request: TransportRequest) async throws -> TransportResponse? {
        guard let call = try await CacheCall(request, accounts) else { return nil }
        return try lookUp(call).response
    }
}
