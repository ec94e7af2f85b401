/// An ``EndpointError`` without the name of its request type.
struct FieldError: Error {
    let field: EndpointError.Field
    let reason: String
    var cause: (any Error)?

    init(_ field: EndpointError.Field, _ reason: String, cause: (any Error)? = nil) {
        self.field = field
        self.reason = reason
        self.cause = cause
    }

    init(_ field: EndpointError.Field, unrepresentableBecauseOf error: any Error) {
        self.init(field, "can't be written as text: \(error.safeReason)", cause: error)
    }

    static func bodyNotSent(with method: String) -> FieldError {
        FieldError(.body, "is not sent with \(method) by URLSession; use POST, PUT or PATCH")
    }
}

extension EndpointError {
    init(requestType: String, _ error: FieldError) {
        self.init(
            requestType: requestType, field: error.field, reason: error.reason,
            cause: error.cause)
    }
}
