/// The method of a request.
///
///     HTTPMethod.get          // GET
///     "PROPFIND" as HTTPMethod // any other token
///
/// Methods are case-sensitive, and a server may define its own (RFC 9110, section 9.1). A method is
/// sent as written. A name that isn't a token (section 5.6.2) is an ``EndpointError``, and so is a
/// registered method that isn't in upper case, such as `get` or `patch`.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The method as it is sent.
    public let rawValue: String

    /// Makes a method from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a method from its name.
    public init(stringLiteral name: String) {
        self.init(rawValue: name)
    }

    /// Transfer a representation of the resource (RFC 9110, section 9.3.1).
    public static var get: HTTPMethod { "GET" }
    /// Like GET, but the response has no content (RFC 9110, section 9.3.2).
    public static var head: HTTPMethod { "HEAD" }
    /// Process the request's content (RFC 9110, section 9.3.3).
    public static var post: HTTPMethod { "POST" }
    /// Replace the resource with the request's content (RFC 9110, section 9.3.4).
    public static var put: HTTPMethod { "PUT" }
    /// Remove the resource (RFC 9110, section 9.3.5).
    public static var delete: HTTPMethod { "DELETE" }
    /// Open a tunnel (RFC 9110, section 9.3.6).
    public static var connect: HTTPMethod { "CONNECT" }
    /// Describe the options for the resource (RFC 9110, section 9.3.7).
    public static var options: HTTPMethod { "OPTIONS" }
    /// Send the request back as it arrived (RFC 9110, section 9.3.8).
    public static var trace: HTTPMethod { "TRACE" }
    /// Change a part of the resource (RFC 5789).
    public static var patch: HTTPMethod { "PATCH" }
    /// Read what the request's content asks for, without changing anything (RFC 10008). It is sent
    /// again as a GET is, and redirected with its content.
    public static var query: HTTPMethod { "QUERY" }
}

extension HTTPMethod {
    /// Whether a request with this method only reads (RFC 9110, section 9.2.1, and RFC 10008).
    public var isSafe: Bool { [.get, .head, .options, .trace, .query].contains(self) }

    /// Whether sending a request with this method twice has the same effect as sending it once (RFC
    /// 9110, section 9.2.2; for QUERY, RFC 10008). `false` for every method that these RFCs don't
    /// define, such as PROPFIND.
    public var isIdempotent: Bool {
        [.get, .head, .put, .delete, .options, .trace, .query].contains(self)
    }
}
