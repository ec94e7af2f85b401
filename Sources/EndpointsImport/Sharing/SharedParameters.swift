import EndpointsDocuments

/// Parameters that many requests have, declared once: `.limit(\.limit)` is
/// `.query("limit", path: \.limit)`.
struct SharedParameters {
    /// A parameter without the property that has its value.
    private struct Kind: Hashable {
        let name: String
        let type: Written
        let before: Written
        let after: Written
    }

    /// The characters that a shared parameter has to save in all requests together.
    private static let worth = 400
    private static let taken: Set<String> = ["query", "form", "part"]
    private var kinds: [Kind] = []

    init() {}

    /// Replaces the parameters in the requests.
    init(_ requests: inout [Request], _ writer: ModelWriter) {
        var counts: [Kind: Int] = [:]
        var order: [Kind] = []
        let found = requests.map { request in
            request.parameters.map { Self.kind($0, request, writer) }
        }
        for kind in found.flatMap(\.self).compactMap(\.self) {
            if counts[kind] == nil { order.append(kind) }
            counts[kind, default: 0] += 1
        }
        var declared: Set<[String]> = []
        let wanted = order.enumerated().filter { item in
            let kind = item.element
            let saved = kind.before.count + kind.after.count - kind.name.count - 2
            return saved * (counts[kind] ?? 0) >= Self.worth
        }.sorted { one, other in
            (-counts[one.element, default: 0], one.offset)
                < (-counts[other.element, default: 0], other.offset)
        }
        kinds = wanted.map(\.element).filter { declared.insert([$0.name, $0.type.text]).inserted }
        let shared = Set(kinds)
        for (index, all) in found.enumerated() {
            for (place, kind) in all.enumerated() {
                guard let kind, shared.contains(kind) else { continue }
                requests[index].parameters[place] = Request.Item(
                    before: ".\(.member(kind.name))(", value: kind.name, after: ")")
            }
        }
    }

    private static func kind(
        _ item: Request.Item, _ request: Request, _ writer: ModelWriter
    ) -> Kind? {
        guard let name = item.value, item.before.text.hasSuffix("path: "),
            let value = request.values.first(where: { $0.name == name }), value.constant == nil,
            !taken.contains(value.name), !Reserved.keywords.contains(value.name),
            value.type.models.allSatisfy({ $0.path.isEmpty })
        else { return nil }
        let type = writer.text(value.type, isRead: false)
        return Kind(
            name: value.name, type: value.isRequired ? type : "\(type)?", before: item.before,
            after: item.after)
    }

    /// The declarations of the shared parameters.
    func lines() -> [Written] {
        guard !kinds.isEmpty else { return [] }
        let functions = kinds.map { kind -> [Written] in
            let name = Written.name(kind.name)
            let head: Written =
                "static func \(name)(_ path: KeyPath<Root, \(kind.type)> & Sendable) -> Self {"
            let body: Written = "\(kind.before)path\(kind.after)"
            let broken: [Written] = [
                "static func \(name)(", "    _ path: KeyPath<Root, \(kind.type)> & Sendable",
                ") -> Self {",
            ]
            return (head.count + 4 <= Lines.width ? [head] : broken) + ["    \(body)", "}"]
        }
        return ["/// Parameters of many requests.", "extension Parameter {"]
            + functions.spaced.indented + ["}"]
    }
}
