import EndpointsDocuments

/// Declares models of the same content once.
///
/// Nested models are equal if nothing but their names differs, and the names end, or begin, with
/// the same words. `VoiceMethod` and `SmsMethod` with the same cases are one `Method`.
struct EqualModels {
    private let typer: Typer
    private let models: [Model]
    private let places: Places
    /// The model that is declared in the place of another one.
    private(set) var kept: [Model: Model] = [:]

    init(_ typer: Typer, _ requests: [Request], _ errors: SwiftType?) {
        self.typer = typer
        models = typer.models.filter { !$0.tags.isEmpty }
        places = Places(models, requests, top: typer.names.top)
        let classes = Classes(models).classes
        var groups = Dictionary(grouping: models.indices) { classes[$0] }.values
            .map { $0.sorted().map { models[$0] } }.filter { $0.count > 1 }
        groups = groups.flatMap(Self.related)
        let order = Dictionary(uniqueKeysWithValues: models.enumerated().map { ($1, $0) })
        groups.sort { one, other in
            let depths = [one, other].map { $0.map(\.path.count).min() ?? 0 }
            if depths[0] != depths[1] { return depths[0] < depths[1] }
            if one.count != other.count { return one.count > other.count }
            return order[one[0], default: 0] < order[other[0], default: 0]
        }
        // The outer ones first: what is nested in a model that isn't declared needs no place.
        for group in groups { merge(group) }
    }

    func type(_ type: SwiftType) -> SwiftType { type.mapModels { kept[$0] ?? $0 } }

    /// Equal models whose names have something in common.
    private static func related(_ group: [Model]) -> [[Model]] {
        if case .union = group[0].kind { return [group] }
        if case .choice(_, let cases) = group[0].kind, cases.count < 2 { return [] }
        var rest = group
        var related: [[Model]] = []
        for key in [\Model.lastWord, \Model.firstWords] {
            let byWord = Dictionary(grouping: rest) { $0[keyPath: key] }
            let found = rest.map { $0[keyPath: key] }.unique
                .compactMap { $0.isEmpty ? nil : byWord[$0] }.filter { $0.count > 1 }
            related += found
            let taken = Set(found.flatMap(\.self))
            rest.removeAll { taken.contains($0) }
        }
        return related
    }

    private mutating func merge(_ group: [Model]) {
        let group = group.filter { !places.isInside($0, kept) }
        guard group.count > 1, let first = group.first else { return }
        let scope = places.common(group)
        let names = typer.names
        let isNamed = group.contains { names.overrides.names[$0.pointer.description] != nil }
        guard !isNamed,
            let name = CommonName.candidates(group).first(where: {
                places.allows($0, for: group, in: scope, kept)
            })
        else { return }
        for other in group.dropFirst() {
            kept[other] = first
            first.tags.formUnion(other.tags)
            first.isRead = first.isRead || other.isRead
            first.isWritten = first.isWritten || other.isWritten
            first.isParameter = first.isParameter || other.isParameter
            first.leaveOutComments(notIn: other)
        }
        places.move(first, to: scope, as: name)
        for other in group.dropFirst() { places.remove(other) }
    }
}

extension Model {
    /// Leaves out the comments that aren't those of another model, which is declared as this one.
    fileprivate func leaveOutComments(notIn other: Model) {
        if comment != other.comment { comment = nil }
        guard case .object(var properties) = kind, case .object(let others) = other.kind else {
            return
        }
        let comments = Dictionary(others.map { ($0.name, $0.comment) }) { first, _ in first }
        for index in properties.indices
        where comments[properties[index].name] != properties[index].comment {
            properties[index].comment = nil
        }
        kind = .object(properties)
    }
}

extension Plan {
    /// Replaces equal models by one of them.
    mutating func share() {
        let equal = EqualModels(typer, requests, errors.type)
        guard !equal.kept.isEmpty else { return }
        for model in typer.models where equal.kept[model] == nil {
            switch model.kind {
            case .object(var properties):
                for index in properties.indices {
                    properties[index].type = equal.type(properties[index].type)
                }
                model.kind = .object(properties)
            case .union(var union):
                union.parts = union.parts.map {
                    Union.Part(name: $0.name, type: equal.type($0.type), tags: $0.tags)
                }
                model.kind = .union(union)
            case .choice: break
            }
        }
        for index in requests.indices {
            for value in requests[index].values.indices {
                let owner = requests[index].values[value].owner.flatMap { equal.kept[$0] }
                requests[index].values[value].type = equal.type(requests[index].values[value].type)
                    .mapModels { model in
                        // Of equal models, what is nested in one of them is declared.
                        owner?.scope.models.first { $0.name == model.name } ?? model
                    }
            }
            requests[index].response = requests[index].response.map(equal.type)
            requests[index].error = requests[index].error.map(equal.type)
        }
        errors.replace(equal.type)
    }
}
