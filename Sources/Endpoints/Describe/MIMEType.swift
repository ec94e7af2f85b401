/// A media type, as in `Accept` and `Content-Type` (RFC 9110, section 8.3.1).
///
///     headers: [.accept: .fieldValue(value: MIMEType.json)]   // Accept: application/json
///
/// A string literal is a media type too: `"application/vnd.github+json"`.
public struct MIMEType: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The media type as it is sent, with its parameters.
    public let rawValue: String

    /// Makes a media type from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a media type from its text.
    public init(stringLiteral text: String) {
        self.init(rawValue: text)
    }

    /// Any media type: `*/*`.
    public static var any: MIMEType { "*/*" }
    /// JSON (RFC 8259, section 11): `application/json`.
    public static var json: MIMEType { "application/json" }
    /// A problem report in JSON (RFC 9457, section 3): `application/problem+json`.
    public static var problemJSON: MIMEType { "application/problem+json" }
    /// XML (RFC 7303, section 9.1): `application/xml`.
    public static var xml: MIMEType { "application/xml" }
    /// A form: `application/x-www-form-urlencoded`.
    public static var formURLEncoded: MIMEType { "application/x-www-form-urlencoded" }
    /// Bytes of an unknown kind (RFC 2046, section 4.5.1): `application/octet-stream`.
    public static var octetStream: MIMEType { "application/octet-stream" }
    /// Text in UTF-8: `text/plain; charset=utf-8`.
    public static var plainText: MIMEType { "text/plain; charset=utf-8" }
    /// A web page: `text/html`.
    public static var html: MIMEType { "text/html" }
    /// Rows of values (RFC 4180, section 3): `text/csv`.
    public static var csv: MIMEType { "text/csv" }
    /// A stream of events (HTML Standard, section 9.2.5): `text/event-stream`.
    public static var eventStream: MIMEType { "text/event-stream" }
    /// JSON Lines, with a JSON value in each line: `application/jsonl`.
    public static var jsonLines: MIMEType { "application/jsonl" }
    /// A JPEG picture: `image/jpeg`.
    public static var jpeg: MIMEType { "image/jpeg" }
    /// A PNG picture: `image/png`.
    public static var png: MIMEType { "image/png" }
    /// A PDF document (RFC 8118): `application/pdf`.
    public static var pdf: MIMEType { "application/pdf" }
}

extension MIMEType: PathRepresentable {}
