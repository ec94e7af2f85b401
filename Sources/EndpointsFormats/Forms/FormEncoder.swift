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
        let fields = node.fields(arrayEncodingStrategy).map { keys, text in
            let name = keys.prefix(1).joined() + keys.dropFirst().inBrackets
            return "\(name.escapedInForm)=\(text.escapedInForm)"
        }
        return Data(fields.joined(separator: "&").utf8)
    }

    func node(of value: some Encodable) throws -> FormNode {
        let run = FormRun(self)
        let encoder = FormValueEncoder(run: run)
        try encoder.write(value)
        if let failure = run.failure { throw failure }
        return encoder.node
    }
}

extension FormEncoder {
    /// How a list of strings, numbers or other single values is written, and what PHP, Rails and qs
    /// (Node.js) read from it.
    ///
    /// | | `["a", "b"]` | PHP | Rails | qs |
    /// |---|---|---|---|---|
    /// | ``brackets`` | `n[]=a&n[]=b` | a list | a list | a list |
    /// | ``indices`` | `n[0]=a&n[1]=b` | a list | a hash | a list |
    /// | ``repeated`` | `n=a&n=b` | the last | the last | a list |
    ///
    /// By default, qs reads a list of more than about 20 elements as an object: with ``indices``
    /// in any version, with the others since qs 6.14.1.
    public enum ArrayEncodingStrategy: Sendable {
        /// `n[]=a&n[]=b`.
        case brackets
        /// `n[0]=a&n[1]=b`.
        case indices
        /// `n=a&n=b`.
        case repeated
    }

    /// How a property's name is written as a key. The keys of a dictionary aren't changed.
    public enum KeyEncodingStrategy: Sendable {
        /// The name of the coding key.
        case useDefaultKeys
        /// `userName` becomes `user_name`, as with `JSONEncoder`.
        case convertToSnakeCase
        /// The key that a function returns for a coding path that ends in the property's key.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// How a date is written.
    public enum DateEncodingStrategy: Sendable {
        /// In UTC, rounded to the millisecond: `2023-11-14T22:13:20.123Z` (RFC 3339, section 5.6).
        /// A whole second has no fraction.
        case rfc3339
        /// As ``rfc3339``, but cut to the second: `2023-11-14T22:13:20Z`.
        case iso8601
        /// The seconds since 1970, rounded to the millisecond: `1700000000.123` or `1700000000`.
        case secondsSince1970
        /// The milliseconds since 1970, rounded: `1700000000123`.
        case millisecondsSince1970
        /// By a function that encodes the date. With the other cases, a year outside 0000–9999
        /// is an error.
        case custom(@Sendable (Date, any Encoder) throws -> Void)

        /// In a format: `.formatted(.iso8601.year().month().day())` writes `2023-11-14`.
        ///
        /// With Foundation's and the library's formats, a year outside 0000–9999 is an error.
        public static func formatted<Format: ParameterFormat>(
            _ format: Format
        ) -> DateEncodingStrategy where Format.FormatInput == Date, Format.FormatOutput == String {
            let text = format.checkedText
            return .custom { date, encoder in
                let written = try UnrepresentableValue.naming(encoder.codingPath) {
                    try text(date)
                }
                try written.encode(to: encoder)
            }
        }
    }

    /// How `Data` is written.
    public enum DataEncodingStrategy: Sendable {
        /// In Base64 (RFC 4648, section 4).
        case base64
        /// By a function that encodes the `Data`.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// How a `Bool` is written.
    public enum BoolEncodingStrategy: Sendable {
        /// `true` or `false`.
        case literal
        /// `1` or `0`.
        case numeric
    }
}

extension FormEncoder {
    func name(of key: some CodingKey, in codingPath: [any CodingKey]) -> String {
        switch keyEncodingStrategy {
        case .useDefaultKeys: key.stringValue
        case .convertToSnakeCase: key.stringValue.inSnakeCase
        case .custom(let convert): convert(codingPath + [key]).stringValue
        }
    }
}

extension String {
    /// The words of a name in lower case, with `_` between them: `userID` becomes `user_id`.
    ///
    /// As in `JSONEncoder`, upper-case letters in a row, with digits after them, are one word. But
    /// if a lower-case letter follows, the last character of the row begins the next word:
    /// `myURLPath` becomes `my_url_path`, and `myMP3file` becomes `my_mp_3file`. The first
    /// character of the name isn't part of a row: `URLPath` becomes `u_rl_path`.
    fileprivate var inSnakeCase: String {
        var words: [Substring] = []
        var (word, rest) = (self[...], dropFirst())
        func endWord(at index: Index) {
            words.append(word[..<index])
            word = word[index...]
        }
        while let upper = rest.firstIndex(where: \.isUppercase) {
            endWord(at: upper)
            guard let lower = rest[upper...].firstIndex(where: \.isLowercase) else { break }
            let last = index(before: lower)
            if last != upper { endWord(at: last) }
            rest = rest[lower...].dropFirst()
        }
        return (words + [word]).map { $0.lowercased() }.joined(separator: "_")
    }
}

extension ParameterEncoding {
    /// Nested values in brackets, as ``FormEncoder`` writes them.
    ///
    ///     .query("filter", path: \.filter, encoding: .brackets)
    ///     // Filter(open: true)  ->  ?filter[open]=true, with the brackets escaped
    ///
    /// A list of strings or numbers is `name[]=a&name[]=b`. A string or a number that isn't in a
    /// list is `name=a`.
    public static let brackets = brackets(by: FormEncoder())

    /// Nested values in brackets, as an encoder with your strategies writes them.
    ///
    ///     .query(
    ///         "filter", path: \.filter,
    ///         encoding: .brackets(by: FormEncoder(boolEncodingStrategy: .numeric)))
    ///     // Filter(open: true)  ->  ?filter[open]=1, with the brackets escaped
    public static func brackets(by encoder: FormEncoder) -> ParameterEncoding {
        ParameterEncoding(nil) { value in
            .keyed(try encoder.node(of: value).fields(encoder.arrayEncodingStrategy))
        }
    }
}
