import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// The request type's static encoder.
    @inlinable public var bodyEncoder: BodyEncoder { Self.bodyEncoder }
    /// Changes nothing.
    @inlinable public func prepare(_ request: inout URLRequest) throws {}
    /// Changes nothing.
    @inlinable public func prepare(request: inout URLRequest) throws {}
    /// The default policy, which follows redirects.
    public static var loadPolicy: LoadPolicy { .default }
    /// The request type's static policy.
    public var loadPolicy: LoadPolicy { Self.loadPolicy }
    /// Whether the status is from 200 to 299.
    public static func succeeded(_ httpResponse: HTTPURLResponse) -> Bool {
        (200..<300).contains(httpResponse.statusCode)
    }
    /// What `succeeded(_:)` says of the status and the headers.
    public static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
        succeeded(httpResponse)
    }
}

extension RequestType where Body == EmptyResponse {
    /// No body.
    public var body: EmptyResponse { EmptyResponse() }
}

extension RequestType where PathComponents == Void {
    /// No values.
    public var pathComponents: Void { () }
}

extension RequestType where Parameters == Void {
    /// No values.
    public var parameters: Void { () }
}

extension RequestType where HeaderValues == Void {
    /// No values.
    public var headerValues: Void { () }
}

extension RequestType where CommonHeaders == NoValues {
    /// No headers.
    @inlinable public var commonHeaders: NoValues { NoValues() }
}

extension RequestType where BodyEncoder == JSONEncoder {
    /// A JSON encoder with its default strategies.
    public static var bodyEncoder: JSONEncoder { JSONEncoder() }
}

extension RequestType where ResponseDecoder == JSONDecoder {
    /// A JSON decoder with its default strategies.
    public static var responseDecoder: JSONDecoder { JSONDecoder() }
}

extension RequestType where ErrorDecoder == JSONDecoder {
    // This one default serves all types of response decoders, and looks at the type at run time.
    // With a default `errorDecoder` for each type of response decoder, every request that declares
    // no `errorDecoder` would take 3 ms longer to compile.

    /// The response decoder if it is a `JSONDecoder`. If it is a `NestedDecoder` of a
    /// `JSONDecoder`, that `JSONDecoder`. In any other case, a `JSONDecoder` with its default
    /// strategies.
    public static var errorDecoder: JSONDecoder {
        responseDecoder as? JSONDecoder
            ?? (responseDecoder as? any NestingDecoder)?.base as? JSONDecoder ?? JSONDecoder()
    }
}
