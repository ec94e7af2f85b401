import EndpointsDocuments

extension Document {
    private static let maximumDepth = 20

    /// An object with the members of all of several objects; those that one of them may lack aren't
    /// required.
    ///
    /// `nil` if one isn't an object, or if two have a member of the same name and another type.
    func merged(_ shapes: [Shape], depth: Int = 0) throws -> Shape? {
        let areObjects = shapes.allSatisfy { shape in
            !shape.properties.isEmpty && shape.parts.isEmpty && shape.subtypes.isEmpty
                && shape.values == nil && (shape.types.isEmpty || shape.types == ["object"])
        }
        guard areObjects, depth < Self.maximumDepth, let first = shapes.first else { return nil }
        var whole = Shape()
        whole.types = ["object"]
        for (name, node) in shapes.flatMap(\.properties) {
            guard let other = whole.property(name) else {
                whole.set(name, node)
                continue
            }
            guard let both = try common(other, node, depth) else { return nil }
            let isSameText = other["description"]?.json == node["description"]?.json
            whole.set(name, isSameText ? both : both.without("description"))
        }
        whole.required = try first.required.filter { name in
            try shapes.allSatisfy { shape in
                guard shape.required.contains(name), let node = shape.property(name) else {
                    return false
                }
                return try !self.shape(of: node).isNullable
            }
        }
        return whole
    }

    /// A schema that has the values of both; `nil` if they are of several types.
    private func common(_ one: Node, _ other: Node, _ depth: Int) throws -> Node? {
        let shapes = try [shape(of: one), shape(of: other)]
        if try isSame(shapes[0], shapes[1]) { return one }
        if let whole = try merged(shapes, depth: depth + 1) {
            return Node(whole.json, at: one.pointer)
        }
        if let items = shapes[0].items, let others = shapes[1].items {
            guard let both = try common(items, others, depth) else { return nil }
            var members = JSON.Members()
            members.set("type", .string("array"))
            members.set("items", both.json)
            return Node(.object(members), at: one.pointer)
        }
        let types = Set(shapes.flatMap(\.types))
        let type = types == ["integer", "number"] ? "number" : types.count == 1 ? types.first : nil
        guard let type, ["string", "integer", "number", "boolean"].contains(type),
            shapes.allSatisfy({ $0.parts.isEmpty && !$0.types.isEmpty })
        else { return nil }
        var members = JSON.Members()
        members.set("type", .string(type))
        if let format = shapes[0].format, format == shapes[1].format {
            members.set("format", .string(format))
        }
        if let text = one["description"]?.json { members.set("description", text) }
        return Node(.object(members), at: one.pointer)
    }

    /// Whether an object has the members of another one, and requires the same.
    func hasMembers(_ one: Shape, of other: Shape) throws -> Bool {
        try one.properties.count == other.properties.count
            && other.properties.allSatisfy { name, node in
                guard let own = one.property(name) else { return false }
                let shape = try shape(of: own)
                let isRequired = one.required.contains(name) && !shape.isNullable
                return try isRequired == other.required.contains(name)
                    && isSame(shape, self.shape(of: node))
            }
    }

    /// Whether two schemas say the same of their values, in whatever words for readers.
    func isSame(_ one: Shape, _ other: Shape, depth: Int = 0) throws -> Bool {
        func isSame(_ one: Node?, _ other: Node?) throws -> Bool {
            guard let one, let other else { return one == nil && other == nil }
            if one.json == other.json, one.pointer.file == other.pointer.file { return true }
            guard depth < Self.maximumDepth else { return false }
            if let one = one.json.bool, let other = other.json.bool { return one == other }
            return try self.isSame(shape(of: one), shape(of: other), depth: depth + 1)
        }
        guard one.types == other.types, one.format == other.format,
            one.values.map({ Set($0.map(\.json)) }) == other.values.map({ Set($0.map(\.json)) }),
            one.required == other.required, one.properties.count == other.properties.count,
            one.parts.count == other.parts.count, one.subtypes.count == other.subtypes.count,
            one.isNullable == other.isNullable, try isSame(one.items, other.items),
            try isSame(one.additional, other.additional),
            try zip(one.parts, other.parts).allSatisfy(isSame),
            try zip(one.subtypes, other.subtypes).allSatisfy(isSame)
        else { return false }
        return try one.properties.allSatisfy { name, node in
            try other.property(name).map { try isSame(node, $0) } ?? false
        }
    }
}

extension Node {
    /// The object without a member.
    fileprivate func without(_ name: String) -> Node {
        var others = JSON.Members()
        for member in json.members?.list ?? [] where member.name != name {
            others.set(member.name, member.value)
        }
        return Node(.object(others), at: pointer)
    }
}

extension Shape {
    /// An object as a schema.
    fileprivate var json: JSON {
        var (members, all) = (JSON.Members(), JSON.Members())
        for (name, node) in properties { all.set(name, node.json) }
        members.set("type", .string("object"))
        members.set("properties", .object(all))
        members.set("required", .array(required.sorted().map(JSON.string)))
        return .object(members)
    }
}
