import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response's value together with its status and headers.
///
///     struct Head: RequestType {
///         static let endpoint = Endpoint<Self>(method: .head, path: "file")
///         typealias Response = WithHTTPResponse<Void>
///     }
///     // let head = try await session.response(in: .production, with: Head())
///     // head.httpResponse.value(forHTTPHeaderField: "ETag")
///
/// The value may be `Void`, `Data`, `String`, a `Decodable` type or an optional of these, or it may
/// be a stream. It is read in the same way as a ``RequestType/Response`` of that type.
public struct WithHTTPResponse<Value> {
    /// The decoded value.
    public var value: Value
    /// The status and the headers.
    public var httpResponse: HTTPURLResponse

    /// Makes a response from a value, and from the status and the headers.
    public init(value: Value, httpResponse: HTTPURLResponse) {
        self.value = value
        self.httpResponse = httpResponse
    }
}

extension WithHTTPResponse: Sendable where Value: Sendable {}

extension WithHTTPResponse: CustomStringConvertible, CustomReflectable {
    /// The value and the status, without the headers, which may have secrets such as a session's
    /// `Set-Cookie`.
    public var description: String { "\(value), status \(httpResponse.statusCode)" }
    /// The value and the status, for `dump(_:)`.
    public var customMirror: Mirror {
        Mirror(self, children: ["value": value, "statusCode": httpResponse.statusCode])
    }
}

/// No content. A response of this type isn't read, and a request body of this type isn't sent.
///
/// If a server sends content anyway, the content is ignored.
public struct EmptyResponse: Codable, Hashable, Sendable {
    /// Makes an empty response.
    public init() {}

    /// Reads nothing from the decoder.
    public init(from decoder: any Decoder) {}
}

/// A ``RequestType/Response`` type that says which media types its requests accept.
///
///     struct Picture: AcceptingResponse {
///         static var acceptedType: MIMEType? { "image/png, image/jpeg" }
///     }
///     // typealias Response = Picture   ->   Accept: image/png, image/jpeg
///
/// Write it for a type of your own that a `response(data:httpResponse:)` of yours makes. A
/// ``StreamedResponse`` refines this protocol.
public protocol AcceptingResponse {
    /// The `Accept` header, unless the environment or the request sets one. With `nil`, the library
    /// adds none, and `URLSession` sends `*/*`.
    static var acceptedType: MIMEType? { get }
}

/// A ``WithHTTPResponse`` of any value type.
protocol HTTPResponseCarrier {
    static var valueType: Any.Type { get }
    /// Makes a ``WithHTTPResponse`` of a value; `nil` if the value isn't a `valueType`.
    static func carrying(_ value: Any, _ httpResponse: HTTPURLResponse) -> Any?
}

extension WithHTTPResponse: HTTPResponseCarrier {
    static var valueType: Any.Type { Value.self }

    static func carrying(_ value: Any, _ httpResponse: HTTPURLResponse) -> Any? {
        (value as? Value).map { WithHTTPResponse(value: $0, httpResponse: httpResponse) }
    }
}

/// What the type of a response says about how the response is read.
enum ResponseKind {
    /// Whether a decoder decodes a value of this type. `Data`, for example, isn't decoded.
    static func isDecoded(_ type: Any.Type) -> Bool {
        if let optional = type as? any AnyOptional.Type { return isDecoded(optional.wrappedType) }
        if let carrier = type as? any HTTPResponseCarrier.Type {
            return isDecoded(carrier.valueType)
        }
        return type is any Decodable.Type && type != Data.self && type != String.self
            && type != EmptyResponse.self
    }

    /// Whether a value of this type is made without reading the content.
    static func isIgnored(_ type: Any.Type) -> Bool {
        if let carrier = type as? any HTTPResponseCarrier.Type {
            return isIgnored(carrier.valueType)
        }
        let type = wrappedType(type)
        return type == Void.self || type == EmptyResponse.self
    }

    /// A type without the optionals around it.
    static func wrappedType(_ type: Any.Type) -> Any.Type {
        (type as? any AnyOptional.Type).map { wrappedType($0.wrappedType) } ?? type
    }
}
