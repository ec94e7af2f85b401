import Foundation

/// What turns a request's ``RequestType/Body`` into bytes.
///
/// `JSONEncoder` is one. Conform your own for another format; `encode` is called with any
/// `Encodable`.
public protocol EncoderType: SendableMetatype {
    /// The media type of the bytes, sent as `Content-Type`; with `nil` none is.
    var contentType: MIMEType? { get }
    /// The bytes of a value.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

/// What turns an answer's bytes into a ``RequestType/Response`` or ``RequestType/ErrorResponse``.
///
/// `JSONDecoder` is one. Conform your own for another format.
public protocol DecoderType: SendableMetatype {
    /// The media type that is read, sent as `Accept`; with `nil` none is.
    var contentType: MIMEType? { get }
    /// The value of some bytes.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONEncoder: EncoderType {
    /// `application/json`.
    public var contentType: MIMEType? { .json }
}

extension JSONDecoder: DecoderType {
    /// `application/json`.
    public var contentType: MIMEType? { .json }
}

extension PropertyListEncoder: EncoderType {
    /// `application/xml`, or `application/octet-stream` for the binary format.
    public var contentType: MIMEType? { outputFormat == .xml ? .xml : .octetStream }
}

extension PropertyListDecoder: DecoderType {
    /// `application/xml`.
    public var contentType: MIMEType? { .xml }
}
