import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request whose response may be stored, and what a cache has to know of it.
struct CacheCall: Sendable {
    var request: TransportRequest
    let url: URL
    let place: Place
    let fields: [String: String]
    let directives: RequestDirectives
    let isHead: Bool
    /// The account that the request is sent for, as far as is known before.
    let account: String?

    /// `nil` if nothing is stored for such a request: its response arrives in pieces, its method
    /// isn't GET, HEAD or QUERY, its body isn't in memory, or it has a range or a condition.
    init?(_ request: TransportRequest, _ accounts: Accounts) async throws {
        let method = request.urlRequest.httpMethod ?? "GET"
        let fields = request.urlRequest.allHTTPHeaderFields ?? [:]
        guard let url = request.urlRequest.url, ["GET", "HEAD", "QUERY"].contains(method),
            !request.streamsResponse, request.urlRequest.httpBodyStream == nil,
            !fields.keys.contains(where: Self.isRangeOrCondition)
        else { return nil }
        var account = accounts.isEmpty ? nil : try await accounts.account(of: request)
        if account == nil, let outer = request.account,
            fields.keys.contains(where: { ResponseFields.areEqual($0, outer.header) })
                || request.isLookedUp
        {
            account = outer
        }
        if account == nil { request.account = nil }
        self.request = request
        self.url = url
        self.fields = fields
        isHead = method == "HEAD"
        self.account = account?.id
        directives = RequestDirectives(fields, policy: request.cachePolicy)
        place = Place(
            url: url.cacheKey,
            content: Self.content(method, request.urlRequest.httpBody, fields),
            account: account?.id ?? "",
            credentials: Self.credentials(in: fields, request.policy, but: account?.header))
    }

    /// What tells requests to one URL apart: for QUERY, the body and what says how to read it (RFC
    /// 10008).
    private static func content(
        _ method: String, _ body: Data?, _ fields: [String: String]
    ) -> String {
        guard method == "QUERY" || body != nil else { return "" }
        let names = ["content-type", "content-encoding", "content-language"]
        let described = names.map { name in
            fields.first { ResponseFields.areEqual($0.key, name) }?.value ?? ""
        }
        let kind = method == "QUERY" ? method : ""
        return ([kind, Digest([UInt8](body ?? Data())).hex] + described).joined(separator: "\n")
    }

    /// The request's own secrets. That of the sign-in changes with each refresh, so its account
    /// counts instead.
    private static func credentials(
        in fields: [String: String], _ policy: LoadPolicy, but header: String?
    ) -> String {
        var secrets: [String] = []
        for (name, value) in fields
        where header.map({ ResponseFields.areEqual($0, name) }) != true
            && !harmless.contains(name) && policy.hides(name, .usual)
        {
            secrets.append("\(name.lowercased()):\(value)")
        }
        return secrets.isEmpty ? "" : secrets.sorted().joined(separator: "\n")
    }

    /// Names of headers that most requests have, and that have no secrets.
    private static let harmless: Set<String> = [
        "Accept", "Accept-Language", "Content-Type", "Cache-Control", "User-Agent",
    ]

    private static func isRangeOrCondition(_ name: String) -> Bool {
        guard let first = name.utf8.first, first | 0x20 == UInt8(ascii: "i") || first | 0x20 == 0x72
        else { return false }
        return rangesAndConditions.contains(Headers(name: name))
    }

    private static let rangesAndConditions: Set<Headers> = [
        .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
    ]
}

extension TransportRequest {
    /// How the call uses what is stored. All copies of the request share it.
    var cachePolicy: CachePolicy {
        get { distinction.map(CachePolicy.init(name:)) ?? .standard }
        nonmutating set { distinction = newValue == .standard ? nil : newValue.name }
    }

    /// Whether the request is one for ``EndpointClient/stored(_:)``, which isn't sent. The sign-in
    /// outside of the cache then adds no header.
    var isLookedUp: Bool { cachePolicy == .storedOnly }
}
