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

extension MIMEType {
    /// The media type for a file name's extension; `application/octet-stream` if none is known.
    ///
    /// ```text
    /// photo.JPG   ->  image/jpeg
    /// a.tar.gz    ->  application/gzip
    /// README      ->  application/octet-stream
    /// ```
    init(fileName: String) {
        let parts = fileName.split(at: .dot, outsideQuotes: false)
        let known = parts.count > 1 ? Self.types[parts[parts.count - 1].lowercased()] : nil
        self = known ?? .octetStream
    }

    private static let types: [String: MIMEType] = [
        "aac": "audio/aac", "avif": "image/avif", "bmp": "image/bmp", "css": "text/css",
        "csv": .csv, "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip", "gif": "image/gif", "gz": "application/gzip",
        "heic": "image/heic", "heif": "image/heif", "htm": .html, "html": .html,
        "ics": "text/calendar", "jpeg": .jpeg, "jpg": .jpeg, "js": "text/javascript",
        "json": .json, "jsonl": .jsonLines, "m4a": "audio/mp4", "m4v": "video/x-m4v",
        "md": "text/markdown", "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4",
        "mpeg": "video/mpeg", "odt": "application/vnd.oasis.opendocument.text",
        "ogg": "audio/ogg", "otf": "font/otf", "pdf": .pdf, "png": .png,
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "rtf": "application/rtf", "svg": "image/svg+xml", "tar": "application/x-tar",
        "tif": "image/tiff", "tiff": "image/tiff", "ttf": "font/ttf", "txt": "text/plain",
        "vcf": "text/vcard", "wav": "audio/wav", "weba": "audio/webm", "webm": "video/webm",
        "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xml": .xml, "zip": "application/zip",
    ]
}
