/// A problem of a declaration.
enum Problem: Sendable {
    /// Making a request throws this error.
    case error(FieldError)
    /// Probably not meant, but requests can be made.
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
