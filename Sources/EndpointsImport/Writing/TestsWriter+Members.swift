extension TestsWriter {
    /// A test for each model that is read: the examples of its members are decoded. Examples that
    /// don't fit are noted for the others too.
    func members() throws -> [String] {
        let fitting = Fitting(document: document, isRead: true)
        let writer = ModelWriter(names: plan.names, patched: plan.typer.patched)
        let names = Dictionary(grouping: plan.declared, by: \.qualifiedName)
        return try plan.declared.compactMap { model in
            guard case .object(let properties) = model.kind, names[model.qualifiedName]?.count == 1,
                let node = document.node(at: model.pointer.description)
            else { return nil }
            var nodes: [String: Node] = [:]
            for (name, node) in try document.shape(of: node).properties { nodes[name] = node }
            var lines: [String] = []
            for property in properties where model.isRead || !property.isReadOnly {
                guard let node = nodes[property.name] else { continue }
                for example in try examples(ofSchema: node) {
                    let misfit =
                        property.isRequired || example.json != .null
                        ? try fitting.misfit(example.json, node) : nil
                    if let misfit {
                        leaveOut(example.pointer, misfit.text)
                    } else if model.isRead, !property.isWriteOnly, example.json != .null {
                        let type = writer.text(property.type, isRead: true, isElsewhere: true)
                        lines.append(
                            "        member(\(type).self, \"\(example.pointer.description.swiftLiteral)\", \(example.json.literal))"
                        )
                    }
                }
            }
            guard !lines.isEmpty else { return nil }
            let deprecation = model.isDeprecated ? "\n    @available(*, deprecated)" : ""
            return """
                \(deprecation)
                    @Test("An example of each member of \(model.qualifiedName)")
                    func membersOf_\(model.qualifiedName.replacing(".", with: "_"))() {
                \(lines.joined(separator: "\n"))
                    }

                """
        }
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
