import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An error that says what is wrong without the value that is.
protocol ReasonedError: Error {
    var reason: String { get }
}

extension Error {
    /// What an error says for itself, without a value that was sent or received.
    ///
    /// Descriptions of coders' errors may hold such a value; a localized one is its author's own
    /// words.
    var safeReason: String {
        switch self {
        case let error as any ReasonedError: error.reason
        case let error as URLError: error.code.reason
        case let error as EncodingError: error.codingReason
        case let error as DecodingError: error.codingReason
        default: (self as? any LocalizedError)?.errorDescription ?? "\(type(of: self)) was thrown"
        }
    }
}

extension EncodingError {
    /// Where a value could not be encoded, without the value.
    fileprivate var codingReason: String {
        switch self {
        case .invalidValue(_, let context): "the value \(context.codingPath.place) is not valid"
        @unknown default: "a value is not valid"
        }
    }
}

extension DecodingError {
    /// Where a value could not be decoded, without what was there.
    fileprivate var codingReason: String {
        switch self {
        case .typeMismatch(let type, let context):
            "the value \(context.codingPath.place) is not \(Self.name(of: type))"
        case .valueNotFound(_, let context):
            "the value \(context.codingPath.place) is null or missing"
        case .keyNotFound(let key, let context):
            "the value \((context.codingPath + [key]).place) is missing"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "the content is not valid"
        case .dataCorrupted(let context):
            "the value \(context.codingPath.place) is not valid"
        @unknown default:
            "a value is not valid"
        }
    }

    /// A type in words: Foundation names its own where an object or an array is wanted.
    private static func name(of type: Any.Type) -> String {
        let name = "\(type)"
        if name.hasPrefix("Dictionary<") { return "an object" }
        if name.hasPrefix("Array<") { return "an array" }
        return "of type \(name)"
    }
}

extension [any CodingKey] {
    /// Where this path leads, such as ``at `items[0].id` ``.
    fileprivate var place: String {
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
    /// Whether this is a key of a `CodingKeys` enum. Any other, such as a dictionary's or a case
    /// with a value, may be what the server sent.
    fileprivate var isDeclared: Bool {
        let mirror = Mirror(reflecting: self)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
            && !"\(type(of: self))".hasPrefix("_")
    }
}
