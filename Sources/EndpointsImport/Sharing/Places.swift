import EndpointsDocuments

/// Where models are declared, and where they are named.
final class Places {
    private let top: Scope
    /// The scope in which a model is declared.
    private var home: [Model: Scope] = [:]
    private var owner: [ObjectIdentifier: Model] = [:]
    /// The scopes in which a model is named.
    private var uses: [Model: [Scope]] = [:]

    init(_ models: [Model], _ requests: [Request], top: Scope) {
        self.top = top
        for model in models { owner[ObjectIdentifier(model.scope)] = model }
        for scope in [top] + requests.map(\.scope) + models.map(\.scope) {
            for model in scope.models { home[model] = scope }
        }
        for model in models {
            for part in model.typesInOrder.flatMap(\.models) {
                uses[part, default: []].append(model.scope)
            }
        }
        for request in requests {
            let types =
                request.values.map(\.type) + request.response.types
                + (request.error.map { [$0] } ?? [])
            for part in types.flatMap(\.models) {
                uses[part, default: []].append(request.scope)
            }
        }
    }

    /// The scopes around a place, the innermost first, without the outermost.
    private func chain(_ scope: Scope) -> [Scope] {
        var (chain, current) = ([Scope](), scope)
        while current !== top {
            chain.append(current)
            guard let next = owner[ObjectIdentifier(current)].flatMap({ home[$0] }) else { break }
            current = next
        }
        return chain
    }

    /// Whether the model is nested in one that isn't declared anymore.
    func isInside(_ model: Model, _ kept: [Model: Model]) -> Bool {
        guard let scope = home[model] else { return true }
        return chain(scope).contains { scope in
            owner[ObjectIdentifier(scope)].map { kept[$0] != nil } == true
        }
    }

    /// The innermost scope around all of them.
    func common(_ models: [Model]) -> Scope {
        let chains = models.map { home[$0].map(chain) ?? [] }
        return chains[0].first { scope in
            chains.allSatisfy { $0.contains { $0 === scope } }
        } ?? top
    }

    /// Whether the name is free, and names the model wherever one of the group is named.
    func allows(_ name: String, for group: [Model], in scope: Scope, _ kept: [Model: Model])
        -> Bool
    {
        func isOther(_ model: Model) -> Bool {
            model.name == name && !group.contains(model) && kept[model] == nil
        }
        if Reserved.types.contains(name) { return false }
        if scope === top, Reserved.swiftUI.contains(name) { return false }
        let isOwn = group.contains { $0.name == name && home[$0] === top }
        let isFree = scope !== top && Reserved.swiftUI.contains(name)
        if top.namer.isTaken(name), !isOwn, !isFree { return false }
        if scope.models.contains(where: isOther) { return false }
        return group.allSatisfy { model in
            (uses[model] ?? []).allSatisfy { use in
                !chain(use).contains { inner in
                    inner !== scope && inner.models.contains(where: isOther)
                        || owner[ObjectIdentifier(inner)].map(isOther) == true
                }
            }
        }
    }

    func isUsedOnce(_ model: Model) -> Bool {
        home[model] === top && (uses[model] ?? []).count == 1
    }

    func move(_ model: Model, to scope: Scope, as name: String) {
        let wasAt = home[model]?.models.firstIndex(of: model)
        if home[model] === scope, let wasAt, scope.models[wasAt] == model {
            rename(model, name, scope)
            return
        }
        remove(model)
        scope.models.append(model)
        home[model] = scope
        rename(model, name, scope)
    }

    private func rename(_ model: Model, _ name: String, _ scope: Scope) {
        model.name = name
        if scope === top { top.namer.take(name) }
        place(model, owner[ObjectIdentifier(scope)].map { $0.path + [$0.name] } ?? scope.path)
    }

    private func place(_ model: Model, _ path: [String]) {
        model.path = path
        for inner in model.scope.models { place(inner, path + [model.name]) }
    }

    func remove(_ model: Model) {
        home[model]?.models.removeAll { $0 === model }
    }
}
