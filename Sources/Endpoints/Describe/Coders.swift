import Foundation

/// Encodes a request's ``RequestType/Body``.
///
/// `JSONEncoder`, `PropertyListEncoder` and the `FormEncoder` of `EndpointsFormats` conform.
/// Conform your own type for another format:
///
///     struct CSV: EncoderType {
///         var contentType: MIMEType? { .csv }
///         func encode<Value: Encodable>(_ value: Value) throws -> Data {
///             guard let rows = value as? [[String]] else { throw UnrepresentableValue("no rows") }
///             return Data(rows.map { $0.joined(separator: ",") }.joined(separator: "\r\n").utf8)
///         }
///     }
///     // static var bodyEncoder: CSV { CSV() }   ->   Content-Type: text/csv
public protocol EncoderType: SendableMetatype {
    /// The media type of the bytes, by default sent as `Content-Type`; with `nil`, none is set.
    var contentType: MIMEType? { get }
    /// Encodes a value of any `Encodable` type.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

/// Decodes a ``RequestType/Response`` or ``RequestType/ErrorResponse``.
///
/// `JSONDecoder`, `PropertyListDecoder` and ``NestedDecoder`` conform. Conform your own type for
/// another format.
public protocol DecoderType: SendableMetatype {
    /// The media type that the decoder reads. By default, a request whose `Response` is decoded
    /// sends the response decoder's type as `Accept`. If only `ErrorResponse` is decoded, because
    /// `Response` is `Void` or ``EmptyResponse``, the error decoder's type is sent. With `nil`,
    /// none is set, and `URLSession` sends `*/*`. For a ``StreamedResponse``, only a type that the
    /// stream declares is sent, even if the decoder reads its elements.
    var contentType: MIMEType? { get }
    /// Decodes a value from a response's bytes, which may be empty.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

/// A decoder of a part of what another decoder reads.
package protocol NestingDecoder<Base>: DecoderType {
    associatedtype Base: DecoderType
    /// The decoder that reads the whole.
    var base: Base { get }
    /// The keys that lead to the part, the outermost first.
    var keys: [String] { get }
}

extension JSONEncoder: EncoderType {
    /// `application/json`.
    public var contentType: MIMEType? { .json }
}

extension EncoderType {
    /// Encodes a value.
    /// - Throws: What the encoder throws, and an error for a `Decimal.nan`, which a `JSONEncoder`
    ///   writes as `NaN`. That isn't JSON (RFC 8259, section 6).
    func checkedData(of value: some Encodable) throws -> Data {
        let data = try encode(value)
        // Most encoders are of that very type, and a cast takes longer than encoding a member does.
        guard Self.self == JSONEncoder.self || self is JSONEncoder, data.hasNaN else {
            return data
        }
        throw UnrepresentableValue("a Decimal is not a number; use a finite one, or nil")
    }
}

extension Data {
    /// Whether JSON has a `NaN` outside its strings.
    fileprivate var hasNaN: Bool {
        withUnsafeBytes { bytes in
            var (isInString, index) = (false, 0)
            // Few bodies have this letter, and only those are read byte by byte.
            guard let memory = bytes.baseAddress, memchr(memory, Int32(Self.n), bytes.count) != nil
            else { return false }
            while index < bytes.count {
                switch bytes[index] {
                case .quote: isInString.toggle()
                case .backslash: index += 1
                case Self.n where !isInString: return true
                default: break
                }
                index += 1
            }
            return false
        }
    }

    /// Outside strings, JSON has this letter only in `NaN`.
    private static let n = UInt8(ascii: "N")
}

extension JSONDecoder: DecoderType {
    /// `application/json`.
    public var contentType: MIMEType? { .json }
}

extension PropertyListEncoder: EncoderType {
    /// `application/xml`, or `application/octet-stream` for the binary format.
    public var contentType: MIMEType? { outputFormat == .xml ? .xml : .octetStream }
}

/// A property list with more than 100 lists in each other, or with one that contains itself, is an
/// error: the decoder would end the process.
extension PropertyListDecoder: DecoderType {
    /// `application/xml`.
    public var contentType: MIMEType? { .xml }
}
