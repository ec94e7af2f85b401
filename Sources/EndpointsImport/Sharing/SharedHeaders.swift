import EndpointsDocuments

/// The names of headers that many requests have, declared once: `.tenantId` is `"Tenant-Id"`.
struct SharedHeaders {
    private struct Header {
        let name: String
        let field: String
        let comment: String?
    }

    /// How many requests must have a header.
    private static let worth = 8
    private var headers: [Header] = []

    init() {}

    /// Replaces the names in the requests.
    init(_ requests: inout [Request]) {
        var (order, places) = ([String](), [String: [(request: Int, item: Int)]]())
        for (index, request) in requests.enumerated() {
            for (place, item) in request.headers.enumerated() {
                guard let key = item.header?.lowercased(), Reserved.headers[key] == nil else {
                    continue
                }
                if places[key] == nil { order.append(key) }
                places[key, default: []].append((index, place))
            }
        }
        var namer = Namer(taken: Set(Reserved.headers.values).union(["self", "init", "Type"]))
        for key in order {
            guard let uses = places[key], uses.count >= Self.worth,
                let field = requests[uses[0].request].headers[uses[0].item].header
            else { continue }
            let name = namer.name(field.withoutX.lowerCamel, or: "Header")
            let values = uses.map { ($0.request, requests[$0.request].headers[$0.item].value) }
            for use in uses {
                requests[use.request].headers[use.item].before = ".\(.member(name)): .field(path: "
            }
            headers.append(
                Header(name: name, field: field, comment: requests.takeComment(of: values)))
        }
    }

    /// The declarations of the shared names.
    func lines() -> [Written] {
        guard !headers.isEmpty else { return [] }
        let names = headers.map { header -> [Written] in
            (header.comment.map { Lines.comment($0, 4) } ?? []) + [
                "static let \(.name(header.name)): Headers = \(.literal(header.field))"
            ]
        }
        return ["/// Headers of many requests.", "nonisolated extension Headers {"]
            + names.flatMap(\.self).indented + ["}"]
    }
}

extension [Request] {
    /// Takes the comment that most of some values have from these, for what they share.
    mutating func takeComment(of values: [(request: Int, name: String?)]) -> String? {
        var counts: [String: Int] = [:]
        var order: [String] = []
        let all = values.compactMap { request, name -> (request: Int, value: Int)? in
            self[request].values.firstIndex { $0.name == name }.map { (request, $0) }
        }
        for place in all {
            guard let comment = self[place.request].values[place.value].comment else { continue }
            if counts[comment] == nil { order.append(comment) }
            counts[comment, default: 0] += 1
        }
        guard let most = counts.values.max(), most > 1 else { return nil }
        let comment = order.first { counts[$0] == most }
        for place in all where self[place.request].values[place.value].comment == comment {
            self[place.request].values[place.value].comment = nil
        }
        return comment
    }
}
