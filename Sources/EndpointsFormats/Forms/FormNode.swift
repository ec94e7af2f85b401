import Endpoints

/// A value that is being encoded as a form.
///
/// A node is a class: it is put into its parent first, and the value is written into it afterwards.
final class FormNode {
    enum Content {
        /// Nothing is written yet, or only a `nil` that isn't sent.
        case nothing
        case text(String)
        case list(FormList)
        case object(FormObject)
    }

    var content = Content.nothing

    var isObject: Bool {
        if case .object = content { true } else { false }
    }

    var isText: Bool {
        if case .text = content { true } else { false }
    }

    /// Whether the value adds no field to the form.
    var isEmpty: Bool {
        switch content {
        case .nothing: true
        case .text: false
        case .list(let list): list.nodes.allSatisfy(\.isEmpty)
        case .object(let object): object.members.allSatisfy(\.node.isEmpty)
        }
    }
}

final class FormList {
    var nodes: [FormNode] = []
}

/// The members of a struct or a dictionary.
final class FormObject {
    struct Member {
        let key: String
        /// Whether this is a dictionary's member.
        let isEntry: Bool
        let node: FormNode
    }

    /// The type of the keys that the value's `encode(to:)` uses.
    let keyType: ObjectIdentifier
    private(set) var members: [Member] = []
    private var indices: [String: Int] = [:]

    init(keyType: ObjectIdentifier) {
        self.keyType = keyType
    }

    /// The node of a key. The first call for a key makes it.
    func node(of key: String, isEntry: Bool) -> FormNode {
        if let index = indices[key] { return members[index].node }
        let node = FormNode()
        indices[key] = members.count
        members.append(Member(key: key, isEntry: isEntry, node: node))
        return node
    }

    /// A struct's members in the order in which they were encoded; a dictionary's sorted by key.
    fileprivate var inOrder: [Member] {
        members.filter { !$0.isEntry }
            + members.filter(\.isEntry).sorted { $0.key < $1.key }
    }
}

/// A field of a form: its text and its keys (`items`, `0` and `price` for `items[0][price]`).
typealias FormField = (keys: [String], text: String)

extension FormNode {
    func fields(_ arrays: FormEncoder.ArrayEncodingStrategy) -> [FormField] {
        var fields: [FormField] = []
        append(to: &fields, [], arrays)
        return fields
    }

    private func append(
        to fields: inout [FormField], _ keys: [String], _ arrays: FormEncoder.ArrayEncodingStrategy
    ) {
        switch content {
        case .nothing:
            break
        case .text(let text):
            fields.append((keys, text))
        case .object(let object):
            for member in object.inOrder {
                member.node.append(to: &fields, keys + [member.key], arrays)
            }
        case .list(let list):
            let nodes = list.nodes.filter { !$0.isEmpty }
            let strategy = nodes.allSatisfy(\.isText) ? arrays : .indices
            for (index, node) in nodes.enumerated() {
                node.append(to: &fields, keys + strategy.keys(of: index), arrays)
            }
        }
    }
}

extension FormEncoder.ArrayEncodingStrategy {
    /// The keys that an element adds to those of its list: `0` in `items[0]`, an empty key in
    /// `items[]`, and none if each element is sent as `items`.
    fileprivate func keys(of index: Int) -> [String] {
        switch self {
        case .brackets: [""]
        case .indices: ["\(index)"]
        case .repeated: []
        }
    }
}
