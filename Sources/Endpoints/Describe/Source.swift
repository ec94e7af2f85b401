/// Where a declared value comes from: it is known at once, or read from each request.
enum Source<Output: TextOutput>: Sendable {
    case constant(Result<Output, any Error>)
    case property(PropertyReader<Output>)

    static func constant(_ output: () throws -> Output) -> Source {
        .constant(Result { try output() })
    }

    /// The value for one request.
    @inline(__always)
    func value(in values: Values) throws -> Output {
        switch self {
        case .constant(let result): try result.get()
        case .property(let read): try read(values)
        }
    }

    /// The property, where it is one that has a place in memory.
    var stored: StoredProperty<Output>? {
        if case .property(let reader) = self { reader.stored } else { nil }
    }

    /// The property's name as the declaration spells it, such as `id` or `user.id`, where there is
    /// one.
    var propertyName: String? {
        guard case .property(let reader) = self else { return nil }
        // `\PathComponents.user.id`; a computed property has only an address, in angle brackets.
        let text = "\(reader.keyPath)"
        let name = text.drop { $0 != "." }.dropFirst()
        return text.hasPrefix("\\") && !name.isEmpty && !name.contains("<") ? String(name) : nil
    }
}
