import EndpointsDocuments

/// What the operations of a document consist of.
///
/// A schema that none of them reaches changes nothing.
struct Reached {
    /// The paths, and each component that something reached refers to; of a document of several
    /// files all of them.
    private(set) var values: [JSON] = []
    private var places: Set<String> = []
    private let isWhole: Bool

    init(_ document: Document) {
        let root = document.root.json
        isWhole = document.roots.count > 1
        guard !isWhole else {
            values = document.roots
            return
        }
        let schemas = root["components"]?["schemas"]?.members?.list ?? []
        // What refers to a parent by `allOf` is reached by the parent's discriminator.
        var children: [String: [String]] = [:]
        for schema in schemas {
            for part in schema.value["allOf"]?.elements ?? [] {
                guard let parent = part["$ref"]?.text else { continue }
                children[parent, default: []].append(Self.schemas + schema.name)
            }
        }
        var queue: [String] = []
        if let paths = root["paths"] {
            values.append(paths)
            Self.references(in: paths, &queue)
        }
        while let place = queue.popLast() {
            guard places.insert(place).inserted, let found = Self.value(at: place, root) else {
                continue
            }
            values.append(found)
            Self.references(in: found, &queue)
            if found["discriminator"] != nil { queue += children[place] ?? [] }
        }
    }

    private static let schemas = "#/components/schemas/"

    /// Whether an operation reaches a component.
    func has(_ node: Node) -> Bool { isWhole || places.contains(node.pointer.description) }

    /// The value at a pointer; `nil` if there is none, which is said where it is used.
    private static func value(at place: String, _ root: JSON) -> JSON? {
        guard place.hasPrefix("#/") else { return nil }
        return place.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false)
            .reduce(root as JSON?) { $0?.value(at: String($1))?.value }
    }

    private static func references(in json: JSON, _ all: inout [String]) {
        switch json {
        case .object(let members):
            for member in members.list {
                switch (member.name, member.value.text) {
                case ("$ref", let place?): all.append(place)
                case ("mapping", nil):
                    for target in member.value.members?.list ?? [] {
                        guard let text = target.value.text else { continue }
                        all.append(text.hasPrefix("#") ? text : schemas + text)
                    }
                    references(in: member.value, &all)
                default: references(in: member.value, &all)
                }
            }
        case .array(let elements): for element in elements { references(in: element, &all) }
        default: break
        }
    }
}
