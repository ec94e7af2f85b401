import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Without these mirrors, `dump(_:)` would print URLs, headers, bodies and causes, with their
// secrets.

extension EndpointTaskError: CustomReflectable {
    /// No children, because `dump(_:)` would print values that were sent or received.
    public var customMirror: Mirror { .hidden(self) }
}

extension EndpointError: CustomReflectable {
    /// No children, because `dump(_:)` would print the cause.
    public var customMirror: Mirror { .hidden(self) }
}

extension EndpointParseError: CustomReflectable {
    /// No children, because `dump(_:)` would print the cause.
    public var customMirror: Mirror { .hidden(self) }
}

extension TransportError: CustomReflectable {
    /// No children, because `dump(_:)` would print the cause.
    public var customMirror: Mirror { .hidden(self) }
}

extension TransportRequest: CustomStringConvertible, CustomReflectable {
    /// The request type, the method and the URL, with `…` for secrets.
    public var description: String {
        var masking = policy.masking()
        return "\(requestType) \(urlRequest.method) \(masking.url(urlRequest.url))"
    }
    /// No children, because `dump(_:)` would print the headers and the body.
    public var customMirror: Mirror { .hidden(self) }
}

extension TransportResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the URL, with `…` for secrets.
    public var description: String { httpResponse.line }
    /// No children, because `dump(_:)` would print the headers and the body.
    public var customMirror: Mirror { .hidden(self) }
}

extension ArrivingResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the URL, with `…` for secrets.
    public var description: String { httpResponse.line }
    /// No children, because `dump(_:)` would print the headers and the body.
    public var customMirror: Mirror { .hidden(self) }
}

extension Redirection: CustomReflectable {
    /// No children, because `dump(_:)` would print the requests.
    public var customMirror: Mirror { .hidden(self) }
}

extension HTTPURLResponse {
    fileprivate var line: String { "\(statusCode) \(SecretNames.usual.masked(url))" }
}

extension EndpointClient: CustomReflectable {
    /// No children, because `dump(_:)` would print what the transport keeps.
    public var customMirror: Mirror { .hidden(self) }
}
