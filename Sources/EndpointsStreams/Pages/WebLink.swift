import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A link of a response's `Link` header (RFC 8288, section 3).
///
///     // GET https://h/repos
///     // Link: <?page=2>; rel="next", <?page=9>; rel="last"; title="The end"
///     let next = httpResponse.links[rel: "next"]?.url     // https://h/repos?page=2
///     let title = httpResponse.links[rel: "last"]?.title  // The end
public struct WebLink: Hashable, Sendable {
    /// The link's target, resolved against the response's URL.
    public let url: URL
    /// The relations, such as `next`, in lower case (RFC 8288, section 3.3); there is at least one.
    public let relations: [String]
    /// The URL that the link is about; `nil` for the response itself (RFC 8288, section 3.2).
    public let anchor: URL?
    /// The link's parameters except `rel` and `anchor`, by their names in lower case.
    ///
    /// If a parameter is given twice, its first value counts. A parameter such as `title*` is
    /// decoded, and its text replaces that of `title`.
    public let attributes: [String: String]

    /// The title, for people (RFC 8288, section 3.4.1).
    public var title: String? { attributes["title"] }
    /// The media type of the target, as a hint (RFC 8288, section 3.4.1).
    public var type: MIMEType? { attributes["type"].map(MIMEType.init(rawValue:)) }
}

extension HTTPURLResponse {
    /// The links of the response's `Link` headers, in their order.
    ///
    /// Links without a relation are left out. So are links whose target or anchor isn't usable,
    /// such as a URL with user info or control characters, or an http URL without a host.
    public var links: [WebLink] { links(includingUnusable: false) }

    /// The links, and perhaps those whose target is ``WebLink/unusable``.
    func links(includingUnusable: Bool) -> [WebLink] {
        value(forHTTPHeaderField: "Link").map {
            WebLink.links(in: $0, at: url, includingUnusable: includingUnusable)
        } ?? []
    }
}

extension [WebLink] {
    /// The first link with the given relation, such as `next`. Upper and lower case are the same.
    ///
    /// Links with an ``WebLink/anchor`` are ignored, as they aren't about the response.
    public subscript(rel relation: String) -> WebLink? {
        let relation = relation.lowercased()
        return first { $0.anchor == nil && $0.relations.contains(relation) }
    }
}

extension WebLink {
    /// Stands for a target that no client should follow. No request can be sent to it.
    static let unusable = URL(fileURLWithPath: "/")

    /// The links in a `Link` field (RFC 8288, appendix B) that are valid and have a relation.
    ///
    /// - Parameter base: The URL of the response.
    static func links(
        in field: String, at base: URL?, includingUnusable: Bool = false
    ) -> [WebLink] {
        var scanner = FieldScanner(field)
        var links: [WebLink] = []
        while !scanner.isAtEnd {
            if let link = WebLink(&scanner, at: base) { links.append(link) }
            scanner.skipMember()
        }
        return includingUnusable ? links : links.filter { $0.url != unusable }
    }

    private init?(_ scanner: inout FieldScanner, at base: URL?) {
        scanner.skipBlanks()
        guard scanner.skip(.less) else { return nil }
        let target = scanner.text(before: .greater).trimmingBlanks
        guard scanner.skip(.greater) else { return nil }
        let parameters = scanner.parameters()
        self.init(URL(reference: target, at: base) ?? Self.unusable, parameters, at: base)
    }

    private init?(_ url: URL, _ parameters: [(name: String, value: String)], at base: URL?) {
        var values = Dictionary(parameters) { first, _ in first }
        let relations = (values.removeValue(forKey: "rel") ?? "").lowercased()
            .split { $0 == " " || $0 == "\t" }
        guard !relations.isEmpty else { return nil }
        var anchor: URL?
        if let reference = values.removeValue(forKey: "anchor") {
            guard let url = URL(reference: reference, at: base) else { return nil }
            // An anchor counts as none if it is the response's URL without its fragment, to which
            // an empty reference is resolved.
            anchor = url == URL(reference: "", at: base) ? nil : url
        }
        for (name, value) in values where name.last == "*" {
            values[name] = nil
            let name = String(name.dropLast())
            guard !["", "rel", "anchor"].contains(name), name.last != "*" else { continue }
            if let text = String(extendedValue: value) { values[name] = text }
        }
        self.url = url
        self.relations = relations.map(String.init)
        self.anchor = anchor
        attributes = values
    }
}

extension String {
    /// The text of a parameter with a name that ends in `*` (RFC 8187, section 3.2).
    ///
    ///     UTF-8'de'n%C3%A4chstes%20Kapitel   ->  nächstes Kapitel
    ///
    /// `nil` if there are fewer than two `'`, the charset isn't UTF-8, the bytes aren't UTF-8, or a
    /// `%` isn't followed by two hexadecimal digits.
    init?(extendedValue: String) {
        let parts = extendedValue.utf8.split(
            separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, Substring(parts[0]).lowercased() == "utf-8",
            let text = Substring(parts[2]).removingPercentEncoding
        else { return nil }
        self = text
    }
}
