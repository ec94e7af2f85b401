import Endpoints
import EndpointsShared
import Foundation

extension WebLink {
    /// The links in a `Link` field (RFC 8288, appendix B) that are valid and have a relation.
    ///
    /// - Parameter base: The URL of the response.
    static func links(in field: String, at base: URL?) -> [WebLink] {
        var scanner = FieldScanner(field)
        var links: [WebLink] = []
        while !scanner.isAtEnd {
            if let link = WebLink(&scanner, at: base) { links.append(link) }
            scanner.skipMember()
        }
        return links
    }

    private init?(_ scanner: inout FieldScanner, at base: URL?) {
        scanner.skipBlanks()
        guard scanner.skip(.less) else { return nil }
        let target = scanner.text(before: .greater).trimmingBlanks
        guard scanner.skip(.greater) else { return nil }
        let parameters = scanner.parameters()
        guard let url = URL(reference: target, at: base) else { return nil }
        self.init(url, parameters, at: base)
    }

    private init?(_ url: URL, _ parameters: [(name: String, value: String)], at base: URL?) {
        var values = Dictionary(parameters) { first, _ in first }
        let relations = (values.removeValue(forKey: "rel") ?? "").lowercased()
            .split { $0 == " " || $0 == "\t" }
        guard !relations.isEmpty else { return nil }
        let anchor = values.removeValue(forKey: "anchor").map { URL(reference: $0, at: base) }
        if case .some(nil) = anchor { return nil }
        for (name, value) in values where name.last == "*" {
            values[name] = nil
            let name = String(name.dropLast())
            guard !["", "rel", "anchor"].contains(name), name.last != "*" else { continue }
            if let text = String(extendedValue: value) { values[name] = text }
        }
        self.url = url
        self.relations = relations.map(String.init)
        // An anchor counts as none if it is the response's URL without its fragment, to which an
        // empty reference is resolved.
        self.anchor = anchor == URL(reference: "", at: base) ? nil : anchor ?? nil
        attributes = values
    }
}
