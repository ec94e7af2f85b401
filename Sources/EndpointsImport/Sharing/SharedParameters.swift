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
    /// What is declared, with the comments that its values have in common.
    private var kinds: [(kind: Kind, comment: String?)] = []

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
        var comments: [Kind: [String: Int]] = [:]
        for (request, all) in zip(requests, found) {
            for (item, kind) in zip(request.parameters, all) {
                let value = request.values.first { $0.name == item.value }
                guard let kind, let comment = value?.comment else { continue }
                comments[kind, default: [:]][comment, default: 0] += comment.count
            }
        }
        var declared: Set<[String]> = []
        let wanted = order.enumerated().filter { item in
            let kind = item.element
            let saved = kind.before.count + kind.after.count - kind.name.count - 2
            let comment = comments[kind]?.values.max() ?? 0
            return saved * (counts[kind] ?? 0) + comment >= Self.worth
        }.sorted { one, other in
            (-counts[one.element, default: 0], one.offset)
                < (-counts[other.element, default: 0], other.offset)
        }
        let shared = wanted.map(\.element)
            .filter { declared.insert([$0.name, $0.type.text]).inserted }
        var uses: [Kind: [(request: Int, name: String?)]] = [:]
        let isShared = Set(shared)
        for (index, all) in found.enumerated() {
            for (place, kind) in all.enumerated() {
                guard let kind, isShared.contains(kind) else { continue }
                uses[kind, default: []].append((index, kind.name))
                requests[index].parameters[place] = Request.Item(
                    before: ".\(.member(kind.name))(", value: kind.name, after: ")")
            }
        }
        kinds = shared.map { ($0, requests.takeComment(of: uses[$0] ?? [])) }
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
        let functions = kinds.map { kind, comment -> [Written] in
            let comment = comment.map { Lines.comment($0, 4) } ?? []
            let name = Written.name(kind.name)
            let head: Written =
                "static func \(name)(_ path: KeyPath<Root, \(kind.type)> & Sendable) -> Self {"
            let body: Written = "\(kind.before)path\(kind.after)"
            let broken: [Written] = [
                "static func \(name)(", "    _ path: KeyPath<Root, \(kind.type)> & Sendable",
                ") -> Self {",
            ]
            return comment + (head.count + 4 <= Lines.width ? [head] : broken) + [
                "    \(body)", "}",
            ]
        }
        return ["/// Parameters of many requests.", "nonisolated extension Parameter {"]
            + functions.spaced.indented + ["}"]
    }
}
