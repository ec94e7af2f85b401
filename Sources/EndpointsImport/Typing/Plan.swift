import EndpointsDocuments

/// All declarations of the document, or of a part of it, with what each model is used for.
struct Plan {
    let names: Names
    let typer: Typer
    let errors: ErrorTypes
    var requests: [Request] = []
    /// The models that something declared reaches, in the order of the document.
    private(set) var models: [Model] = []
    private(set) var parameters = SharedParameters()
    private(set) var headers = SharedHeaders()

    /// Types what is wanted. An operation that is wrong is reported, and the others are declared.
    init(
        _ document: Document, _ overrides: Overrides, _ report: Report, _ part: (Operation) -> Bool
    ) throws {
        let read = document.readOperations()
        let all = read.compactMap { try? $0.operation.get() }
        names = Names(document, all, overrides)
        typer = Typer(document, names, report)
        errors = ErrorTypes(document, all)
        for fault in document.faults {
            let consequence = "it is read as if it were not there"
            if fault.pointer == "#/paths" {
                report.skipOperation(fault.pointer, "\(fault.reason); \(consequence)")
            } else {
                report.skip(fault, consequence)
            }
        }
        for other in read {
            guard case .failure(let error) = other.operation,
                !overrides.leavesOut(handles: [other.handle])
            else { continue }
            report.skip(error, operation: other.handle)
        }
        do { try errors.declare(typer) } catch let error as DocumentError {
            report.skip(error, "the usual error response is declared as a `JSONValue`")
            errors.declareAny()
        }
        let requestTyper = RequestTyper(typer: typer, errors: errors)
        for operation in all
        where part(operation) && !overrides.leavesOut(handles: operation.handles) {
            do { requests.append(try requestTyper.request(of: operation)) } catch let error
                as DocumentError
            {
                report.skip(error, operation: "\(operation.method) \(operation.path)")
            }
        }
        typer.leaveOutEndless()
        spread()
        share()
        nestResponses()
        parameters = SharedParameters(&requests, ModelWriter(names: names))
        headers = SharedHeaders(&requests)
        leaveOutRepeatedComments()
        box()
        order()
        for index in requests.indices {
            requests[index].paging = try? Paging(requests[index], document)
        }
        let order = Dictionary(
            uniqueKeysWithValues: (document.root["components"]?["schemas"]?.allMembers ?? [])
                .enumerated().map { ($1.node.pointer.description, $0) })
        models = names.top.models.filter { !$0.tags.isEmpty }.enumerated().map { offset, model in
            (place: order[model.pointer.description] ?? Int.max, offset: offset, model: model)
        }.sorted { ($0.place, $0.offset) < ($1.place, $1.offset) }.map(\.model)
    }

    /// A comment that the requests of a file have for the same value stands at the first of them.
    private mutating func leaveOutRepeatedComments() {
        var seen: Set<[String]> = []
        for index in requests.indices {
            for place in requests[index].values.indices {
                let value = requests[index].values[place]
                guard let comment = value.comment else { continue }
                let isNew = seen.insert([requests[index].operation.tag, value.name, comment])
                    .inserted
                if !isNew { requests[index].values[place].comment = nil }
            }
        }
    }

    /// Marks what is read and written through models, and which tags reach them.
    private func spread() {
        var queue: [(Model, read: Bool, written: Bool, tag: String)] = []
        for request in requests {
            let tag = request.operation.tag
            for value in request.values {
                for model in value.type.models {
                    queue.append((model, false, model.isWritten, tag))
                    guard let owner = value.owner, !model.path.isEmpty else { continue }
                    queue.append((owner, false, owner.isWritten, tag))
                }
            }
            for model in request.response.types.flatMap(\.models) + (request.error?.models ?? []) {
                queue.append((model, true, false, tag))
            }
        }
        for model in errors.type?.models ?? [] { queue.append((model, true, false, "\u{0}all")) }
        var seen: [Model: Set<String>] = [:]
        var reached: [Model] = []
        func visit() {
            while let (model, read, written, tag) = queue.popLast() {
                guard seen[model, default: []].insert("\(read)\(written)\(tag)").inserted else {
                    continue
                }
                if model.tags.isEmpty { reached.append(model) }
                model.isRead = model.isRead || read
                model.isWritten = model.isWritten || written
                model.tags.insert(tag)
                for (part, isReadOnly, isWriteOnly) in model.parts
                where !(isReadOnly && !read) && !(isWriteOnly && !written) {
                    queue.append((part, read && !isWriteOnly, written && !isReadOnly, tag))
                }
            }
        }
        visit()
        // A model that is both read and written has all its members, each of a type that is both.
        while true {
            for model in reached where model.isRead && model.isWritten {
                for (part, _, _) in model.parts where !(part.isRead && part.isWritten) {
                    for tag in model.tags.sorted() { queue.append((part, true, true, tag)) }
                }
            }
            if queue.isEmpty { return }
            visit()
        }
    }

    /// Boxes the members through which a model would store itself, and the largest ones of a model
    /// that would have more than a thousand values in its memory: Swift's compiler takes minutes
    /// for one. Finds the models that lead back to themselves through lists too.
    private func box() {
        var (done, path) = (Set<Model>(), [Model]())
        var sizes: [Model: Int] = [:]
        func size(_ type: SwiftType) -> Int {
            max(1, type.storedModels.reduce(0) { $0 + sizes[$1, default: 1] })
        }
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
                var all = properties.map { $0.isBoxed ? 1 : size($0.type) }
                while all.reduce(0, +) > 1000, let most = all.max(), most > 1,
                    let index = all.firstIndex(of: most)
                {
                    properties[index].isBoxed = true
                    all[index] = 1
                }
                sizes[model] = all.reduce(0, +)
                model.kind = .object(properties)
            case .union(let union):
                for part in union.parts.flatMap(\.type.storedModels) {
                    if path.contains(part) { model.isIndirect = true } else { visit(part) }
                }
                let most = union.parts.map { size($0.type) }.max() ?? 1
                if most > 100 { model.isIndirect = true }
                sizes[model] = model.isIndirect ? 1 : most
            case .choice: break
            }
            path.removeLast()
        }
        let declared = typer.models.filter { !$0.tags.isEmpty }
        for model in declared { visit(model) }
        for model in Circles(declared).models { model.isInCircle = true }
    }
}

/// The models that have themselves inside them, through whatever members (Tarjan's algorithm).
private struct Circles {
    private(set) var models: Set<Model> = []
    private var indices: [Model: Int] = [:]
    private var lows: [Model: Int] = [:]
    private var stack: [Model] = []
    private var isOnStack: Set<Model> = []

    init(_ all: [Model]) {
        for model in all where indices[model] == nil { visit(model) }
    }

    private mutating func visit(_ start: Model) {
        var work: [(model: Model, parts: [Model], next: Int)] = []
        func begin(_ model: Model, _ circles: inout Circles) {
            circles.indices[model] = circles.indices.count
            circles.lows[model] = circles.indices[model]
            circles.stack.append(model)
            circles.isOnStack.insert(model)
            work.append((model, model.parts.map(\.model), 0))
        }
        begin(start, &self)
        while let last = work.last {
            let place = work.count - 1
            if last.next < last.parts.count {
                work[place].next += 1
                let part = last.parts[last.next]
                if part == last.model { models.insert(part) }
                if let index = indices[part] {
                    if isOnStack.contains(part) {
                        lows[last.model] = min(lows[last.model] ?? 0, index)
                    }
                } else {
                    begin(part, &self)
                }
                continue
            }
            work.removeLast()
            let low = lows[last.model] ?? 0
            if let parent = work.last?.model { lows[parent] = min(lows[parent] ?? 0, low) }
            guard low == indices[last.model] else { continue }
            var component: [Model] = []
            while let top = stack.popLast() {
                isOnStack.remove(top)
                component.append(top)
                if top == last.model { break }
            }
            if component.count > 1 { models.formUnion(component) }
        }
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
