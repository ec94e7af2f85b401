import EndpointsFormats
import Foundation

/// An encoder that notes the types of what it is given, not the values.
struct ProbeEncoder: Encoder {
    let probe: SchemaProbe
    let value: ProbedValue
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        value.beObject()
        return KeyedEncodingContainer(ProbeWrittenMembers<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        value.beList()
        return ProbeWrittenElements(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ProbeWrittenScalar(encoder: self)
    }

    func nested(_ value: ProbedValue) -> ProbeEncoder {
        ProbeEncoder(probe: probe, value: value)
    }
}

private struct ProbeWrittenMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ProbeEncoder
    var codingPath: [any CodingKey] { [] }

    private func note(_ key: Key, _ schema: JSONValue, isRequired: Bool) {
        encoder.value.add(encoder.probe.coder.name(key), schema, isRequired: isRequired)
    }

    func encodeNil(forKey key: Key) { note(key, .free, isRequired: true) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
        let isChange = value is any FormChange
        note(key, encoder.probe.schema(of: Value.self), isRequired: !isChange)
    }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) {
        note(key, encoder.probe.schema(of: Value.self), isRequired: false)
    }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) { add(Bool.self, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) { add(String.self, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { add(Double.self, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) { add(Float.self, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { add(Int.self, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) { add(Int8.self, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) { add(Int16.self, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) { add(Int32.self, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { add(Int64.self, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) { add(UInt.self, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) { add(UInt8.self, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) { add(UInt16.self, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) { add(UInt32.self, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) { add(UInt64.self, key) }

    private func add(_ type: Any.Type, _ key: Key) {
        note(key, encoder.probe.schema(of: type), isRequired: false)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        superEncoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.nested(encoder.value.child("super")) }

    func superEncoder(forKey key: Key) -> any Encoder {
        encoder.nested(encoder.value.child(encoder.probe.coder.name(key)))
    }
}

private struct ProbeWrittenElements: UnkeyedEncodingContainer {
    let encoder: ProbeEncoder
    var codingPath: [any CodingKey] { [] }
    var count = 0

    init(encoder: ProbeEncoder) { self.encoder = encoder }

    mutating func encodeNil() { count += 1 }

    mutating func encode<Value: Encodable>(_ value: Value) {
        count += 1
        encoder.value.addItem(encoder.probe.schema(of: Value.self))
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        superEncoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        superEncoder().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        count += 1
        return encoder.nested(encoder.value.childItem())
    }
}

private struct ProbeWrittenScalar: SingleValueEncodingContainer {
    let encoder: ProbeEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { encoder.value.beNullable() }

    func encode<Value: Encodable>(_ value: Value) {
        encoder.value.text = value as? String
        encoder.value.addScalar(encoder.probe.schema(of: Value.self))
    }
}
