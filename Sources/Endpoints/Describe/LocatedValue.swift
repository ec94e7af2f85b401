import Foundation

extension DecoderType {
    /// Decodes a value. If the error doesn't say where in the content it is, its place is looked
    /// for.
    ///
    /// `JSONDecoder` gives no place for a number that doesn't fit, such as 1.5 in an `Int`: it says
    /// that the content isn't valid JSON.
    @inline(__always)
    package func located<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        do { return try decode(type, from: data) } catch {
            throw place(of: error, in: type, data)
        }
    }

    /// The error with its place. To find it, the content is decoded a second time, by a decoder
    /// that catches the error at the innermost value.
    @inline(never)
    private func place<Value: Decodable>(
        of error: any Error, in type: Value.Type, _ data: Data
    ) -> any Error {
        guard case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty
        else { return error }
        do { _ = try decode(LocatedValue<Value>.self, from: data) } catch let found {
            if case DecodingError.dataCorrupted(let context) = found, !context.isWithoutPlace {
                return found
            }
        }
        return error
    }
}

extension DecodingError.Context {
    fileprivate var isWithoutPlace: Bool {
        codingPath.isEmpty && !(underlyingError is UnfittingNumber)
    }
}

/// A value of which only the first error is of interest. It is decoded by a ``LocatingDecoder``, so
/// the values in it are located too.
private struct LocatedValue<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        do {
            // A decoder reads these types in its own way, such as by a `dateDecodingStrategy`.
            let isSpecial = [Date.self, Data.self, URL.self, Decimal.self].contains {
                $0 == Value.self
            }
            value =
                isSpecial
                ? try decoder.singleValueContainer().decode(Value.self)
                : try Value(from: LocatingDecoder(base: decoder, type: Value.self))
        } catch {
            throw Self.located(error, at: decoder.codingPath)
        }
    }

    /// An error that has no place gets this one. Any error of the decoder that isn't a
    /// `DecodingError` is one about a number, or about JSON that isn't valid.
    private static func located(_ error: any Error, at path: [any CodingKey]) -> any Error {
        let context: DecodingError.Context?
        switch error {
        case DecodingError.dataCorrupted(let found): context = found
        case is DecodingError: return error
        default: context = nil
        }
        if let context, !context.isWithoutPlace { return error }
        let isNumber = Value.self is any Numeric.Type
        return DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: path,
                debugDescription: context?.debugDescription ?? "The value is not valid.",
                underlyingError: isNumber ? UnfittingNumber(type: "\(Value.self)") : nil))
    }
}

/// A decoder whose containers decode each value as a ``LocatedValue``.
private struct LocatingDecoder: Decoder {
    let base: any Decoder
    /// The type of the value that the decoder is for; unknown for a `superDecoder`.
    var type: Any.Type = Never.self
    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed(base: try base.container(keyedBy: type)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        Unkeyed(base: try base.unkeyedContainer())
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        Single(base: try base.singleValueContainer(), type: type)
    }

    // One generic `decode` is the witness of the protocol's functions for all types.

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let base: KeyedDecodingContainer<Key>
        var codingPath: [any CodingKey] { base.codingPath }
        var allKeys: [Key] { base.allKeys }

        func contains(_ key: Key) -> Bool { base.contains(key) }
        func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try base.decode(LocatedValue<Value>.self, forKey: key).value
        }

        func nestedContainer<Inner: CodingKey>(
            keyedBy type: Inner.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Inner> {
            let inner = try base.nestedContainer(keyedBy: type, forKey: key)
            return KeyedDecodingContainer(Keyed<Inner>(base: inner))
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            Unkeyed(base: try base.nestedUnkeyedContainer(forKey: key))
        }

        func superDecoder() throws -> any Decoder {
            LocatingDecoder(base: try base.superDecoder())
        }

        func superDecoder(forKey key: Key) throws -> any Decoder {
            LocatingDecoder(base: try base.superDecoder(forKey: key))
        }
    }

    private struct Single: SingleValueDecodingContainer {
        let base: any SingleValueDecodingContainer
        let type: Any.Type
        var codingPath: [any CodingKey] { base.codingPath }

        func decodeNil() -> Bool { base.decodeNil() }

        /// A type that decodes itself, such as `Int`, is at its end: it would be decoded forever.
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            type == self.type
                ? try base.decode(type) : try base.decode(LocatedValue<Value>.self).value
        }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        var base: any UnkeyedDecodingContainer
        var codingPath: [any CodingKey] { base.codingPath }
        var count: Int? { base.count }
        var isAtEnd: Bool { base.isAtEnd }
        var currentIndex: Int { base.currentIndex }

        mutating func decodeNil() throws -> Bool { try base.decodeNil() }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try base.decode(LocatedValue<Value>.self).value
        }

        mutating func nestedContainer<Inner: CodingKey>(
            keyedBy type: Inner.Type
        ) throws -> KeyedDecodingContainer<Inner> {
            let inner = try base.nestedContainer(keyedBy: type)
            return KeyedDecodingContainer(Keyed<Inner>(base: inner))
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            Unkeyed(base: try base.nestedUnkeyedContainer())
        }

        mutating func superDecoder() throws -> any Decoder {
            LocatingDecoder(base: try base.superDecoder())
        }
    }
}
