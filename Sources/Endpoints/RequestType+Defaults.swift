import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// Encodes the body with the static encoder.
    @inlinable public var bodyEncoder: BodyEncoder { Self.bodyEncoder }
    /// No change.
    @inlinable public func prepare(_ request: inout URLRequest) throws {}
    /// No change.
    @inlinable public func prepare(request: inout URLRequest) throws {}
    /// Redirects are followed; see ``LoadPolicy/default``.
    public static var loadPolicy: LoadPolicy { .default }
    /// The static policy.
    public var loadPolicy: LoadPolicy { Self.loadPolicy }
    /// Whether the status is from 200 to 299.
    public static func succeeded(_ httpResponse: HTTPURLResponse) -> Bool {
        (200..<300).contains(httpResponse.statusCode)
    }
    /// Whether the status and the headers are those of a success.
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

extension RequestType where AdditionalQueryItems == NoValues {
    /// None.
    @inlinable public var additionalQueryItems: NoValues { NoValues() }
}

extension RequestType where AdditionalFormItems == NoValues {
    /// None.
    @inlinable public var additionalFormItems: NoValues { NoValues() }
}

extension RequestType where CommonHeaders == NoValues {
    /// None.
    @inlinable public var commonHeaders: NoValues { NoValues() }
}

extension RequestType where AdditionalHeaders == NoValues {
    /// None.
    @inlinable public var additionalHeaders: NoValues { NoValues() }
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
    // One default that looks at the type: one for each type would make each request that has no
    // `errorDecoder` 3 ms slower to compile.

    /// The response decoder, if that is a `JSONDecoder` or one below a key; else one with its
    /// default strategies.
    public static var errorDecoder: JSONDecoder {
        responseDecoder as? JSONDecoder
            ?? (responseDecoder as? NestedDecoder<JSONDecoder>)?.base ?? JSONDecoder()
    }
}
