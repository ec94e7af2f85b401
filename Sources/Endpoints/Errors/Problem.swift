/// Something wrong in a declaration.
enum Problem: Sendable {
    /// Every request is refused with this error.
    case error(FieldError)
    /// It is probably not meant, but requests can be made.
    case warning(FieldError)

    var isError: Bool {
        if case .error = self { true } else { false }
    }

    var fieldError: FieldError {
        switch self {
        case .error(let error), .warning(let error): error
        }
    }
}
