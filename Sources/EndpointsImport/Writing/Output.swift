import EndpointsDocuments

/// The files that a plan becomes: their names, and their texts.
struct Output {
    private(set) var files: [(name: String, text: String)] = []
    private let plan: Plan
    private let writer: ModelWriter
    private var namer = Namer(taken: [
        "server.swift", "models.swift", "support.swift", "calls.swift", "signin.swift",
        "main.swift",
        "documenttests.swift", "package.swift",
    ])

    /// - Parameter edited: The texts of the files in the folder that a person has edited, which
    ///   stay and need their pieces of `Support.swift`.
    init(
        _ plan: Plan, _ document: Document, _ report: Report, edited: [String] = []
    ) throws {
        self.plan = plan
        writer = ModelWriter(names: plan.names)
        let servers = Servers(document, plan.requests, report)
        let requests = RequestWriter(plan: plan, models: writer, servers: servers)
        var (tags, byTag) = ([String](), [String: [Request]]())
        for request in plan.requests {
            let tag = request.operation.tag
            if byTag[tag] == nil { tags.append(tag) }
            byTag[tag, default: []].append(request)
        }
        let modelsByTag = Dictionary(grouping: plan.models) {
            $0.tags.count == 1 ? $0.tags.first : nil
        }
        for tag in tags {
            let parts = (byTag[tag] ?? []).map(requests.lines)
            add(fileName(tag), parts + (modelsByTag[tag] ?? []).map { writer.lines($0, 0) })
        }
        let shared = plan.models.filter { $0.tags.count != 1 || $0.tags.contains("\u{0}all") }
        add("Models.swift", shared.map { writer.lines($0, 0) })
        let usesDates = files.contains { $0.text.hasWord("Date") }
        let texts = files.map(\.text) + plan.parameters.lines().map(\.text)
        let usesForms = texts.contains { text in
            ["by: .api", "NamesAndValues<", "Assignments<"].contains {
                text.has($0)
            }
        }
        let server = ServerWriter(
            plan: plan, servers: servers, document: document, report: report, usesDates: usesDates,
            usesForms: usesForms, usesJSONTexts: plan.requests.contains(where: \.hasJSONText))
        add("Server.swift", [server.lines()])
        let whole = (files.map(\.text) + edited).joined()
        let support = Support.text(for: whole)
        if !support.isEmpty { add("Support.swift", [[support]]) }
    }

    private mutating func fileName(_ tag: String) -> String {
        let name = tag.upperCamel.shortened
        var candidate = (name.isEmpty ? "Requests" : name) + ".swift"
        var number = 2
        while namer.isTaken(candidate.lowercased()) {
            candidate = "\(name)Requests\(number == 2 ? "" : "\(number)").swift"
            number += 1
        }
        namer.take(candidate.lowercased())
        return candidate
    }

    private mutating func add(_ name: String, _ parts: [[Written]]) {
        guard !parts.isEmpty else { return }
        let text = parts.spaced.joined(separator: "\n").text + "\n"
        let modules = [
            ("Endpoints", [""]),
            (
                "EndpointsFormats",
                [
                    "JSONValue", "Change<", ".brackets", ".httpDate", "FormEncoder", ".rfc3339",
                    "(spreading: ",
                ]
            ),
            ("EndpointsStreams", ["EventStream", "JSONLines", "ByteStream", "PagedRequest"]),
            ("Foundation", [""]),
        ].filter { $0.1.contains { $0.isEmpty || text.has($0) } }
        let imports = modules.map { "import \($0.0)\n" }.joined()
        let networking =
            text.has("HTTPURLResponse")
            ? "\n#if canImport(FoundationNetworking)\n    import FoundationNetworking\n#endif\n"
            : ""
        files.append((name, imports + networking + "\n" + text))
    }
}

extension Request {
    /// Whether a path or a header has a value that is JSON.
    fileprivate var hasJSONText: Bool {
        values.contains { value in
            if case .wrapped(.json, _) = value.type { value.source != "body" } else { false }
        }
    }
}
