import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response in a cache.
final class StoredResponse: Sendable {
    let url: URL
    let status: Int
    let fields: ResponseFields
    let body: Data
    let sent: Date
    let arrived: Date
    let selecting: SelectingFields
    /// What is made when the response is first used, as many never are.
    private let made = Locked(Made())

    private struct Made: Sendable {
        var freshness: Freshness?
        /// The head with the age that it was last used with.
        var head: (age: Int, head: HTTPURLResponse)?
    }

    init(
        url: URL, status: Int, fields: ResponseFields, body: Data, sent: Date, arrived: Date,
        selecting: SelectingFields
    ) {
        self.url = url
        self.status = status
        self.fields = fields
        self.body = body
        self.sent = sent
        self.arrived = arrived
        self.selecting = selecting
    }

    var freshness: Freshness {
        made.withLock { made in
            if let freshness = made.freshness { return freshness }
            let freshness = Freshness(status: status, fields, sent: sent, arrived: arrived)
            made.freshness = freshness
            return freshness
        }
    }

    /// The headers with which the server can validate the response (RFC 9111, section 4.3.1).
    var validators: [(name: String, value: String)] {
        [("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified")].compactMap {
            name, field in fields[field].map { (name, $0) }
        }
    }

    /// The response, with its present age (section 4). A HEAD has no body.
    func response(_ source: ResponseSource, at now: Date, isHead: Bool) -> TransportResponse? {
        let age = Int(min(max(0, freshness.age(at: now)), 0x1p31 - 1))
        let known = made.withLock { made in
            made.head?.age == age && source == .cache ? made.head?.head : nil
        }
        guard let head = known ?? makeHead(source, age: age) else { return nil }
        if known == nil, source == .cache { made.withLock { $0.head = (age, head) } }
        return TransportResponse(isHead ? Data() : body, head)
    }

    private func makeHead(_ source: ResponseSource, age: Int) -> HTTPURLResponse? {
        var fields = fields
        if source == .cache { fields["Age"] = String(age) }
        return StoredHead(
            url, status, fields.dictionary, isValidated: source == .validatedCache)
    }

    /// This response after the server has said that it is still valid (section 4.3.4).
    func updated(
        by newer: ResponseFields, sent: Date, arrived: Date, selecting: SelectingFields? = nil
    ) -> StoredResponse {
        var fields = fields.withoutRateLimit.updated(by: newer)
        // A message without a `Date` is as old as its arrival (RFC 9110, section 6.6.1).
        if newer["Date"] == nil { fields["Date"] = HTTPDate.text(arrived) }
        return StoredResponse(
            url: url, status: status, fields: fields, body: body, sent: sent,
            arrived: arrived, selecting: selecting ?? self.selecting)
    }
}
