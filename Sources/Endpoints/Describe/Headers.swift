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
    let lowercasedName: String

    /// Makes a header's name.
    public init(name: String) {
        self.name = name
        self.lowercasedName = name.lowercased()
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
    public static func == (left: Headers, right: Headers) -> Bool {
        left.lowercasedName == right.lowercasedName
    }

    /// Hashes the name, ignoring case.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(lowercasedName)
    }
}

extension Headers {
    /// The media types that the client reads (RFC 9110, section 12.5.1).
    public static let accept: Headers = "Accept"
    /// The charsets that the client reads (RFC 9110, section 12.5.2).
    public static let acceptCharset: Headers = "Accept-Charset"
    /// The content codings that the client reads (RFC 9110, section 12.5.3).
    public static let acceptEncoding: Headers = "Accept-Encoding"
    /// The languages that the user reads (RFC 9110, section 12.5.4).
    public static let acceptLanguage: Headers = "Accept-Language"
    /// The client's credentials (RFC 9110, section 11.6.2); see ``Credentials``.
    public static let authorization: Headers = "Authorization"
    /// What caches may do (RFC 9111, section 5.2).
    public static let cacheControl: Headers = "Cache-Control"
    /// The codings of the body (RFC 9110, section 8.4).
    public static let contentEncoding: Headers = "Content-Encoding"
    /// The languages of the body (RFC 9110, section 8.5).
    public static let contentLanguage: Headers = "Content-Language"
    /// The media type of the body (RFC 9110, section 8.3); see ``MIMEType``.
    public static let contentType: Headers = "Content-Type"
    /// Cookies (RFC 6265, section 4.2).
    public static let cookie: Headers = "Cookie"
    /// When the message was created (RFC 9110, section 6.6.1).
    public static let date: Headers = "Date"
    /// What the server must support for this request (RFC 9110, section 10.1.1).
    public static let expect: Headers = "Expect"
    /// The client, and the proxies that forwarded the request (RFC 7239, section 4).
    public static let forwarded: Headers = "Forwarded"
    /// The email address of the client's user (RFC 9110, section 10.1.2).
    public static let from: Headers = "From"
    /// A key by which a server recognizes a repeated request.
    public static let idempotencyKey: Headers = "Idempotency-Key"
    /// Carry out the request only if one of these entity tags matches (RFC 9110, section 13.1.1).
    public static let ifMatch: Headers = "If-Match"
    /// Send the resource only if it has changed since this date (RFC 9110, section 13.1.3).
    public static let ifModifiedSince: Headers = "If-Modified-Since"
    /// Carry out the request only if none of these entity tags matches (RFC 9110, section 13.1.2).
    public static let ifNoneMatch: Headers = "If-None-Match"
    /// Ignore `Range` unless this entity tag or date still matches (RFC 9110, section 13.1.5).
    public static let ifRange: Headers = "If-Range"
    /// Carry out the request only if nothing changed since this date (RFC 9110, section 13.1.4).
    public static let ifUnmodifiedSince: Headers = "If-Unmodified-Since"
    /// Parameters of a persistent connection (RFC 2068, section 19.7.1.1).
    public static let keepAlive: Headers = "Keep-Alive"
    /// The origin of a cross-origin request (RFC 6454, section 7).
    public static let origin: Headers = "Origin"
    /// How the server should respond (RFC 7240, section 2).
    public static let prefer: Headers = "Prefer"
    /// Credentials for a proxy (RFC 9110, section 11.7.2).
    public static let proxyAuthorization: Headers = "Proxy-Authorization"
    /// The requested part of the resource (RFC 9110, section 14.2).
    public static let range: Headers = "Range"
    /// The URL of the resource in which the request's URL was found (RFC 9110, section 10.1.3).
    public static let referer: Headers = "Referer"
    /// The program that sends the request (RFC 9110, section 10.1.5).
    public static let userAgent: Headers = "User-Agent"
}
