/// All declarations of the document, or of a part of it, with what each model is used for.
struct Plan {
    let names: Names
    let typer: Typer
    let errors: ErrorTypes
    var requests: [Request] = []
    /// The models that something declared reaches, in the order of the document.
    private(set) var models: [Model] = []
    private(set) var parameters = SharedParameters()

    init(
        _ document: Document, _ overrides: Overrides, _ report: Report, _ part: (Operation) -> Bool
    ) throws {
        let all = try document.operations()
        names = Names(document, all, overrides)
        typer = Typer(document, names, report)
        errors = try ErrorTypes(document, all)
        let wanted = all.filter { part($0) && !overrides.leavesOut($0) }
        try errors.declare(typer)
        let requestTyper = RequestTyper(typer: typer, errors: errors)
        for operation in wanted { requests.append(try requestTyper.request(of: operation)) }
        spread()
        share()
        nestResponses()
        parameters = SharedParameters(
            &requests, ModelWriter(names: names, patched: typer.patched))
        box()
        order()
        for index in requests.indices {
            requests[index].paging = try Paging(requests[index], document)
        }
        let order = Dictionary(
            uniqueKeysWithValues: (document.root["components"]?["schemas"]?.allMembers ?? [])
                .enumerated().map { ($1.node.pointer.description, $0) })
        models = names.top.models.filter { !$0.tags.isEmpty }.enumerated().map { offset, model in
            (place: order[model.pointer.description] ?? Int.max, offset: offset, model: model)
        }.sorted { ($0.place, $0.offset) < ($1.place, $1.offset) }.map(\.model)
    }

    /// Marks what is read and written through models, and which tags reach them.
    private func spread() {
        var queue: [(Model, read: Bool, written: Bool, tag: String)] = []
        for request in requests {
            let tag = request.operation.tag
            for value in request.values {
                for model in value.type.models {
                    queue.append((model, false, model.isWritten, tag))
                }
            }
            for model in request.response.types.flatMap(\.models) + (request.error?.models ?? []) {
                queue.append((model, true, false, tag))
            }
        }
        for model in errors.type?.models ?? [] { queue.append((model, true, false, "\u{0}all")) }
        var seen: [Model: Set<String>] = [:]
        while let (model, read, written, tag) = queue.popLast() {
            guard seen[model, default: []].insert("\(read)\(written)\(tag)").inserted else {
                continue
            }
            model.isRead = model.isRead || read
            model.isWritten = model.isWritten || written
            model.tags.insert(tag)
            for (part, isReadOnly, isWriteOnly) in model.parts
            where !(isReadOnly && !read) && !(isWriteOnly && !written) {
                queue.append((part, read && !isWriteOnly, written && !isReadOnly, tag))
            }
        }
    }

    /// Boxes the members through which a model would store itself.
    private func box() {
        var (done, path) = (Set<Model>(), [Model]())
        func visit(_ model: Model) {
            guard done.insert(model).inserted else { return }
            path.append(model)
            switch model.kind {
            case .object(var properties):
                for index in properties.indices {
                    for part in properties[index].type.storedModels {
                        if path.contains(part) {
                            properties[index].isBoxed = true
                        } else {
                            visit(part)
                        }
                    }
                }
                model.kind = .object(properties)
            case .union(let union):
                for part in union.parts.flatMap(\.type.storedModels) {
                    if path.contains(part) { model.isIndirect = true } else { visit(part) }
                }
            case .choice: break
            }
            path.removeLast()
        }
        for model in typer.models where !model.tags.isEmpty { visit(model) }
    }
}

extension Model {
    /// The models of its members.
    var parts: [(model: Model, isReadOnly: Bool, isWriteOnly: Bool)] {
        switch kind {
        case .object(let properties):
            properties.flatMap { property in
                property.type.models.map { ($0, property.isReadOnly, property.isWriteOnly) }
            }
        case .union(let union):
            union.parts.flatMap(\.type.models).map { ($0, false, false) }
        case .choice: []
        }
    }
}
