import Endpoints
import Foundation

/// Any JSON value, for what has no declared type.
///
///     // {"accounts": ["/account/12345", null], "page": 2}
///     let members: [String: JSONValue] = ["accounts": ["/account/12345", .null], "page": 2]
///     let count = 7
///     let value: JSONValue = ["count": .integer(count)]   // a variable needs the case's name
public enum JSONValue: Hashable, Sendable {
    /// `null`. It also stands for a value that ``ProblemDetails`` doesn't read: a number that
    /// doesn't fit in `Double`, or a list or object inside 64 others.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that fits in `Int`.
    case integer(Int)
    /// A number with a fraction, or a large one, and `-0.0`.
    case number(Double)
    /// A number with more digits than a `Double` keeps, such as `18446744073709551615`: up to 38.
    case decimal(Decimal)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// An object.
    case object([String: JSONValue])
}

extension JSONValue: Codable {
    /// Decodes any value. A number that fits in `Int` is an ``integer(_:)``, also if it is written
    /// as `1.0`. Any other number is a ``number(_:)``, or a ``decimal(_:)`` if a `Double` has other
    /// digits and the decoder reads a `Decimal`, as a `JSONDecoder` does.
    ///
    /// - Throws: A `DecodingError` for a number that doesn't fit in `Double`.
    public init(from decoder: any Decoder) throws {
        if (try? decoder.container(keyedBy: MemberName.self)) != nil {
            // As a dictionary, so that a key strategy of the decoder leaves the names as they are.
            let container = try decoder.singleValueContainer()
            self = .object(try container.decode([String: JSONValue].self))
        } else if var list = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !list.isAtEnd { elements.append(try list.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let text = try? container.decode(String.self) {
                self = .string(text)
            } else if let number = JSONValue(number: container) {
                self = number
            } else if let bool = try? container.decode(Bool.self) {
                self = .bool(bool)
            } else {
                do { self = .number(try container.decode(Double.self)) } catch DecodingError
                    .typeMismatch
                {
                    // A text that isn't valid, such as one with half of an emoji.
                    self = .string(try container.decode(String.self))
                }
            }
        }
    }

    /// Encodes the value as it is written in JSON.
    ///
    /// - Throws: An `EncodingError` for a number that JSON can't write, such as NaN.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            // As a dictionary, so that a key strategy of the encoder leaves the names as they are.
            var container = encoder.singleValueContainer()
            try container.encode(members)
        case .array(let elements): try elements.encode(to: encoder)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let bool): try bool.encode(to: encoder)
        case .integer(let number): try number.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .decimal(let number):
            guard number.isFinite else { return try Double.nan.encode(to: encoder) }
            // Not as `number.encode(to:)`, which writes an object.
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case .string(let text): try text.encode(to: encoder)
        }
    }
}

extension JSONValue {
    /// The number in a container; `nil` if it isn't a number, or doesn't fit in `Double`.
    fileprivate init?(number container: any SingleValueDecodingContainer) {
        if let number = try? container.decode(Int.self) {
            if number == 0, (try? container.decode(Double.self))?.sign == .minus {
                // As an `Int`, it would lose its sign.
                self = .number(-0.0)
            } else if number.magnitude >= 1 << 53,
                let decimal = try? container.decode(Decimal.self), decimal != Decimal(number)
            {
                // A `JSONDecoder` drops the fraction of such a large number.
                self = .decimal(decimal)
            } else {
                self = .integer(number)
            }
        } else if let number = try? container.decode(Double.self) {
            self.init(number, try? container.decode(Decimal.self))
        } else {
            return nil
        }
    }

    /// A number that was read as a `Double` and, if possible, with more digits.
    package init(_ number: Double, _ decimal: Decimal?) {
        // A `Double` is described by the fewest digits that tell it from any other.
        if let decimal, Decimal(string: "\(number)") != decimal {
            self = .decimal(decimal)
        } else {
            self = .number(number)
        }
    }
}

// There is no literal for `null`: with `ExpressibleByNilLiteral`, `value == nil` would compare a
// `JSONValue?` with `.null`.

extension JSONValue: ExpressibleByBooleanLiteral {
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSONValue: ExpressibleByStringInterpolation {
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// A list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// An object. Of a name that is written twice, the last value counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members) { $1 })
    }
}

/// Decodes the values of ``ProblemDetails/members``, whatever their types.
///
/// At most 1,000 values are kept. In a member, a list or object inside 64 others is `null`. Without
/// these limits, a large error response would take long: each value is tried as one type after
/// another, and the decoder makes an error for each type that doesn't fit.
struct MemberReader {
    private var valuesLeft = 1000
    private var levelsLeft = 64

    mutating func value(_ decoder: any Decoder) -> JSONValue {
        valuesLeft -= 1
        guard let container = try? decoder.singleValueContainer(), !container.decodeNil()
        else { return .null }
        if let text = try? container.decode(String.self) { return .string(text) }
        if let number = JSONValue(number: container) { return number }
        if let bool = try? container.decode(Bool.self) { return .bool(bool) }
        guard levelsLeft > 0 else { return .null }
        levelsLeft -= 1
        defer { levelsLeft += 1 }
        if let object = try? decoder.container(keyedBy: MemberName.self) {
            return .object(members(of: object))
        }
        return (try? decoder.unkeyedContainer()).map { .array(elements(of: $0)) } ?? .null
    }

    mutating func members(
        of object: KeyedDecodingContainer<MemberName>, except names: Set<String> = []
    ) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for name in object.allKeys where valuesLeft > 0 && !names.contains(name.stringValue) {
            guard let member = try? object.superDecoder(forKey: name) else { continue }
            members[name.stringValue] = value(member)
        }
        return members
    }

    private mutating func elements(of list: any UnkeyedDecodingContainer) -> [JSONValue] {
        var (list, elements) = (list, [JSONValue]())
        while valuesLeft > 0, !list.isAtEnd, let element = try? list.superDecoder() {
            elements.append(value(element))
        }
        return elements
    }
}

struct MemberName: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}
