import EndpointsFormats
import Foundation

/// A decoder that has a value for everything, and notes what it is asked for.
struct ProbeDecoder: Decoder {
    let probe: SchemaProbe
    let value: ProbedValue
    /// The text that stands for each text.
    let text: String
    /// The schemas of values that are refused.
    var refused: [JSONValue] = []
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if !refused.isEmpty { value.beObject() }
        guard refused.isEmpty else { throw refusal("an object") }
        value.beObject()
        return KeyedDecodingContainer(ProbeMembers<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        value.beList()
        guard refused.isEmpty else { throw refusal("a list") }
        return ProbeElements(decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        ProbeScalar(decoder: self)
    }

    func made<Value>(_ type: Value.Type) throws -> Value {
        guard let value = probe.value(of: type, text) as? Value else {
            throw refusal("a value of \(type)")
        }
        return value
    }

    func refusal(_ what: String) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: [], debugDescription: "There is no \(what)."))
    }

    /// A decoder of a value inside this one.
    func nested(_ value: ProbedValue) -> ProbeDecoder {
        ProbeDecoder(probe: probe, value: value, text: text)
    }
}

private struct ProbeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ProbeDecoder
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        decoder.value.readsAllKeys = true
        return []
    }

    private func note(_ key: Key, _ schema: JSONValue, isRequired: Bool) {
        decoder.value.add(decoder.probe.coder.name(key), schema, isRequired: isRequired)
    }

    func contains(_ key: Key) -> Bool {
        note(key, .free, isRequired: false)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool {
        note(key, .free, isRequired: false)
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        note(key, decoder.probe.schema(of: type), isRequired: true)
        return try decoder.made(type)
    }

    func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type, forKey key: Key
    ) throws -> Value? {
        note(key, decoder.probe.schema(of: type), isRequired: false)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try superDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { superDecoder("super") }

    func superDecoder(forKey key: Key) -> any Decoder {
        superDecoder(decoder.probe.coder.name(key))
    }

    private func superDecoder(_ name: String) -> any Decoder {
        decoder.nested(decoder.value.child(name))
    }
}

private struct ProbeElements: UnkeyedDecodingContainer {
    let decoder: ProbeDecoder
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    /// A loop over the elements reads one. A type that doesn't ask for the end may read more.
    var isAtEnd: Bool { currentIndex > 0 }
    var currentIndex = 0

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        currentIndex += 1
        decoder.value.addItem(decoder.probe.schema(of: type))
        return try decoder.made(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() -> any Decoder {
        currentIndex += 1
        return decoder.nested(decoder.value.childItem())
    }
}

private struct ProbeScalar: SingleValueDecodingContainer {
    let decoder: ProbeDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool {
        decoder.value.beNullable()
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let schema = decoder.probe.schema(of: type)
        decoder.value.addScalar(schema)
        guard !decoder.refused.contains(schema) else { throw decoder.refusal("\(type)") }
        return try decoder.made(type)
    }
}
