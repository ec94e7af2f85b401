import Foundation

extension EncodingError {
    /// Where a value could not be encoded, without the value.
    var sentence: String {
        switch self {
        case .invalidValue(_, let context): "the value \(context.codingPath.place) is not valid"
        @unknown default: "a value is not valid"
        }
    }
}

extension DecodingError {
    /// Where a value could not be decoded, without what was there.
    var sentence: String {
        switch self {
        case .typeMismatch(let type, let context):
            "the value \(context.codingPath.place) is no \(type)"
        case .valueNotFound(_, let context):
            "the value \(context.codingPath.place) is null or missing"
        case .keyNotFound(let key, let context):
            "the value \((context.codingPath + [key]).place) is missing"
        case .dataCorrupted(let context):
            "the value \(context.codingPath.place) is not valid"
        @unknown default:
            "a value is not valid"
        }
    }
}

extension [any CodingKey] {
    /// Where this path leads, such as ``at `items[0].id` ``.
    fileprivate var place: String {
        var path = ""
        for key in self {
            if let index = key.intValue {
                path += "[\(index)]"
            } else if "\(type(of: key))".hasPrefix("_") {
                path += "[…]"  // a dictionary's key, which is what the server sent
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return isEmpty ? "at the top" : "at `\(path)`"
    }
}
