import Endpoints

struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FormValueEncoder
    let object: FormObject

    var codingPath: [any CodingKey] { encoder.codingPath }

    /// Writes an empty text, as a form has no `null`. In a partial update, a ``Change/clear`` is
    /// written by this function. An optional property that is `nil` isn't written at all.
    func encodeNil(forKey key: Key) {
        member(key).node.content = .text("")
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let member = member(key)
        member.node.content = .nothing
        try member.write(value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        member(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { member(FormKey(stringValue: "super")) }

    func superEncoder(forKey key: Key) -> any Encoder { member(key) }

    private func member(_ key: some CodingKey) -> FormValueEncoder {
        let isEntry = ObjectIdentifier(Key.self) == FormKey.typeInDictionaries
        let name =
            isEntry ? key.stringValue : encoder.run.encoder.name(of: key, in: codingPath)
        let member = encoder.encoder(of: object.node(of: name, isEntry: isEntry), key)
        if name.isEmpty || name.utf8.contains(where: "[]".utf8.contains) {
            let reason =
                "the key is empty or has a bracket, which servers read as nesting; rename it"
            encoder.run.fail(UnrepresentableValue(reason, at: member.codingPath))
        }
        return member
    }
}

/// The key under which `superEncoder()` writes: `super`, which a type's `CodingKeys` don't declare.
struct FormKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }

    /// The type of the keys under which a `Dictionary` encodes its values; it has no public name.
    static let typeInDictionaries: ObjectIdentifier? = {
        let encoder = FormValueEncoder(run: FormRun(FormEncoder()))
        // The dictionary is empty, because `member(_:)` reads this property.
        try? [String: String]().encode(to: encoder)
        guard case .object(let object) = encoder.node.content else { return nil }
        return object.keyType
    }()
}

struct FormUnkeyedContainer: UnkeyedEncodingContainer {
    /// The coding key of an element, named as by Foundation's own encoders.
    private struct Index: CodingKey {
        let index: Int
        var intValue: Int? { index }
        var stringValue: String { "Index \(index)" }

        init(_ index: Int) {
            self.index = index
        }

        init?(intValue: Int) { self.init(intValue) }
        init?(stringValue: String) { nil }
    }

    let encoder: FormValueEncoder
    let list: FormList

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { list.nodes.count }

    func encodeNil() {
        list.nodes.append(FormNode())
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        try element().write(value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        element().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { element() }

    /// The encoder for the next element.
    private func element() -> FormValueEncoder {
        let (node, index) = (FormNode(), Index(count))
        list.nodes.append(node)
        return encoder.encoder(of: node, index)
    }
}
