import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// Makes the `URLRequest` for a server.
    ///
    ///     try GetUser(id: 42).urlRequest(in: .production)
    ///     // GET https://api.example.com/users/42
    ///
    /// Nothing is sent. The request's own ``prepare(_:)`` and then the environment's
    /// `requestProcessor` can change the `URLRequest`.
    /// - Throws: An ``EndpointError`` that names the field and, in most cases, says what to change.
    @inlinable
    public func urlRequest(in environment: Environment) throws(EndpointError) -> URLRequest {
        try BorrowedValues.borrow(self) { request throws(EndpointError) in
            try BorrowedValues.borrow(environment) { server throws(EndpointError) in
                // A plan in a variable would be reference-counted, and threads that use the same
                // declaration would wait for each other to change the count.
                try Self.endpoint.plan.urlRequest(of: request, in: server)
            }
        }
    }
}

extension Plan {
    /// The arguments must point to a value of the request type that the plan was made for, and to a
    /// value of that type's `Environment`.
    @usableFromInline
    func urlRequest(
        of request: BorrowedValues, in environment: BorrowedValues
    ) throws(EndpointError) -> URLRequest {
        var urlRequest = try urlRequestBeforeHooks(of: request, in: environment)
        try prepare(&urlRequest, by: request)
        try process(&urlRequest, by: environment)
        return urlRequest
    }

    /// Makes the `URLRequest` as it is before `prepare(_:)` and `requestProcessor` change it.
    @inline(__always)
    func urlRequestBeforeHooks(
        of request: BorrowedValues, in environment: BorrowedValues
    ) throws(EndpointError) -> URLRequest {
        guard isForServerEnvironment else {
            return try requestType.urlRequest(of: request, in: environment, by: self)
        }
        return try environment.read(ServerEnvironment.self) { server throws(EndpointError) in
            try urlRequestBeforeHooks(of: request, in: server)
        }
    }

    @inline(__always)
    fileprivate func urlRequestBeforeHooks(
        of request: BorrowedValues, in environment: some EnvironmentType
    ) throws(EndpointError) -> URLRequest {
        let headers = try headerTexts(of: environment)
        guard !isFlat else {
            return try urlRequest(
                of: BorrowedRequest(isFlat: request), at: environment.baseUrl, headers)
        }
        return try requestType.urlRequest(of: request, at: environment.baseUrl, headers, by: self)
    }

    func prepare(
        _ urlRequest: inout URLRequest, by request: BorrowedValues
    ) throws(EndpointError) {
        do { try requestType.prepare(&urlRequest, by: request) } catch {
            throw refusal(by: .prepare, error)
        }
    }

    func process(
        _ urlRequest: inout URLRequest, by environment: BorrowedValues
    ) throws(EndpointError) {
        do {
            guard isForServerEnvironment else {
                return try requestType.process(&urlRequest, by: environment)
            }
            try environment.read(ServerEnvironment.self) { try $0.process(&urlRequest) }
        } catch {
            throw refusal(by: .requestProcessor, error)
        }
    }

    @inline(__always)
    private func headerTexts(
        of environment: some EnvironmentType
    ) throws(EndpointError) -> [HeaderText] {
        do { return try environment.headerTexts } catch {
            let field = EndpointError.Field.environmentHeaders
            throw endpointError(
                error as? FieldError ?? FieldError(field, unrepresentableBecauseOf: error))
        }
    }

    private func refusal(by hook: EndpointError.Field, _ error: any Error) -> EndpointError {
        endpointError(
            FieldError(hook, "refused the request: \(error.safeReason)", cause: error))
    }
}

/// A ``Plan`` isn't generic, so it doesn't know the types of the values that it gets as
/// ``BorrowedValues``. These methods do: they read a request as a `Self`, and a server as an
/// `Environment`.
extension RequestType {
    fileprivate static func urlRequest(
        of request: BorrowedValues, in environment: BorrowedValues, by plan: Plan
    ) throws(EndpointError) -> URLRequest {
        try environment.read(Environment.self) { environment throws(EndpointError) in
            try plan.urlRequestBeforeHooks(of: request, in: environment)
        }
    }

    fileprivate static func urlRequest(
        of request: BorrowedValues, at baseUrl: URL, _ headers: [HeaderText], by plan: Plan
    ) throws(EndpointError) -> URLRequest {
        try request.read(Self.self) { values throws(EndpointError) in
            try BorrowedValues.borrow(values.pathComponents) { path throws(EndpointError) in
                try BorrowedValues.borrow(values.parameters) { parameters throws(EndpointError) in
                    try BorrowedValues.borrow(values.headerValues) {
                        headerValues throws(EndpointError) in
                        let borrowed = BorrowedRequest(
                            request: request, pathComponents: path, parameters: parameters,
                            headerValues: headerValues)
                        return try plan.urlRequest(of: borrowed, at: baseUrl, headers)
                    }
                }
            }
        }
    }

    fileprivate static func prepare(
        _ urlRequest: inout URLRequest, by request: BorrowedValues
    ) throws {
        try request.read(Self.self) { request in
            try request.prepare(request: &urlRequest)
            try request.prepare(&urlRequest)
        }
    }

    fileprivate static func process(
        _ urlRequest: inout URLRequest, by environment: BorrowedValues
    ) throws {
        try environment.read(Environment.self) { try $0.process(&urlRequest) }
    }
}

struct BorrowedRequest {
    let request: BorrowedValues
    let pathComponents: BorrowedValues
    let parameters: BorrowedValues
    let headerValues: BorrowedValues
}

extension BorrowedRequest {
    /// A request whose values are the request itself, or whose declaration reads no values.
    init(isFlat request: BorrowedValues) {
        self.init(
            request: request, pathComponents: request, parameters: request, headerValues: request)
    }
}
