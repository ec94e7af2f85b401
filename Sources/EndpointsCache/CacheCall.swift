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
    /// The fields that a `Vary` may name. Those that are a part of the place are empty here, so
    /// that no secret is stored, and a refreshed token changes nothing.
    let varying: [String: String]
    let directives: RequestDirectives
    let isHead: Bool
    /// The account that the request is sent for, as far as is known before.
    let account: String?

    /// `nil` if nothing is stored for such a request: its response arrives in pieces, its method
    /// isn't GET, HEAD or QUERY, its body isn't in memory, it has a range or a condition, or
    /// sign-ins on both sides of the cache add credentials to it.
    ///
    /// - Parameter isLookedUp: Whether the request isn't sent, so that the sign-in outside of the
    ///   cache, whose account it has, adds no header.
    init?(
        _ request: TransportRequest, _ accounts: Accounts, isLookedUp: Bool = false
    ) async throws {
        let method = request.urlRequest.method
        let fields = request.urlRequest.allHTTPHeaderFields ?? [:]
        guard let url = request.urlRequest.url, ["GET", "HEAD", "QUERY"].contains(method),
            !request.streamsResponse, request.urlRequest.httpBodyStream == nil,
            !fields.keys.contains(where: Self.isRangeOrCondition)
        else { return nil }
        var account = accounts.isEmpty ? nil : try await accounts.account(of: request)
        if let outer = request.account,
            fields.keys.contains(where: { ResponseFields.areEqual($0, outer.header) })
                || isLookedUp || request.isLookedUp
        {
            guard account == nil else { return nil }
            account = outer
        }
        if account == nil { request.account = nil }
        self.request = request
        self.url = url
        self.fields = fields
        isHead = method == "HEAD"
        self.account = account?.id
        directives = RequestDirectives(fields, policy: request.cachePolicy)
        let credentials: String
        (credentials, varying) = Self.credentials(in: fields, request.policy, account?.header)
        place = Place(
            url: url.cacheKey,
            content: Self.content(
                method, request.urlRequest.httpBody, fields, request.policy.redirects),
            account: account?.id ?? "", credentials: credentials)
    }

    /// What tells requests to one URL apart: which redirects are the response and, for QUERY, the
    /// body and what says how to read it (RFC 10008).
    private static func content(
        _ method: String, _ body: Data?, _ fields: [String: String],
        _ redirects: LoadPolicy.Redirects
    ) -> String {
        let unfollowed = redirects == .follow ? "" : "\(redirects)"
        guard method == "QUERY" || body != nil else { return unfollowed }
        let names = ["content-type", "content-encoding", "content-language"]
        let described = names.map { name in
            fields.first { ResponseFields.areEqual($0.key, name) }?.value ?? ""
        }
        let kind = method == "QUERY" ? method : ""
        let digest = Digest([UInt8](body ?? Data())).hex
        return ([unfollowed, kind, digest] + described).joined(separator: "\n")
    }

    /// The request's own secrets, and the fields without the values of all secrets. The secret of
    /// the sign-in changes with each refresh, so its account counts instead.
    private static func credentials(
        in fields: [String: String], _ policy: LoadPolicy, _ header: String?
    ) -> (text: String, others: [String: String]) {
        var (secrets, others): ([String], [String: String]) = ([], fields)
        for (name, value) in fields {
            let isOfSignIn = header.map { ResponseFields.areEqual($0, name) } == true
            guard isOfSignIn || !harmless.contains(name) && policy.hides(name, .usual)
            else { continue }
            others[name] = ""
            if !isOfSignIn { secrets.append("\(name.lowercased()):\(value)") }
        }
        return (secrets.isEmpty ? "" : secrets.sorted().joined(separator: "\n"), others)
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
    /// How the request uses what is stored: as the call says, or else its `URLRequest`. All copies
    /// of the request share what the call says.
    var cachePolicy: CachePolicy {
        get { distinction.map(CachePolicy.init(name:)) ?? CachePolicy(urlRequest.cachePolicy) }
        nonmutating set { distinction = newValue == .standard ? nil : newValue.name }
    }

    /// Whether the request is one for ``EndpointClient/stored(_:)``, which isn't sent. The sign-in
    /// outside of the cache then adds no header.
    var isLookedUp: Bool { cachePolicy == .storedOnly }
}
