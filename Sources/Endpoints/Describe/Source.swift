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

    /// The property's name as the declaration spells it, where there is one.
    var propertyName: String? {
        guard case .property(let reader) = self else { return nil }
        // `\Request.PathComponents.id`; a computed property has only an address, in angle brackets.
        let name = "\(reader.keyPath)".split(separator: ".").last.map(String.init)
        return name.flatMap { $0.contains("<") || $0.hasPrefix("\\") ? nil : $0 }
    }
}
