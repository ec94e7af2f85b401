import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
        let connection = self["Connection"]?.split(separator: ",").map { String($0).trimmingBlanks }
        var left = Self.ofOneConnection
        left.formUnion((connection ?? []).map { $0.lowercased() })
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
