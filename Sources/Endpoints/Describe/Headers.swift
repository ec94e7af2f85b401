/// The name of a header.
///
///     extension Headers {
///         static let apiKey: Headers = "X-Api-Key"
///     }
///     // headers: [.apiKey: .field(path: \.key)], or ["X-Api-Key": .field(path: \.key)]
///
/// Names that differ only in upper and lower case are equal (RFC 9110, section 5.1). If a name
/// isn't a token (section 5.6.2), making the `URLRequest` throws an ``EndpointError``.
public struct Headers: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it was written.
    public let name: String

    /// Makes a header's name.
    public init(name: String) {
        self.name = name
    }

    /// Makes a header's name.
    public init(stringLiteral name: String) {
        self.init(name: name)
    }

    /// The same text as ``name``.
    public var description: String { name }
}

extension Headers: Hashable {
    /// Whether two names are the same, ignoring case.
    @inline(never)
    public static func == (left: Headers, right: Headers) -> Bool {
        let (left, right) = (left.name.utf8, right.name.utf8)
        return left.count == right.count && zip(left, right).allSatisfy { $0.folded == $1.folded }
    }

    /// Hashes the name, ignoring case.
    @inline(never)
    public func hash(into hasher: inout Hasher) {
        // FNV-1a: a hash of each byte by the hasher would take several times as long.
        hasher.combine(
            name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
                (hash ^ UInt64(byte.folded)) &* 0x100_0000_01B3
            })
    }
}

extension UInt8 {
    /// An ASCII letter in lower case; any other byte as it is.
    fileprivate var folded: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension Headers {
    /// The media types that the client reads (RFC 9110, section 12.5.1).
    public static var accept: Headers { "Accept" }
    /// The charsets that the client reads (RFC 9110, section 12.5.2).
    public static var acceptCharset: Headers { "Accept-Charset" }
    /// The content codings that the client reads (RFC 9110, section 12.5.3).
    public static var acceptEncoding: Headers { "Accept-Encoding" }
    /// The languages that the user reads (RFC 9110, section 12.5.4).
    public static var acceptLanguage: Headers { "Accept-Language" }
    /// The client's credentials (RFC 9110, section 11.6.2); see ``Credentials``.
    public static var authorization: Headers { "Authorization" }
    /// What caches may do (RFC 9111, section 5.2).
    public static var cacheControl: Headers { "Cache-Control" }
    /// The codings of the body (RFC 9110, section 8.4).
    public static var contentEncoding: Headers { "Content-Encoding" }
    /// The languages of the body (RFC 9110, section 8.5).
    public static var contentLanguage: Headers { "Content-Language" }
    /// The media type of the body (RFC 9110, section 8.3); see ``MIMEType``.
    public static var contentType: Headers { "Content-Type" }
    /// Cookies (RFC 6265, section 4.2).
    public static var cookie: Headers { "Cookie" }
    /// When the message was created (RFC 9110, section 6.6.1).
    public static var date: Headers { "Date" }
    /// What the server must support for this request (RFC 9110, section 10.1.1).
    public static var expect: Headers { "Expect" }
    /// The client, and the proxies that forwarded the request (RFC 7239, section 4).
    public static var forwarded: Headers { "Forwarded" }
    /// The email address of the client's user (RFC 9110, section 10.1.2).
    public static var from: Headers { "From" }
    /// A key by which a server recognizes a repeated request.
    public static var idempotencyKey: Headers { "Idempotency-Key" }
    /// Carry out the request only if one of these entity tags matches (RFC 9110, section 13.1.1).
    public static var ifMatch: Headers { "If-Match" }
    /// Send the resource only if it has changed since this date (RFC 9110, section 13.1.3).
    public static var ifModifiedSince: Headers { "If-Modified-Since" }
    /// Carry out the request only if none of these entity tags matches (RFC 9110, section 13.1.2).
    public static var ifNoneMatch: Headers { "If-None-Match" }
    /// Ignore `Range` unless this entity tag or date still matches (RFC 9110, section 13.1.5).
    public static var ifRange: Headers { "If-Range" }
    /// Carry out the request only if nothing changed since this date (RFC 9110, section 13.1.4).
    public static var ifUnmodifiedSince: Headers { "If-Unmodified-Since" }
    /// Parameters of a persistent connection (RFC 2068, section 19.7.1.1).
    public static var keepAlive: Headers { "Keep-Alive" }
    /// The origin of a cross-origin request (RFC 6454, section 7).
    public static var origin: Headers { "Origin" }
    /// How the server should respond (RFC 7240, section 2).
    public static var prefer: Headers { "Prefer" }
    /// Credentials for a proxy (RFC 9110, section 11.7.2).
    public static var proxyAuthorization: Headers { "Proxy-Authorization" }
    /// The requested part of the resource (RFC 9110, section 14.2).
    public static var range: Headers { "Range" }
    /// The URL of the resource in which the request's URL was found (RFC 9110, section 10.1.3).
    public static var referer: Headers { "Referer" }
    /// The program that sends the request (RFC 9110, section 10.1.5).
    public static var userAgent: Headers { "User-Agent" }
}
