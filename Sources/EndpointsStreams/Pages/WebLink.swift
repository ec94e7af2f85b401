import Endpoints
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
    public var links: [WebLink] {
        value(forHTTPHeaderField: "Link").map { WebLink.links(in: $0, at: url) } ?? []
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
