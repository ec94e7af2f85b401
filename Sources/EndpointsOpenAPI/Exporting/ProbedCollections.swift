import Endpoints

/// A list, whose elements' type is known without a value.
protocol ProbedList {
    static var elementType: Any.Type { get }
    static var empty: Self { get }
}

extension Array: ProbedList {
    static var elementType: Any.Type { Element.self }
    static var empty: [Element] { [] }
}

extension Set: ProbedList {
    static var elementType: Any.Type { Element.self }
    static var empty: Set { [] }
}

/// A dictionary.
protocol ProbedMap {
    static var valueType: Any.Type { get }
    /// Whether the keys are those of an object. Pairs with other keys are written as a list.
    static var hasTexts: Bool { get }
    static var empty: Self { get }
}

extension Dictionary: ProbedMap {
    static var valueType: Any.Type { Value.self }
    static var hasTexts: Bool {
        if Key.self == String.self || Key.self == Int.self { return true }
        guard #available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, *) else { return false }
        return Key.self is any CodingKeyRepresentable.Type
    }
    static var empty: [Key: Value] { [:] }
}

/// A value with the status and headers of its response.
protocol ProbedCarrier {
    static var valueType: Any.Type { get }
}

extension WithHTTPResponse: ProbedCarrier {
    static var valueType: Any.Type { Value.self }
}
