/// The files that a plan becomes: their names, and their texts.
struct Output {
    private(set) var files: [(name: String, text: String)] = []
    private let plan: Plan
    private let writer: ModelWriter
    private var namer = Namer(taken: ["server.swift", "models.swift", "support.swift"])

    /// - Parameter edited: The texts of the files in the folder that a person has edited, which
    ///   stay and need their pieces of `Support.swift`.
    init(_ plan: Plan, _ document: Document, edited: [String] = []) throws {
        self.plan = plan
        writer = ModelWriter(names: plan.names, patched: plan.typer.patched)
        let servers = try Servers(document, plan.requests)
        let requests = RequestWriter(plan: plan, models: writer, servers: servers)
        var tags: [String] = []
        for request in plan.requests where !tags.contains(request.operation.tag) {
            tags.append(request.operation.tag)
        }
        for tag in tags {
            var parts = plan.requests.filter { $0.operation.tag == tag }.map(requests.lines)
            parts += models { $0 == [tag] }
            add(fileName(tag), parts)
        }
        add("Models.swift", models { $0.count != 1 || $0.contains("\u{0}all") })
        let usesDates = files.contains { $0.text.contains("Date") }
        let server = ServerWriter(
            plan: plan, servers: servers, document: document, usesDates: usesDates)
        add("Server.swift", [server.lines()])
        let whole = (files.map(\.text) + edited).joined()
        let support = Support.text(for: whole)
        if !support.isEmpty {
            add(
                "Support.swift",
                [
                    support.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(
                        String.init)
                ])
        }
    }

    private func models(where matches: (Set<String>) -> Bool) -> [[String]] {
        plan.models.filter { matches($0.tags) }.map { writer.lines($0, 0) }
    }

    private mutating func fileName(_ tag: String) -> String {
        let name = tag.upperCamel.shortened
        var candidate = (name.isEmpty ? "Requests" : name) + ".swift"
        var number = 2
        while namer.taken.contains(candidate.lowercased()) {
            candidate = "\(name)Requests\(number == 2 ? "" : "\(number)").swift"
            number += 1
        }
        namer.take(candidate.lowercased())
        return candidate
    }

    private mutating func add(_ name: String, _ parts: [[String]]) {
        guard !parts.isEmpty else { return }
        let text = parts.spaced.joined(separator: "\n") + "\n"
        let modules = [
            ("Endpoints", [""]),
            ("EndpointsFormats", ["JSONValue", "Change<", ".brackets", ".httpDate"]),
            ("EndpointsStreams", ["EventStream", "JSONLines", "ByteStream", "PagedRequest"]),
            ("Foundation", [""]),
        ].filter { $0.1.contains { $0.isEmpty || text.contains($0) } }
        let imports = modules.map { "import \($0.0)\n" }.joined()
        let networking =
            text.contains("HTTPURLResponse")
            ? "\n#if canImport(FoundationNetworking)\n    import FoundationNetworking\n#endif\n"
            : ""
        files.append((name, imports + networking + "\n" + text))
    }
}
