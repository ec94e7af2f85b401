import EndpointsDocuments

/// How a list goes on, where the document's convention is clear.
struct Paging {
    /// `.cursor(\.marker) { $0.nextMarker }`, `.offset(\.offset)` or `.url { $0.next }`.
    let text: Written
    /// The property of the response with the items; `nil` if the response is the list.
    let items: Property?

    /// The pages of a request that has a cursor and whose response has the next one, that has an
    /// offset, or whose response has a link to the next page.
    init?(_ request: Request, _ document: Document) throws {
        guard request.operation.method == "get", !request.hasHTTPResponse,
            !request.scope.models.contains(where: { $0.name == "Item" }),
            case .type(let type) = request.response
        else { return nil }
        if case .list = type {
            let link: Written? = try Self.hasLink(request, document) ? ".link()" : nil
            guard let text = link ?? Self.offset(request) else { return nil }
            (self.text, items) = (text, nil)
            return
        }
        guard let model = type.model, case .object(let properties) = model.kind else { return nil }
        let lists = properties.filter(\.type.isList)
        guard lists.count == 1,
            let next = try Self.next(request, properties) ?? Self.offset(request)
                ?? Self.url(model, properties, document)
        else { return nil }
        guard !lists[0].type.models.contains(where: { $0.name == "Item" }) else { return nil }
        (text, items) = (next, lists[0])
    }

    private static func hasLink(_ request: Request, _ document: Document) throws -> Bool {
        let responses = try request.operation.node.object("responses")?.members ?? []
        return try responses.contains { status in
            try status.name.hasPrefix("2")
                && document.resolved(status.node).object("headers")?.allMembers
                    .contains { $0.name.lowercased() == "link" } == true
        }
    }

    /// An optional number named `offset` in the query counts items from 0.
    private static func offset(_ request: Request) -> Written? {
        let offset = request.values.first {
            $0.source.hasPrefix("query") && $0.name.lowercased() == "offset" && !$0.isRequired
                && $0.type == .plain("Int")
        }
        return offset.map { ".offset(\\.\(.member($0.name)))" }
    }

    private static func next(_ request: Request, _ properties: [Property]) -> Written? {
        let cursors = request.values.filter {
            $0.source.hasPrefix("query") && !$0.isRequired && $0.standard == nil
                && [.string, .plain("Int")].contains($0.type)
        }
        for cursor in cursors {
            let name = Written.member(cursor.name)
            if let path = path(to: cursor, properties) {
                return ".cursor(\\.\(name)) { $0.\(path) }"
            }
            if cursor.name == "after", cursor.type == .string,
                let last = member("lastId", .string, properties),
                let more = member("hasMore", .plain("Bool"), properties)
            {
                return ".cursor(\\.after) { $0.\(more.path) == true ? $0.\(last.path) : nil }"
            }
        }
        return nil
    }

    /// Where the response has the next value of a cursor: `nextMarker` for `marker`, also in an
    /// object such as `meta`, or `nextPage.offset` for `offset`.
    private static func path(to cursor: Request.Value, _ properties: [Property]) -> Written? {
        let name = cursor.name
        var names = name.hasPrefix("next") ? [name] : ["next" + name.upperCamel]
        if name == "cursor" { names.append("nextPageCursor") }
        // Names that say that a value is for going on.
        if ["continuationToken", "continue"].contains(name) { names.append(name) }
        for name in names {
            if let found = member(name, cursor.type, properties) { return found.path }
        }
        for property in properties {
            guard let inside = inner(property) else { continue }
            // Cursors to both sides of the page.
            let isOfPage =
                property.swiftName == "nextPage"
                || name == "after" && member("before", cursor.type, inside) != nil
            for name in names + (isOfPage ? [name] : []) {
                guard let found = member(name, cursor.type, inside) else { continue }
                return "\(optional(property)).\(found.path)"
            }
        }
        return nil
    }

    /// Names of a URL of the next page that no other value has.
    private static let links = [
        "nextPageUrl", "nextPageUri", "nextUrl", "nextUri", "nextLink", "nextPageLink", "nextHref",
    ]

    /// The response's URL of the next page, which may be in an object such as `meta` or `links`.
    private static func url(
        _ model: Model, _ properties: [Property], _ document: Document
    ) throws -> Written? {
        if let path = try link(model, properties, document) { return ".url { $0.\(path) }" }
        for property in properties {
            guard let inside = inner(property), let model = property.type.model else { continue }
            if let path = try link(model, inside, document) {
                return ".url { $0.\(optional(property)).\(path) }"
            }
            guard property.swiftName == "links",
                let next = inside.first(where: { $0.swiftName == "next" })
            else { continue }
            var path: Written? = next.type == .string ? "next" : nil
            if let href = inner(next).flatMap({ member("href", .string, $0) }) {
                path = "\(optional(next)).\(href.path)"
            }
            if let path { return ".url { $0.\(optional(property)).\(path) }" }
        }
        return nil
    }

    private static func link(
        _ model: Model, _ properties: [Property], _ document: Document
    ) throws -> Written? {
        if let link = links.lazy.compactMap({ member($0, .string, properties) }).first {
            return link.path
        }
        guard
            let next = member("next", .string, properties)
                ?? member("nextPage", .string, properties)
        else { return nil }
        let schema = try document.node(at: model.pointer.description).map {
            try document.shape(of: $0).property(next.name)
        }
        let format = try (schema ?? nil).flatMap { node -> String? in
            let shape = try document.shape(of: node)
            return try shape.format
                ?? shape.parts.lazy.compactMap { try document.shape(of: $0).format }.first
        }
        let isURL = ["uri", "url", "uri-reference"].contains(format ?? "")
        // As Django REST framework has it.
        let names = Set(properties.map(\.name))
        return isURL || names.isSuperset(of: ["count", "next", "previous", "results"])
            ? next.path : nil
    }

    private static func member(
        _ name: String, _ type: SwiftType, _ properties: [Property]
    ) -> (name: String, path: Written)? {
        properties.first { $0.swiftName == name && $0.type == type }
            .map { ($0.name, .member($0.swiftName)) }
    }

    /// The members of a property that is an object.
    private static func inner(_ property: Property) -> [Property]? {
        guard !property.isBoxed, case .object(let inside)? = property.type.model?.kind else {
            return nil
        }
        return inside
    }

    private static func optional(_ property: Property) -> Written {
        let mark: Written = property.isRequired && !property.isNullable ? "" : "?"
        return "\(.member(property.swiftName))\(mark)"
    }
}
