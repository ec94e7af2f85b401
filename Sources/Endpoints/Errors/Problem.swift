/// A mistake in the declaration of a request, or what looks like a mistake.
package enum Problem: Sendable {
    /// Making a request throws this error.
    case error(FieldError)
    /// This is probably a mistake, but requests can be made.
    case warning(FieldError)

    var isError: Bool {
        if case .error = self { true } else { false }
    }

    package var fieldError: FieldError {
        switch self {
        case .error(let error), .warning(let error): error
        }
    }
}
