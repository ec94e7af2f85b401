/// An ``EndpointError`` that does not know its request type yet.
struct FieldError: Error {
    let field: EndpointError.Field
    let problem: String
    var cause: (any Error)?

    init(_ field: EndpointError.Field, _ problem: String, cause: (any Error)? = nil) {
        self.field = field
        self.problem = problem
        self.cause = cause
    }

    /// A value that has no text.
    init(_ field: EndpointError.Field, unrepresentableBecauseOf error: any Error) {
        self.init(field, "has no text: \(error.reason)", cause: error)
    }
}

extension Error {
    /// What an error says for itself, without the values that it may hold.
    var reason: String {
        switch self {
        case let error as UnrepresentableValue: error.reason
        case let error as NoContent: error.description
        case let error as UnreadableText: error.description
        case let error as EncodingError: error.sentence
        case let error as DecodingError: error.sentence
        default: "\(type(of: self)) was thrown"
        }
    }
}
