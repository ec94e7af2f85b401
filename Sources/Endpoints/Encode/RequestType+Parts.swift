#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

/// The values that a request is made of, without their types and for the duration of one call.
struct Parts {
    var pathComponents: Values?
    var parameters: Values?
    var headerValues: Values?
}

extension RequestType {
    /// Lends its values to what makes a `URLRequest` of them.
    ///
    /// - Parameter isFlat: Whether they are the request itself.
    @inline(__always)
    func lendParts(
        isFlat: Bool, to make: (Parts) throws(FieldError) -> URLRequest
    ) throws(FieldError) -> URLRequest {
        guard isFlat else { return try lendNestedParts(to: make) }
        return try Values.borrow(self) { values throws(FieldError) in
            try make(Parts(pathComponents: values, parameters: values, headerValues: values))
        }
    }

    // A function of its own, as the types that it names are looked up as soon as it is called.
    @inline(never)
    private func lendNestedParts(
        to make: (Parts) throws(FieldError) -> URLRequest
    ) throws(FieldError) -> URLRequest {
        try Values.borrow(pathComponents) { path throws(FieldError) in
            try Values.borrow(parameters) { parameters throws(FieldError) in
                try Values.borrow(headerValues) { header throws(FieldError) in
                    try make(
                        Parts(pathComponents: path, parameters: parameters, headerValues: header))
                }
            }
        }
    }
}
