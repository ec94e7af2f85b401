/// Something wrong in a declaration.
enum Problem: Sendable {
    /// No request can be made of it.
    case refusal(FieldError)
    /// It is not likely to be meant.
    case suspicion(FieldError)

    var refuses: Bool {
        if case .refusal = self { true } else { false }
    }

    var error: FieldError {
        switch self {
        case .refusal(let error), .suspicion(let error): error
        }
    }
}
