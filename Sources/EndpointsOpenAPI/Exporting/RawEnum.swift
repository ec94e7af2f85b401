import EndpointsFormats

/// The cases of an enum that has raw values, which needn't be `CaseIterable`.
struct RawEnum {
    let rawValues: [JSONValue]
    let value: Any

    init?<Value: RawRepresentable>(_ type: Value.Type) {
        guard let values = Self.cases(of: type), let first = values.first else { return nil }
        value = first
        rawValues = values.compactMap { $0.rawValue as? any RawJSON }.map(\.json)
        guard rawValues.count == values.count else { return nil }
    }

    /// An enum whose cases have no values is their number, in one byte.
    private static func cases<Value: RawRepresentable>(of type: Value.Type) -> [Value]? {
        if let type = type as? any CaseIterable.Type { return allCases(of: type) as? [Value] }
        guard let layout = TypeLayout(type), layout.hasOnlyNames, layout.fields.count <= 256,
            Value.RawValue.self == String.self || Value.RawValue.self == Int.self,
            MemoryLayout<Value>.size == (layout.fields.count == 1 ? 0 : 1)
        else { return nil }
        return layout.fields.indices.map { index in
            withUnsafeBytes(of: UInt8(index)) {
                $0.baseAddress.map { $0.assumingMemoryBound(to: type).pointee }
            }
        }.compactMap(\.self)
    }

    private static func allCases<Value: CaseIterable>(of type: Value.Type) -> [Any] {
        Array(type.allCases)
    }
}

/// A raw value that JSON has.
private protocol RawJSON {
    var json: JSONValue { get }
}

extension String: RawJSON {
    fileprivate var json: JSONValue { .string(self) }
}

extension Int: RawJSON {
    fileprivate var json: JSONValue { .integer(self) }
}
