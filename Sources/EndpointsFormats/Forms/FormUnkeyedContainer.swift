import Endpoints

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
