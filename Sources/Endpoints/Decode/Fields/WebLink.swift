import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A link of a response's `Link` header (RFC 8288, section 3).
///
///     // Link: <?page=2>; rel="next", <?page=9>; rel="last"; title="The end"
///     let next = httpResponse.links[rel: "next"]?.url     // https://h/repos?page=2
///     let title = httpResponse.links[rel: "last"]?.title  // The end
public struct WebLink: Hashable, Sendable {
    /// Where the link leads: what the header says, read against the response's URL.
    public let url: URL
    /// What is there, such as `next`, in lower case (section 3.3); at least one.
    public let relations: [String]
    /// What the link is about, if that is not the response itself (section 3.2).
    public let anchor: URL?
    /// The link's other parameters by their names in lower case, the first value of each.
    ///
    /// The text of `title*` is under `title`.
    public let attributes: [String: String]

    /// What a reader is to see (section 3.4.1).
    public var title: String? { attributes["title"] }
    /// The media type that is expected there (section 3.4.1).
    public var type: MIMEType? { attributes["type"].map(MIMEType.init(rawValue:)) }
}

extension HTTPURLResponse {
    /// The links of the response's `Link` headers, in their order.
    ///
    /// Left out are links without a relation, and those whose target is not a URL that can be
    /// followed: one with user info or control characters, and an http URL without a host.
    public var links: [WebLink] {
        value(forHTTPHeaderField: "Link").map { WebLink.links(in: $0, at: url) } ?? []
    }
}

extension [WebLink] {
    /// The first link of a relation, such as `next`; its case makes no difference.
    ///
    /// A link with an ``WebLink/anchor`` is about something else than the response, and not found.
    public subscript(rel relation: String) -> WebLink? {
        let relation = relation.lowercased()
        return first { $0.anchor == nil && $0.relations.contains(relation) }
    }
}
