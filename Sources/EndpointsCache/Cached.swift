import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
        let start = clock.uptime()
        guard var call = try await CacheCall(request, accounts) else {
            if request.cachePolicy == .storedOnly { throw NotStoredError() }
            return try await sendOther(request)
        }
        let (found, response) = try lookUp(call)
        if let response { return response }
        if call.directives.policy == .storedOnly, isInnermost { throw NotStoredError() }
        // Asking a sign-in for its account may have taken time.
        if !accounts.isEmpty, let limit = request.policy.timeLimit {
            call.request.policy.timeLimit = limit - (clock.uptime() - start)
        }
        if call.directives.isOnlyIfCached, let head = CachedHead(call.url, 504, [:], .cache) {
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

    /// Sends a request for which nothing is stored. If its method isn't safe and it succeeds, drops
    /// what is stored for its URL, and for those of the same origin that its response names (RFC
    /// 9111, section 4.4).
    private func sendOther(_ request: TransportRequest) async throws -> TransportResponse {
        let response = try await base.send(request)
        let method = HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET")
        guard !method.isSafe, (200..<400).contains(response.httpResponse.statusCode),
            let url = request.urlRequest.url
        else { return response }
        shelf.drop(.url(url.cacheKey))
        for name in ["Location", "Content-Location"] {
            guard let reference = response.httpResponse.value(forHTTPHeaderField: name),
                let other = URL(reference: reference, at: url),
                let origin = Origin(of: other), origin == Origin(of: url)
            else { continue }
            shelf.drop(.url(other.cacheKey))
        }
        return response
    }
}

extension URL {
    /// The URL without its fragment, and without what two equal URLs may differ in: the port that
    /// the scheme has anyway, upper case in the scheme and the host, and the `/` of an empty path.
    var cacheKey: String {
        let text = absoluteString
        let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let start = text.utf8[..<end].dropFirst(8).firstIndex { "/?".utf8.contains($0) } ?? end
        let (head, rest) = (text.utf8[..<start], text[start..<end])
        let slash = rest.first == "/" ? "" : "/"
        let mayDiffer =
            head.dropFirst(6).contains(UInt8(ascii: ":"))
            || head.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        // A user in the URL, as in https://user@host, tells requests apart.
        guard mayDiffer, !head.contains(UInt8(ascii: "@")), let origin = Origin(of: self)
        else { return slash.isEmpty ? String(text[..<end]) : "\(text[..<start])\(slash)\(rest)" }
        let isUsual = origin.port == (origin.scheme == "http" ? 80 : 443)
        let port = isUsual ? "" : ":\(origin.port)"
        return "\(origin.scheme)://\(origin.host)\(port)\(slash)\(rest)"
    }

    /// Whether two URLs are the same but for their fragments, and for the `/` of an empty path.
    func isSame(as other: URL) -> Bool {
        if absoluteString == other.absoluteString { return true }
        return Origin(of: self) == Origin(of: other) && query == other.query
            && pathWithSlash == other.pathWithSlash
    }

    private var pathWithSlash: String {
        let path = URLComponents(url: self, resolvingAgainstBaseURL: true)?.percentEncodedPath
        return path?.isEmpty == false ? path ?? "/" : "/"
    }
}

/// The stored responses of a place, and the one for a request.
struct Found: Sendable {
    typealias Entry = (name: EntryName, response: StoredResponse)

    let all: [Entry]
    /// Those that the request selects (RFC 9111, section 4.1).
    let matching: [Entry]
    /// The newest of these.
    let selected: Entry?

    init(_ all: [Entry], _ fields: [String: String]) {
        self.all = all
        matching = all.filter { $0.response.selecting.match(fields) }
        selected = matching.max { $0.response.arrived < $1.response.arrived }
    }

    /// The headers that ask whether a stored response is valid (section 4.3.1): of the selected
    /// one, or else the entity tags of the others.
    var validators: [(name: String, value: String)] {
        if let selected { return selected.response.validators }
        let tags = all.compactMap { $0.response.fields["ETag"] }
        return tags.isEmpty ? [] : [("If-None-Match", Set(tags).sorted().joined(separator: ", "))]
    }

    /// The stored response that a 304 says is valid (section 4.3.4); `nil` if it isn't known which.
    func validated(by fields: ResponseFields) -> Entry? {
        let tag = fields["ETag"]
        if let selected {
            let own = selected.response.fields["ETag"]
            if tag == nil || own == nil || tag?.opaque == own?.opaque { return selected }
        }
        guard let tag else { return all.count == 1 ? all.first : nil }
        return all.first { $0.response.fields["ETag"]?.opaque == tag.opaque }
    }
}

extension String {
    /// An entity tag without its `W/` (RFC 9110, section 8.8.3.2).
    fileprivate var opaque: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
