import EndpointsDocuments

/// How a list goes on, where the document's convention is clear.
struct Paging {
    /// `.cursor(\.marker) { $0.nextMarker }`, or `.offset(\.offset)`.
    let text: Written
    /// The property of the response with the items; `nil` if the response is the list.
    let items: Property?

    /// The pages of a request that has a cursor and whose response has the next one, that has an
    /// offset, or whose response has links.
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
        guard case .object(let properties)? = type.model?.kind else { return nil }
        let lists = properties.filter(\.type.isList)
        guard lists.count == 1, let next = Self.next(request, properties) ?? Self.offset(request)
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
            $0.source.hasPrefix("query") && !$0.isRequired && $0.type == .string
                && $0.standard == nil
        }
        for cursor in cursors {
            let name = Written.member(cursor.name)
            for path in paths(to: cursor.name, properties) {
                return ".cursor(\\.\(name)) { $0.\(path) }"
            }
            if cursor.name == "after", let last = text("lastId", properties),
                let more = properties.first(where: { $0.swiftName == "hasMore" }),
                more.type == .plain("Bool")
            {
                return
                    ".cursor(\\.after) { $0.\(.member(more.swiftName)) == true ? $0.\(last) : nil }"
            }
        }
        return nil
    }

    /// Where the response has the next value of a cursor: `nextMarker` for `marker`, also in an
    /// object such as `meta`, or `nextPage.offset` for `offset`.
    private static func paths(to cursor: String, _ properties: [Property]) -> [Written] {
        let next = "next" + cursor.upperCamel
        let names = cursor.hasPrefix("next") ? [cursor] : [next]
        let own = names.compactMap { text($0, properties) }
        let inner = properties.compactMap { property -> Written? in
            guard !property.isBoxed, case .object(let inside)? = property.type.model?.kind else {
                return nil
            }
            let isNext = property.swiftName == "nextPage"
            guard
                let name = (names + (isNext ? [cursor] : [])).lazy
                    .compactMap({ text($0, inside) }).first
            else { return nil }
            let mark: Written = property.isRequired && !property.isNullable ? "" : "?"
            return "\(.member(property.swiftName))\(mark).\(name)"
        }
        return own + inner
    }

    private static func text(_ name: String, _ properties: [Property]) -> Written? {
        properties.first { $0.swiftName == name && $0.type == .string }
            .map { .member($0.swiftName) }
    }
}
