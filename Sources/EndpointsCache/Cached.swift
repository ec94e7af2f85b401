import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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

struct Cached<Base: Transport>: Transport {
    let base: Base
    let shelf: Shelf
    let clock: TransportClock
    let accounts: Accounts
    /// Whether no other cache is inside of this one.
    private let isInnermost: Bool

    init(base: Base, shelf: Shelf, clock: TransportClock) {
        self.base = base
        self.shelf = shelf
        self.clock = clock
        accounts = Accounts(inside: base)
        isInnermost = !base.layers.contains { $0 is any CacheLayer }
        accounts.addListener { [weak shelf] in shelf?.drop(.account($0)) }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let deadline = Deadline(of: request, clock)
        guard var call = try await CacheCall(request, accounts) else {
            if request.cachePolicy == .storedOnly { throw NotStoredError() }
            return try await sendOther(request)
        }
        let (found, response) = try lookUp(call)
        if let response { return response }
        if call.directives.policy == .storedOnly, isInnermost { throw NotStoredError() }
        // Asking a sign-in for its account may have taken time.
        if !accounts.isEmpty { call.request = deadline.shortened(call.request) }
        if call.directives.isOnlyIfCached,
            let head = StoredHead(call.url, 504, [:], isValidated: false)
        {
            return TransportResponse(Data(), head)
        }
        return try await load(call, found)
    }

    /// What is stored for a request, and the response if it may be used without asking the server.
    func lookUp(_ call: CacheCall) throws -> (found: Found, response: TransportResponse?) {
        let store = try shelf.store.get()
        let now = clock.date()
        let found = Found(store.responses(at: call.place), call.varying)
        guard let selected = found.selected else { return (found, nil) }
        let reuse = call.directives.reuse(of: selected.response.freshness, at: now)
        guard reuse != .validate,
            let response = selected.response.response(.cache, at: now, isHead: call.isHead)
        else { return (found, nil) }
        store.use(selected.name)
        if reuse == .useAndValidate { validate(call, found, selected.name) }
        return (found, response)
    }

    /// Validates a stale response that is used meanwhile (RFC 5861, section 3).
    private func validate(_ call: CacheCall, _ found: Found, _ name: EntryName) {
        guard shelf.beginValidation(of: name) else { return }
        Task {
            _ = try? await load(call, found)
            shelf.endValidation(of: name)
        }
    }

    /// Sends a request for which nothing is stored, and drops what it may have changed.
    private func sendOther(_ request: TransportRequest) async throws -> TransportResponse {
        let first = request.urlRequest
        func dropOutdated(_ head: HTTPURLResponse?) {
            guard !HTTPMethod(rawValue: first.method).isSafe else { return }
            let outdated = Invalidation.urls(after: first, request.allRedirects, head)
            for key in Set(outdated.map(\.cacheKey)) { shelf.drop(.url(key)) }
        }
        do {
            let response = try await base.send(request)
            dropOutdated(response.httpResponse)
            return response
        } catch {
            dropOutdated(nil)
            throw error
        }
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

extension Cached: StoredResponses {
    func stored(insteadOf request: TransportRequest) async -> TransportResponse? {
        guard let call = try? await CacheCall(request, accounts, isLookedUp: true),
            let (found, response) = try? lookUp(call)
        else { return nil }
        return response ?? stale(call, found)
    }
}

extension Cached {
    /// Asks the server, and stores what it says.
    func load(_ call: CacheCall, _ found: Found) async throws -> TransportResponse {
        let deadline = Deadline(of: call.request, clock)
        let conditional = conditional(call, found)
        let type = TypeNames.name(of: call.request.requestType)
        let number = shelf.begin(call, type)
        defer { shelf.end(number) }
        do {
            let response = try await load(call, found, sending: conditional, type, number)
            if let response { return response }
        } catch {
            guard error.isLossOfServer, !shelf.isVoid(number), let stale = stale(call, found)
            else { throw error }
            return stale
        }
        // The server has said that a response is valid which isn't this account's, isn't stored, or
        // is of another URL, to which this one leads.
        return try await base.send(try deadline.limited(call.request))
    }

    /// The request with the conditions that let the server say that a stored response is valid.
    private func conditional(_ call: CacheCall, _ found: Found) -> TransportRequest {
        var request = call.request
        guard call.directives.policy != .reload else {
            if !call.fields.keys.contains(where: { ResponseFields.areEqual($0, "Cache-Control") }) {
                request.urlRequest.setValue("no-cache", forHTTPHeaderField: "Cache-Control")
            }
            return request
        }
        guard !call.isHead else { return request }
        for (name, value) in found.validators {
            request.urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }

    /// `nil` if the request must be sent once more, without conditions.
    private func load(
        _ call: CacheCall, _ found: Found, sending request: TransportRequest, _ type: String,
        _ number: Int
    ) async throws -> TransportResponse? {
        let sent = clock.date()
        var response = try await base.send(request)
        let arrived = clock.date()
        let head = response.httpResponse
        let isValidated = head.statusCode == 304 && !found.validators.isEmpty && !call.isHead
        let isOfAccount = request.account?.id == call.account
        let isOfURL =
            request.redirects.isEmpty && head.url.map { $0.isSame(as: call.url) } ?? true
        if !isOfURL, isOfAccount, !call.directives.forbidsStoring,
            !Self.failures.contains(head.statusCode)
        {
            // The URL leads to another one now.
            shelf.drop(.variants(of: call.place))
        }
        if isValidated, call.directives.policy != .reload {
            guard isOfAccount, isOfURL, let old = found.validated(by: ResponseFields(head)) else {
                return nil
            }
            let fields = ResponseFields(head)
            let vary = fields["Vary"] ?? old.response.fields["Vary"]
            let new = old.response.updated(
                by: fields, sent: sent, arrived: arrived,
                selecting: SelectingFields(vary: vary, of: call.varying))
            store(new, for: call, found, type, number)
            return new.response(.validatedCache, at: arrived, isHead: false)
        }
        if Self.failures.contains(head.statusCode), !shelf.isVoid(number),
            let stale = stale(call, found)
        {
            return stale
        }
        guard isOfAccount, isOfURL else { return response }
        if call.isHead {
            freshen(call, found, ResponseFields(head), head.statusCode, sent, arrived, number)
            return response
        }
        let fields = ResponseFields(head)
        let count = response.body.count
        guard
            Storability.mayStore(
                status: head.statusCode, fields, bodyCount: count ?? .max, to: call.directives)
        else {
            if Storability.outdatesOthers(head.statusCode), !call.directives.forbidsStoring {
                shelf.drop(.variants(of: call.place))
            }
            return response
        }
        let data = try await response.body.data(upTo: request.policy.wholeBodyLimit)
        if count == nil { response.body = ResponseBody(data) }
        guard Storability.isWhole(fields, data.count, head.statusCode) else { return response }
        let new = StoredResponse(
            url: call.url, status: head.statusCode, fields: fields.storable, body: data,
            sent: sent, arrived: arrived,
            selecting: SelectingFields(vary: fields["Vary"], of: call.varying))
        store(new, for: call, found, type, number)
        return response
    }

    /// Stores a response in place of those that the request has selected before, which are older.
    private func store(
        _ new: StoredResponse, for call: CacheCall, _ found: Found, _ type: String, _ number: Int
    ) {
        guard !call.directives.forbidsStoring else { return }
        guard !Storability.isForbidden(new.status, CacheDirectives(new.fields["Cache-Control"]))
        else { return shelf.drop(.variants(of: call.place)) }
        let name = EntryName(place: call.place, type: type, variant: new.selecting.text)
        let older = found.matching.map(\.name)
        shelf.end(number) { $0.store(new, as: name, over: older) }
    }

    /// Updates a stored response by that to a HEAD, or drops it if the HEAD tells that it has
    /// changed (RFC 9111, section 4.3.5).
    private func freshen(
        _ call: CacheCall, _ found: Found, _ fields: ResponseFields, _ status: Int, _ sent: Date,
        _ arrived: Date, _ number: Int
    ) {
        guard status == 200, let old = found.selected, !call.directives.forbidsStoring
        else { return }
        let isSame = ["ETag", "Last-Modified", "Content-Length"].allSatisfy { name in
            fields[name] == nil || old.response.fields[name] == nil
                || fields[name] == old.response.fields[name]
        }
        guard isSame else { return shelf.drop(.entry(old.name)) }
        let new = old.response.updated(by: fields, sent: sent, arrived: arrived)
        guard !Storability.isForbidden(new.status, CacheDirectives(new.fields["Cache-Control"]))
        else { return shelf.drop(.entry(old.name)) }
        shelf.end(number) { $0.store(new, as: old.name, over: []) }
    }

    /// The stale response that is used because the server has failed, if there is one.
    func stale(_ call: CacheCall, _ found: Found) -> TransportResponse? {
        let now = clock.date()
        guard let selected = found.selected,
            call.directives.usesStaleAfterError(selected.response.freshness, at: now)
        else { return nil }
        return selected.response.response(.cache, at: now, isHead: call.isHead)
    }

    /// The statuses after which a stale response may be used (RFC 5861, section 4).
    private static var failures: Set<Int> { [500, 502, 503, 504] }
}

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
            guard isOfSignIn || !harmless.contains(name) && policy.hides(name)
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
