/// An ``EndpointError`` that does not know its request type yet.
struct FieldError: Error {
    let field: EndpointError.Field
    let reason: String
    var cause: (any Error)?

    init(_ field: EndpointError.Field, _ reason: String, cause: (any Error)? = nil) {
        self.field = field
        self.reason = reason
        self.cause = cause
    }

    /// A value that has no text.
    init(_ field: EndpointError.Field, unrepresentableBecauseOf error: any Error) {
        self.init(field, "has no text: \(error.safeReason)", cause: error)
    }
}

extension EndpointError {
    /// The error of a request type.
    init(requestType: String, _ error: FieldError) {
        self.init(
            requestType: requestType, field: error.field, reason: error.reason,
            cause: error.cause)
    }
}
