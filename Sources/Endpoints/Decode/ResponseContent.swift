import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The content of a response, and how it becomes a value.
struct ResponseContent {
    let data: Data
    let httpResponse: HTTPURLResponse
    /// The endpoint's method, because a response to HEAD has no content (RFC 9110, section 9.3.2).
    /// For an error response, it is GET, so that data is decoded even if it came in reply to HEAD.
    let method: HTTPMethod

    /// Whether a decoder decodes a value of this type. `Data`, for example, isn't decoded.
    static func isDecoded(_ type: Any.Type) -> Bool {
        if let optional = type as? any OptionalValue.Type { return isDecoded(optional.wrappedType) }
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
    private static func wrappedType(_ type: Any.Type) -> Any.Type {
        (type as? any OptionalValue.Type).map { wrappedType($0.wrappedType) } ?? type
    }

    /// `Value` is compared with `Data` and other types at run time, because in a generic request
    /// the compiler doesn't know `Value`.
    @inline(__always)
    func value<Value: Decodable>(
        as type: Value.Type, with decoder: @autoclosure () -> some DecoderType
    ) throws -> Value {
        let wrapped = Self.wrappedType(type)
        let isRaw = wrapped == Data.self || wrapped == String.self || wrapped == EmptyResponse.self
        guard data.isEmpty || isWithoutContent || isRaw else {
            return try decoder().decode(type, from: data)
        }
        return try specialValue(wrapped, decoder)
    }

    /// The value if there is no content, or if the type, such as `Data`, needs no decoder.
    ///
    /// This code isn't part of `value(as:with:)`, because optionals of a generic type slow down the
    /// whole function that they are in.
    @inline(never)
    private func specialValue<Value: Decodable>(
        _ wrapped: Any.Type, _ decoder: () -> some DecoderType
    ) throws -> Value {
        if data.isEmpty || isWithoutContent, let nothing: Value = nothing() { return nothing }
        if isWithoutContent { throw UnreadableContent.none }
        if wrapped == Data.self, let data = data as? Value { return data }
        if wrapped == String.self, let text = try text() as? Value { return text }
        if wrapped == EmptyResponse.self, let empty = EmptyResponse() as? Value { return empty }
        // In some formats an empty body is a valid value, so ask the decoder.
        do { return try decoder().decode(Value.self, from: data) } catch {
            throw UnreadableContent.none
        }
    }

    /// Whether the response has no content by its status, or because the method is HEAD (RFC 9110,
    /// sections 15.3.5, 15.3.6, 15.4.5, 9.3.2).
    private var isWithoutContent: Bool {
        switch httpResponse.statusCode {
        case 204, 205, 304: true
        default: method == .head
        }
    }

    /// A type's value for a response without content; `nil` if the type has no such value.
    private func nothing<Value>() -> Value? {
        if let type = Value.self as? any OptionalValue.Type { return type.none as? Value }
        if Value.self == Data.self { return Data() as? Value }
        if Value.self == EmptyResponse.self { return EmptyResponse() as? Value }
        return nil
    }
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
