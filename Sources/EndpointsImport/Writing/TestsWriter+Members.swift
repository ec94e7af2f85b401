import EndpointsDocuments
import Foundation

extension TestsWriter {
    /// A test for each model that is read: the examples of its members are decoded. Examples that
    /// don't fit are noted for the others too.
    func members() throws -> [Written] {
        let fitting = Fitting(document: document, isRead: true)
        let writer = ModelWriter(names: plan.names)
        let deprecated = Deprecated(plan)
        let names = Dictionary(grouping: plan.declared, by: \.qualifiedName)
        return try plan.declared.compactMap { model in
            guard case .object(let properties) = model.kind, names[model.qualifiedName]?.count == 1,
                let node = document.node(at: model.pointer.description)
            else { return nil }
            guard let shape = try? document.shape(of: node) else { return nil }
            var lines: [Written] = []
            for property in properties where model.isRead || !property.isReadOnly {
                guard let node = shape.property(property.name) else { continue }
                for example in (try? examples(ofSchema: node)) ?? [] {
                    let misfit =
                        property.isRequired || example.json != .null
                        ? try fitting.misfit(example.json, node) : nil
                    if let misfit {
                        leaveOut(example.pointer, misfit.text)
                    } else if model.isRead, !property.isWriteOnly, example.json != .null {
                        let type = writer.text(property.type, isRead: true, isElsewhere: true)
                        let others: Written =
                            try fitting.hasOtherMembers(example.json, node)
                            ? ", hasOthers: true" : ""
                        lines.append(
                            "        member(\(type).self, \(.literal(example.pointer.description)), \(.rawLiteral(example.json.written))\(others))"
                        )
                    }
                }
            }
            guard !lines.isEmpty else { return nil }
            let types = [model] + properties.flatMap(\.type.models)
            let isDeprecated = types.contains { deprecated.has($0) } || coder?.isDeprecated == true
            let deprecation: Written = isDeprecated ? "\n    @available(*, deprecated)" : ""
            let name = Written.name(
                "membersOf_" + (model.path + [model.name]).joined(separator: "_"))
            return """
                \(deprecation)
                    @Test("An example of each member of \(model.qualifiedName)")
                    func \(name)() {
                \(lines.joined(separator: "\n"))
                    }

                """
        }
    }
}

extension TestsWriter {
    /// The request whose coders read the examples of members: a deprecated one only if all are.
    private var coder: (name: Written, isDeprecated: Bool)? {
        let request = plan.requests.first { !$0.operation.isDeprecated } ?? plan.requests.first
        return request.map { (.name($0.name), $0.operation.isDeprecated) }
    }

    /// A function that the tests of members call.
    var member: Written {
        guard let coder else { return "" }
        let deprecation: Written = coder.isDeprecated ? "@available(*, deprecated) " : ""
        return """
            /// Decodes the example of a member.
            \(deprecation)nonisolated private func member<Value: Decodable>(
                _ type: Value.Type, _ place: String, _ example: String, hasOthers: Bool = false
            ) {
                do {
                    if hasOthers { return try read(type, from: example, by: \(coder.name).responseDecoder) }
                    try read(
                        type, from: example, by: \(coder.name).responseDecoder, as: \(coder.name).bodyEncoder)
                } catch { Testing.Issue.record("\\(place): \\(error)") }
            }

            """
    }
}

/// The models that are deprecated, alone or with what they are nested in.
private struct Deprecated {
    private let names: Set<String>

    init(_ plan: Plan) {
        let models = plan.declared.filter(\.isDeprecated).map {
            ($0.path + [$0.name]).joined(separator: ".")
        }
        names = Set(models + plan.requests.filter(\.operation.isDeprecated).map(\.name))
    }

    func has(_ model: Model) -> Bool {
        let path = model.path + [model.name]
        return path.indices.contains { names.contains(path[...$0].joined(separator: ".")) }
    }
}

extension Plan {
    /// All models that are written, with those inside them.
    fileprivate var declared: [Model] {
        func all(_ models: [Model]) -> [Model] {
            models.filter { !$0.tags.isEmpty }.flatMap { [$0] + all($0.scope.models) }
        }
        return all(names.top.models) + requests.flatMap { all($0.scope.models) }
    }
}
