import Foundation

/// Parameters that many requests have, declared once: `.limit(\.limit)` is
/// `.query("limit", path: \.limit)`.
struct SharedParameters {
    /// A parameter without the property that has its value.
    private struct Kind: Hashable {
        let name: String
        let type: String
        let before: String
        let after: String
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
        kinds = wanted.map(\.element).filter { declared.insert([$0.name, $0.type]).inserted }
        let shared = Set(kinds)
        for (index, all) in found.enumerated() {
            for (place, kind) in all.enumerated() {
                guard let kind, shared.contains(kind) else { continue }
                requests[index].parameters[place] = ".\(kind.name)(\\.\(kind.name))"
            }
        }
    }

    private static func kind(_ text: String, _ request: Request, _ writer: ModelWriter) -> Kind? {
        guard let start = text.range(of: "path: \\.") else { return nil }
        let rest = text[start.upperBound...]
        let name = rest.prefix { $0 != "," && $0 != ")" }
        guard let value = request.values.first(where: { $0.name.memberName == name }),
            value.constant == nil, !taken.contains(value.name),
            value.name.memberName == value.name,
            value.type.models.allSatisfy({ $0.path.isEmpty })
        else { return nil }
        let type = writer.text(value.type, isRead: false) + (value.isRequired ? "" : "?")
        return Kind(
            name: value.name, type: type, before: String(text[..<start.lowerBound]),
            after: String(rest.dropFirst(name.count)))
    }

    /// The declarations of the shared parameters.
    func lines() -> [String] {
        guard !kinds.isEmpty else { return [] }
        let functions = kinds.map { kind in
            let name = kind.name.escapedName
            let head =
                "static func \(name)(_ path: KeyPath<Root, \(kind.type)> & Sendable) -> Self {"
            let body = "\(kind.before)path: path\(kind.after)"
            let broken = [
                "static func \(name)(", "    _ path: KeyPath<Root, \(kind.type)> & Sendable",
                ") -> Self {",
            ]
            return (head.count + 4 <= Lines.width ? [head] : broken) + ["    \(body)", "}"]
        }
        return ["/// Parameters of many requests.", "extension Parameter {"]
            + functions.spaced.indented + ["}"]
    }
}
