/// An ``EndpointError`` without the name of its request type.
package struct FieldError: Error {
    package let field: EndpointError.Field
    package let reason: String
    package var cause: (any Error)?

    package init(_ field: EndpointError.Field, _ reason: String, cause: (any Error)? = nil) {
        self.field = field
        self.reason = reason
        self.cause = cause
    }

    package init(_ field: EndpointError.Field, unrepresentableBecauseOf error: any Error) {
        self.init(field, "can't be written as text: \(error.safeReason)", cause: error)
    }

    static func bodyNotSent(with method: String) -> FieldError {
        FieldError(.body, "is not sent with \(method) by URLSession; use POST, PUT or PATCH")
    }
}

extension EndpointError {
    package init(requestType: String, _ error: FieldError) {
        self.init(
            requestType: requestType, field: error.field, reason: error.reason,
            cause: error.cause)
    }
}
