#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

/// The values that a request is made of, without their types and for the duration of one call.
@usableFromInline
struct Parts {
    let request: Values
    let pathComponents: Values
    let parameters: Values
    let headerValues: Values

    @usableFromInline
    init(
        request: Values, pathComponents: Values, parameters: Values, headerValues: Values
    ) {
        self.request = request
        self.pathComponents = pathComponents
        self.parameters = parameters
        self.headerValues = headerValues
    }
}

extension RequestType {
    /// Lends its values to what makes a `URLRequest` of them.
    ///
    /// - Parameter isFlat: Whether they are the request itself.
    @inlinable
    func lendParts(
        isFlat: Bool, to make: (Parts) throws(EndpointError) -> URLRequest
    ) throws(EndpointError) -> URLRequest {
        try Values.borrow(self) { all throws(EndpointError) in
            guard !isFlat else {
                return try make(
                    Parts(request: all, pathComponents: all, parameters: all, headerValues: all))
            }
            return try Values.borrow(pathComponents) { path throws(EndpointError) in
                try Values.borrow(parameters) { parameters throws(EndpointError) in
                    try Values.borrow(headerValues) { header throws(EndpointError) in
                        try make(
                            Parts(
                                request: all, pathComponents: path, parameters: parameters,
                                headerValues: header))
                    }
                }
            }
        }
    }
}
