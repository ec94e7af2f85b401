import Endpoints
import Foundation

/// An encoder that writes a value as a form, with nested values in brackets.
///
///     static let bodyEncoder = FormEncoder()
///     // Order(items: [Item(price: 1)], metadata: ["a": "b"])
///     // ->  items[0][price]=1&metadata[a]=b, with the brackets escaped
///
/// The value must be encoded with keys, as are most structs and classes, and dictionaries with
/// `String` or `Int` keys. (Swift encodes most other dictionaries as lists.) Properties are written
/// in the order in which they are encoded, and a dictionary's values are sorted by key. Strings,
/// numbers and `URL` are written as their ``PathRepresentable`` text, and `Bool`, `Date` and `Data`
/// by strategies. A value of any other type is written by its `encode(to:)`, even if it is
/// ``PathRepresentable``. Names and texts are escaped as by the WHATWG URL standard's
/// application/x-www-form-urlencoded serializer.
///
/// A list of texts is written by ``arrayEncodingStrategy``. A list that contains an object or
/// another list is always written by index, as servers disagree about `items[][price]`. `nil`, an
/// empty list and an empty dictionary write nothing, and as elements of a list they take no index.
/// A ``Change`` that is `clear` or sets an empty value, and `encodeNil(forKey:)`, write `name=`.
///
/// The encoder throws an ``UnrepresentableValue`` for a number that isn't finite, a date outside
/// the years 0000–9999, a value nested more than 128 levels deep, and a key that is empty or has a
/// bracket, as such a key would change the nesting. The error says where the value is.
public struct FormEncoder: Sendable {
    /// How a list of texts is written; `.brackets` by default.
    public var arrayEncodingStrategy: ArrayEncodingStrategy
    /// How a property's name becomes a key; `.useDefaultKeys` by default.
    public var keyEncodingStrategy: KeyEncodingStrategy
    /// How a date is written; `.rfc3339` by default.
    public var dateEncodingStrategy: DateEncodingStrategy
    /// How `Data` is written; `.base64` by default.
    public var dataEncodingStrategy: DataEncodingStrategy
    /// How a `Bool` is written; `.literal` by default.
    public var boolEncodingStrategy: BoolEncodingStrategy
    /// The `userInfo` of the `Encoder` that is passed to a value's own `encode(to:)`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes an encoder. Each strategy has a default.
    public init(
        arrayEncodingStrategy: ArrayEncodingStrategy = .brackets,
        keyEncodingStrategy: KeyEncodingStrategy = .useDefaultKeys,
        dateEncodingStrategy: DateEncodingStrategy = .rfc3339,
        dataEncodingStrategy: DataEncodingStrategy = .base64,
        boolEncodingStrategy: BoolEncodingStrategy = .literal
    ) {
        self.arrayEncodingStrategy = arrayEncodingStrategy
        self.keyEncodingStrategy = keyEncodingStrategy
        self.dateEncodingStrategy = dateEncodingStrategy
        self.dataEncodingStrategy = dataEncodingStrategy
        self.boolEncodingStrategy = boolEncodingStrategy
    }
}

extension FormEncoder: EncoderType {
    /// `application/x-www-form-urlencoded`.
    public var contentType: MIMEType? { .formURLEncoded }

    /// Encodes a value as a form.
    ///
    /// - Throws: An ``UnrepresentableValue``, or the error that the value's own `encode(to:)` or a
    ///   function of yours in a strategy threw.
    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        let node = try node(of: value)
        guard node.isObject else {
            throw UnrepresentableValue(
                """
                the value has no names for a form's fields; encode a struct, or a dictionary with \
                String keys
                """)
        }
        var bytes = Bytes()
        for (keys, text) in node.fields(arrayEncodingStrategy) {
            if bytes.count > 0 { bytes.append(UInt8(ascii: "&")) }
            bytes.append(keys.prefix(1).joined() + keys.dropFirst().inBrackets, .form)
            bytes.append(UInt8(ascii: "="))
            bytes.append(text, .form)
        }
        return bytes.withBytes { Data(buffer: $0) }
    }

    func node(of value: some Encodable) throws -> FormNode {
        let run = FormRun(self)
        let encoder = FormValueEncoder(run: run)
        try encoder.write(value)
        if let failure = run.failure { throw failure }
        return encoder.node
    }
}
