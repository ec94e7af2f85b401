import EndpointsDocuments

/// How JSON names become properties: converted by the coders if most names need it.
struct KeyStrategy {
    let converts: Bool
    /// What the coders convert in another way than from snake case.
    private(set) var others: [String: String] = [:]

    init(_ document: Document) {
        var names: Set<String> = []
        for root in document.roots { Self.collect(root, into: &names) }
        let regular = names.filter(Self.isRegular)
        let cased = names.count { $0.lowerCamel == $0 && !regular.contains($0) }
        converts = regular.count { $0.contains("_") } > cased
        let byProperty = Dictionary(grouping: names) { name in
            regular.contains(name) ? SnakeCase.camel(name) : name.lowerCamel
        }
        for (property, names) in byProperty {
            guard names.count == 1 else {
                for name in names { others[name] = name }
                continue
            }
            for name in names where !regular.contains(name) {
                others[name] = property.isEmpty ? name : property
            }
        }
    }

    /// Whether the property's name can be converted back.
    private static func isRegular(_ name: String) -> Bool {
        let property = SnakeCase.camel(name)
        return SnakeCase.snake(property) == name && property.lowerCamel == property
    }

    private static func collect(_ json: JSON, into names: inout Set<String>) {
        switch json {
        case .object(let members):
            for member in members.list {
                if member.name == "properties", let properties = member.value.members {
                    for property in properties.list {
                        names.insert(property.name)
                        collect(property.value, into: &names)
                    }
                    continue
                } else if member.name == "propertyName", let name = member.value.text {
                    names.insert(name)
                }
                if member.name.isForm, let schema = member.value["schema"] {
                    // The names of a form's fields are in its request, and no coder has them.
                    for inner in schema["properties"]?.members?.list ?? [] {
                        collect(inner.value, into: &names)
                    }
                } else if member.name != "example" && member.name != "examples" {
                    collect(member.value, into: &names)
                }
            }
        case .array(let elements):
            for element in elements { collect(element, into: &names) }
        default: break
        }
    }

    func codingKey(_ name: String) -> String {
        converts ? others[name] ?? SnakeCase.camel(name) : name
    }
}

extension String {
    fileprivate var isForm: Bool {
        ["application/x-www-form-urlencoded", "multipart/form-data"].contains(mediaType)
    }
}
