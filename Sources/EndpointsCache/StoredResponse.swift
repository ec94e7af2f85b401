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

/// The header fields of a response. Their names compare without case.
struct ResponseFields: Sendable, Equatable {
    /// The names as they arrived, in no order, and their values. A field that came several times is
    /// one whose value has commas (RFC 9110, section 5.3).
    private(set) var list: [Field]

    struct Field: Sendable, Equatable {
        let name: String
        var value: String
    }

    init(_ list: [Field]) {
        self.list = list
    }

    init(_ httpResponse: HTTPURLResponse) {
        list = httpResponse.allHeaderFields.compactMap { key, value in
            guard let name = key as? String else { return nil }
            return Field(name: name, value: value as? String ?? "\(value)")
        }
    }

    subscript(name: String) -> String? {
        get { list.first { Self.areEqual($0.name, name) }?.value }
        set {
            list.removeAll { Self.areEqual($0.name, name) }
            if let newValue { list.append(Field(name: name, value: newValue)) }
        }
    }

    var dictionary: [String: String] {
        Dictionary(list.map { ($0.name, $0.value) }) { $1 }
    }

    static func areEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return left == right || left.lowercased() == right.lowercased()
    }

    /// These fields as they may be stored (RFC 9111, section 3.1): without those that are about one
    /// connection, and without those that `no-cache="…"` lists (section 5.2.2.4).
    var storable: ResponseFields {
        let connection = self["Connection"]?.listMembers ?? []
        var left = Self.ofOneConnection
        left.formUnion(connection)
        left.formUnion(CacheDirectives(self["Cache-Control"]).fieldNames("no-cache") ?? [])
        return without { left.contains($0) }
    }

    private func without(_ isLeftOut: (_ lowercasedName: String) -> Bool) -> ResponseFields {
        ResponseFields(list.filter { !isLeftOut($0.name.lowercased()) })
    }

    private static let ofOneConnection: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
        "proxy-authorization", "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]

    /// These fields without those that say how many requests the server allowed when it sent them.
    var withoutRateLimit: ResponseFields {
        without { name in
            ["ratelimit", "x-ratelimit", "x-rate-limit", "retry-after"].contains {
                name.hasPrefix($0)
            }
        }
    }

    /// These fields of a stored response, with those of a 304 in place of fields of the same name
    /// (RFC 9111, section 3.2). The length, the coding and the range are those of the stored body.
    func updated(by newer: ResponseFields) -> ResponseFields {
        let added = newer.storable.without { Self.ofBody.contains($0) }
        let replaced = Set(added.list.map { $0.name.lowercased() })
        return ResponseFields(without { $0 == "age" || replaced.contains($0) }.list + added.list)
    }

    private static let ofBody: Set<String> = [
        "content-length", "content-encoding", "content-range",
    ]
}

/// The request's header fields that a response was chosen by (RFC 9111, section 4.1).
struct SelectingFields: Sendable, Equatable {
    /// The names, in lower case and in order, and the request's values.
    let fields: [(name: String, value: String?)]
    /// Whether no later request is known to select the response: for `Vary: *`, and for a `Cookie`
    /// that the request doesn't show, because the session may add one.
    let matchesNothing: Bool

    init(fields: [(name: String, value: String?)], matchesNothing: Bool) {
        self.fields = fields
        self.matchesNothing = matchesNothing
    }

    init(vary: String?, of request: [String: String]) {
        let names = Set(vary?.listMembers ?? []).subtracting([""])
        fields = names.sorted().map { ($0, Self.value(of: $0, in: request)) }
        matchesNothing =
            names.contains("*") || fields.contains { $0.name == "cookie" && $0.value == nil }
    }

    func match(_ request: [String: String]) -> Bool {
        !matchesNothing
            && fields.allSatisfy { field in
                let value = Self.value(of: field.name, in: request)
                guard let value, let own = field.value else { return value == field.value }
                return value.hasSameBytes(as: own)
            }
    }

    /// A text that differs for different selecting fields.
    var text: String {
        fields.map { "\($0.name):\($0.value.map { "=\($0)" } ?? "")" }.joined(separator: "\n")
    }

    /// A value without blanks around its members, in which fields may differ without a meaning.
    private static func value(of name: String, in request: [String: String]) -> String? {
        guard let value = request.first(where: { ResponseFields.areEqual($0.key, name) })?.value
        else { return nil }
        guard value.utf8.contains(.comma) else { return value.trimmingBlanks }
        return value.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0).trimmingBlanks }.joined(separator: ",")
    }

    static func == (left: SelectingFields, right: SelectingFields) -> Bool {
        left.matchesNothing == right.matchesNothing && left.text == right.text
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
