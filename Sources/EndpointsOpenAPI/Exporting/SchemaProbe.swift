import Endpoints
import EndpointsFormats
import EndpointsShared
import Foundation

/// Learns the schemas of types from what they ask of a decoder or write to an encoder.
struct SchemaProbe {
    let components: SchemaComponents
    let coder: ProbedCoder
    /// Whether schemas are learned. If not, values are made only.
    var learns = true

    /// The schema of a type, or a reference to it.
    func schema(of type: Any.Type) -> JSONValue {
        guard learns else { return .free }
        if let optional = type as? any AnyOptional.Type {
            return schema(of: optional.wrappedType).orNull
        }
        if type is any FormChange.Type {
            return (TypeLayout(type)?.fields.first?.type).map { schema(of: $0).orNull } ?? .free
        }
        if let list = type as? any ProbedList.Type {
            return .list(of: schema(of: list.elementType))
        }
        if let map = type as? any ProbedMap.Type {
            return map.hasTexts ? .map(of: schema(of: map.valueType)) : .list(of: .free)
        }
        if type == Date.self { return coder.date(self) }
        if type == Data.self { return coder.data }
        if let known = MadeUpValue.schemas[ObjectIdentifier(type)] { return known }
        let key = SchemaComponents.Key(
            type: ObjectIdentifier(type), coder: coder.identity, writes: coder.writes)
        return components.schema(of: type, key) { learn(type) }
    }

    /// A value of the type: made up, as the type decodes it, or put together from such values.
    func value(of type: Any.Type, _ text: String = MadeUpValue.texts[0]) -> Any? {
        if let optional = type as? any AnyOptional.Type { return optional.none }
        if let list = type as? any ProbedList.Type { return list.empty }
        if let map = type as? any ProbedMap.Type { return map.empty }
        if let known = MadeUpValue.value(of: type, text) { return known }
        if type is any Decodable.Type {
            decode(type)
            if let value = components.values[ObjectIdentifier(type)] { return value }
        }
        if let value = rawEnum(type)?.value { return value }
        return components.once(type) { composed(type) }
    }

    /// Makes a value of a type by decoding it, unless there is one.
    private func decode(_ type: Any.Type) {
        guard components.values[ObjectIdentifier(type)] == nil else { return }
        if learns && !coder.writes {
            _ = schema(of: type)
        } else {
            var probe = self
            probe.learns = false
            _ = components.once(type) { probe.read(type) }
        }
    }

    func decoder(of value: ProbedValue, _ text: String = MadeUpValue.texts[0]) -> any Decoder {
        ProbeDecoder(probe: self, value: value, text: text)
    }

    func encoder(to value: ProbedValue) -> any Encoder {
        ProbeEncoder(probe: self, value: value)
    }

    // MARK: - Learning

    private func learn(_ type: Any.Type) -> JSONValue? {
        let (value, isComplete) = coder.writes ? written(type) : read(type)
        if let schema = union(type, value) { return schema }
        if let schema = closedEnum(type, value) { return schema }
        return value.isClear && (isComplete || value.isScalar) ? value.schema : nil
    }

    /// What the type reads, and whether it could be read with some text.
    private func read(_ type: Any.Type) -> (ProbedValue, isComplete: Bool) {
        guard let type = type as? any Decodable.Type else { return (ProbedValue(), false) }
        var first: ProbedValue?
        let names = TypeLayout(type).map { $0.isEnum ? $0.fields.map(\.name) : [] } ?? []
        for text in MadeUpValue.texts + names {
            let value = ProbedValue()
            if let made = try? type.init(from: decoder(of: value, text)) {
                components.values[ObjectIdentifier(type)] = made
                return (alternatives(of: type, value, text), true)
            }
            first = first ?? value
        }
        return (first ?? ProbedValue(), false)
    }

    /// A type that reads a text may also read a number: it is asked again, and refused what it has
    /// read until then.
    private func alternatives(
        of type: any Decodable.Type, _ value: ProbedValue, _ text: String
    ) -> ProbedValue {
        guard value.isScalar else { return value }
        for _ in 0..<4 {
            let (count, another) = (value.scalars.count, ProbedValue())
            _ = try? type.init(
                from: ProbeDecoder(
                    probe: self, value: another, text: text, refused: value.scalars))
            for schema in another.scalars { value.addScalar(schema) }
            if another.isObject { value.beObject() }
            if another.isList { value.beList() }
            if value.scalars.count == count { break }
        }
        return value
    }

    private func written(_ type: Any.Type) -> (ProbedValue, isComplete: Bool) {
        let result = ProbedValue()
        guard let value = value(of: type) as? any Encodable else { return (result, false) }
        return (result, (try? value.encode(to: encoder(to: result))) != nil)
    }

    /// The schema of an enum whose cases hold what is decoded, one or another.
    private func union(_ type: Any.Type, _ value: ProbedValue) -> JSONValue? {
        guard let layout = TypeLayout(type), layout.hasValues, !value.readsAllKeys else {
            return nil
        }
        let payloads = layout.fields.compactMap(\.type)
        guard
            payloads.allSatisfy({
                coder.writes ? $0 is any Encodable.Type : $0 is any Decodable.Type
            })
        else { return nil }
        if coder.writes, value.isObject, layout.fields.contains(where: { $0.name == value.only }) {
            return nil
        }
        let schemas = payloads.map(schema)
        let isDelegated =
            value.isScalar || !value.isClear
            || schemas.contains { components.resolved($0) == value.schema }
            || layout.fields.contains(where: \.isIndirect)
        guard isDelegated else { return nil }
        let schema = JSONValue.any(of: schemas)
        let types = value.schema["type"]?.elements ?? []
        let hasNull = value.isNullable || types.contains(.string("null"))
        return hasNull ? schema.orNull : schema
    }

    /// The schema of an enum that has a raw value, and no case for values it doesn't know.
    private func closedEnum(_ type: Any.Type, _ value: ProbedValue) -> JSONValue? {
        guard value.isScalar, let values = rawEnum(type)?.rawValues else { return nil }
        if let type = type as? any Decodable.Type {
            let decoder = decoder(of: ProbedValue(), MadeUpValue.impossible)
            if (try? type.init(from: decoder)) != nil { return nil }
        }
        guard case .object(var schema) = value.scalars[0] else { return nil }
        schema["enum"] = .array(values)
        return .object(schema)
    }

    // MARK: - Values without a decoder

    private func rawEnum(_ type: Any.Type) -> RawEnum? {
        (type as? any RawRepresentable.Type).flatMap { RawEnum($0) }
    }

    /// A value that is put together from made-up ones in its memory.
    private func composed(_ type: Any.Type) -> Any? {
        func compose<Value>(_ type: Value.Type) -> Any? {
            guard let layout = TypeLayout(type) else { return nil }
            let memory = UnsafeMutableRawPointer.allocate(
                byteCount: max(MemoryLayout<Value>.size, 1),
                alignment: MemoryLayout<Value>.alignment)
            defer { memory.deallocate() }
            guard layout.isEnum ? fill(case: layout, memory) : fill(layout, memory)
            else { return nil }
            return memory.assumingMemoryBound(to: Value.self).move()
        }
        return compose(type)
    }

    private func fill(_ layout: TypeLayout, _ memory: UnsafeMutableRawPointer) -> Bool {
        for field in layout.fields {
            guard let type = field.type, store(type, in: memory + field.offset) else {
                return false
            }
        }
        return true
    }

    private func fill(case layout: TypeLayout, _ memory: UnsafeMutableRawPointer) -> Bool {
        for (index, field) in layout.fields.enumerated() where !field.isIndirect {
            if let type = field.type, !store(type, in: memory) { continue }
            layout.inject(case: index, into: memory)
            return true
        }
        for (index, field) in layout.fields.enumerated() where field.isIndirect {
            guard let type = field.type, let box = HeapBox(of: type) else { continue }
            guard store(type, in: box.contents) else {
                box.deallocate()
                continue
            }
            memory.storeBytes(of: box.object, as: UnsafeMutableRawPointer.self)
            layout.inject(case: index, into: memory)
            return true
        }
        return false
    }

    private func store(_ type: Any.Type, in memory: UnsafeMutableRawPointer) -> Bool {
        func store<Value>(_ type: Value.Type) -> Bool {
            guard let value = value(of: type) as? Value else { return false }
            memory.initializeMemory(as: type, to: value)
            return true
        }
        return store(type)
    }
}

extension ProbedValue {
    /// The name of the only member.
    fileprivate var only: String? { members.count == 1 ? members.first?.key : nil }
}
