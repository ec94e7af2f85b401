/// The method of a request.
///
///     HTTPMethod.get          // GET
///     "PROPFIND" as HTTPMethod // any other token is a method, too
///
/// Methods are open (RFC 9110, section 9.1) and case-sensitive, so this is a value, not a closed
/// list, and it is sent as written. A method that is no token (section 5.6.2) is an
/// ``EndpointError``.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The method as it is sent.
    public let rawValue: String

    /// A method by its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A method by its name.
    public init(stringLiteral name: String) {
        self.init(rawValue: name)
    }

    /// Transfer a representation of the resource (RFC 9110, section 9.3.1).
    public static let get: HTTPMethod = "GET"
    /// As GET, with the header alone as the answer (RFC 9110, section 9.3.2).
    public static let head: HTTPMethod = "HEAD"
    /// Process the content of the request (RFC 9110, section 9.3.3).
    public static let post: HTTPMethod = "POST"
    /// Replace the resource with the content of the request (RFC 9110, section 9.3.4).
    public static let put: HTTPMethod = "PUT"
    /// Remove the resource (RFC 9110, section 9.3.5).
    public static let delete: HTTPMethod = "DELETE"
    /// Open a tunnel (RFC 9110, section 9.3.6).
    public static let connect: HTTPMethod = "CONNECT"
    /// Describe what the resource can do (RFC 9110, section 9.3.7).
    public static let options: HTTPMethod = "OPTIONS"
    /// Send the request back as it arrived (RFC 9110, section 9.3.8).
    public static let trace: HTTPMethod = "TRACE"
    /// Change a part of the resource (RFC 5789).
    public static let patch: HTTPMethod = "PATCH"
}
