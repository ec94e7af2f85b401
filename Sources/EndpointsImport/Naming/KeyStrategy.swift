import EndpointsDocuments

/// How JSON names become properties: converted by the coders if most names need it.
struct KeyStrategy {
    /// How the coders write names: `user_id`, or `UserId`.
    enum Form {
        case snake, pascal

        func property(_ name: String) -> String {
            switch self {
            case .snake: SnakeCase.camel(name)
            case .pascal: name.prefix(1).lowercased() + name.dropFirst()
            }
        }

        /// Whether the coders convert the name to a property, and that one back.
        func converts(_ name: String) -> Bool {
            let property = property(name)
            switch self {
            case .snake:
                // `num_w2s` is `numW2S` to Foundation, and not to the written coders, which know
                // other names too.
                let parts = name.split(separator: "_")
                let others = parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
                return SnakeCase.snake(property) == name && property.lowerCamel == property
                    && property == (parts.prefix(1) + others.map { $0[...] }).joined()
            case .pascal:
                let isFirst = name.first?.isUppercase == true
                return isFirst && name.dropFirst().first?.isUppercase != true
                    && property.lowerCamel == property
            }
        }
    }

    /// `nil` if names are as they are.
    let form: Form?
    /// What the coders convert in another way.
    private(set) var others: [String: String] = [:]

    init(_ document: Document, _ reached: Reached) {
        var counts: [String: Int] = [:]
        for root in reached.values { Self.collect(root, into: &counts) }
        let names = counts.keys
        let snake = names.filter(Form.snake.converts)
        let cased = names.count { $0.lowerCamel == $0 } - snake.count { $0.lowerCamel == $0 }
        let capitals = names.count(where: Form.pascal.converts)
        if capitals > 2, capitals * 2 > names.count {
            form = .pascal
        } else {
            form = snake.count { $0.contains("_") } > cased ? .snake : nil
        }
        guard let form else { return }
        let regular = Set(names.filter(form.converts))
        let byProperty = Dictionary(grouping: names) { name in
            regular.contains(name) ? form.property(name) : name.lowerCamel
        }
        for (property, names) in byProperty {
            // Of several names of a property, the one that most objects have is converted to it.
            let usual = names.max { one, other in
                (counts[one, default: 0], regular.contains(one) ? 1 : 0, other)
                    < (counts[other, default: 0], regular.contains(other) ? 1 : 0, one)
            }
            for name in names {
                if name == usual {
                    guard !regular.contains(name) else { continue }
                    others[name] = property.isEmpty ? name : property
                } else {
                    var key = name
                    while byProperty[key] != nil { key += "_" }
                    others[name] = key
                }
            }
        }
    }

    private static func collect(_ json: JSON, into counts: inout [String: Int]) {
        switch json {
        case .object(let members):
            for member in members.list {
                if member.name == "properties", let properties = member.value.members {
                    for property in properties.list {
                        counts[property.name, default: 0] += 1
                        collect(property.value, into: &counts)
                    }
                    continue
                } else if member.name == "propertyName", let name = member.value.text {
                    counts[name, default: 0] += 1
                }
                if member.name.isForm, let schema = member.value["schema"] {
                    // The names of a form's fields are in its request, and no coder has them.
                    for inner in schema["properties"]?.members?.list ?? [] {
                        collect(inner.value, into: &counts)
                    }
                } else if member.name != "example" && member.name != "examples" {
                    collect(member.value, into: &counts)
                }
            }
        case .array(let elements):
            for element in elements { collect(element, into: &counts) }
        default: break
        }
    }

    func codingKey(_ name: String) -> String {
        form.map { others[name] ?? $0.property(name) } ?? name
    }
}

extension String {
    fileprivate var isForm: Bool {
        utf8.contains(UInt8(ascii: "/"))
            && ["application/x-www-form-urlencoded", "multipart/form-data"].contains(mediaType)
    }
}
