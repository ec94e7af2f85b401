import Foundation

/// An error with a reason. It shows no value that was sent or received, except the status and the
/// text of a `LocalizedError` such as ``ProblemDetails``.
package protocol ReasonedError: Error {
    var reason: String { get }
}

extension Error {
    /// What the error says, without a value that was sent or received, except what a
    /// ``ReasonedError`` or the author of a `LocalizedError` shows.
    ///
    /// The `description` may show a value, so it isn't used.
    package var safeReason: String {
        switch self {
        case let error as any ReasonedError: error.reason
        case let error as URLError: error.code.reason
        case let error as EncodingError: error.codingReason
        case let error as DecodingError: error.codingReason
        default:
            (self as? any LocalizedError)?.errorDescription
                // Without the cast, `type(of:)` returns `Error` if `Self` is `any Error`.
                ?? "\(type(of: self as any Error)) was thrown"
        }
    }
}

extension EncodingError {
    /// What is wrong and where, without the value.
    fileprivate var codingReason: String {
        switch self {
        case .invalidValue(_, let context):
            """
            the encoder can't write the value \(context.codingPath.place); change the value, or \
            use another encoder
            """
        @unknown default:
            "the encoder can't write a value; change the value, or use another encoder"
        }
    }
}

extension DecodingError {
    /// What is wrong and, if it is known, where, without the value.
    fileprivate var codingReason: String {
        switch self {
        case .typeMismatch(let type, let context):
            "the value \(context.codingPath.place) is not \(Self.name(of: type))"
        case .valueNotFound(_, let context):
            "the value \(context.codingPath.place) is null or missing"
        case .keyNotFound(let key, let context):
            "the value \((context.codingPath + [key]).place) is missing"
        case .dataCorrupted(let context) where context.isDate:
            """
            a date in the value \(context.codingPath.place) is not like 2026-03-01T00:00:00Z; \
            set another dateDecodingStrategy
            """
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "the content is not valid"
        case .dataCorrupted(let context):
            "the value \(context.codingPath.place) is not valid"
        @unknown default:
            "a value is not valid"
        }
    }

    /// A type in words. Decoders report `Dictionary<…>` for an object, and `Array<…>` for an array.
    private static func name(of type: Any.Type) -> String {
        let name = "\(type)"
        if name.hasPrefix("Dictionary<") { return "an object" }
        if name.hasPrefix("Array<") { return "an array" }
        return "of type \(name)"
    }
}

extension DecodingError.Context {
    /// Whether `JSONDecoder` could not read an ISO 8601 date. If so, `codingPath` may be that of
    /// the object or array around it.
    fileprivate var isDate: Bool {
        debugDescription == "Expected date string to be ISO8601-formatted."
    }
}

extension [any CodingKey] {
    /// The place in words, such as ``at `items[0].id` ``.
    package var place: String {
        var path = ""
        for key in self {
            if let index = key.intValue, key.stringValue == "Index \(index)" {
                path += "[\(index)]"
            } else if key.isDeclared {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            } else {
                path += "[…]"
            }
        }
        return isEmpty ? "at the top" : "at `\(path)`"
    }
}

extension CodingKey {
    /// Whether the key's text is in the program's code, as in a `CodingKeys` enum. Any other key,
    /// such as that of a dictionary or an enum case with a value (`case other(String)`), may come
    /// from the server or from a value of the request.
    fileprivate var isDeclared: Bool {
        if self is any DeclaredKey { return true }
        let mirror = Mirror(reflecting: self)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
            && !"\(type(of: self))".hasPrefix("_")
    }
}

/// A key whose text is in the program's code. The text of an error may show such a key.
package protocol DeclaredKey: CodingKey {}
