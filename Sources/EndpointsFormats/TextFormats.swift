import Endpoints
import EndpointsShared
import Foundation

/// Bytes as base64 text (RFC 4648).
///
///     .query("sig", path: \.signature, format: .base64)      // [0xFB, 0xFF]  ->  ?sig=%2B/8%3D
///     .query("sig", path: \.signature, format: .base64URL)   // [0xFB, 0xFF]  ->  ?sig=-_8
///
/// A path, a query, a form, a part and a header can use this format.
public struct Base64Format: FormatStyle, Sendable {
    private let isForURLs: Bool

    fileprivate init(isForURLs: Bool) {
        self.isForURLs = isForURLs
    }

    /// The bytes as base64 text.
    public func format(_ value: Data) -> String {
        let text = value.base64EncodedString()
        guard isForURLs else { return text }
        return text.replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}

extension FormatStyle where Self == Base64Format {
    /// Base64 with its usual alphabet and padding (RFC 4648, section 4).
    public static var base64: Base64Format { Base64Format(isForURLs: false) }
    /// Base64 with an alphabet for URLs, without padding (RFC 4648, section 5).
    public static var base64URL: Base64Format { Base64Format(isForURLs: true) }
}

/// A date in the form that HTTP defines for headers (RFC 9110, section 5.6.7).
///
///     .ifModifiedSince: .field(path: \.since, format: .httpDate)
///     // ->  If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT
///
/// The date is rounded down to the second. A year outside 0000–9999 is an ``EndpointError``.
public struct HTTPDateFormat: FormatStyle, Sendable {
    fileprivate init() {}

    /// The text of a date; empty outside the years 0000–9999.
    public func format(_ value: Date) -> String {
        HTTPDate.text(value) ?? ""
    }
}

extension FormatStyle where Self == HTTPDateFormat {
    /// A date in the form that HTTP defines for headers, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    public static var httpDate: HTTPDateFormat { HTTPDateFormat() }
}

/// A date as a whole number since 1970-01-01 00:00:00 UTC: of seconds, rounded down, or of
/// milliseconds.
///
///     .query("since", path: \.since, format: .secondsSince1970)        // ->  ?since=1772323200
///     .query("since", path: \.since, format: .millisecondsSince1970)   // ->  ?since=1772323200000
public struct UnixTimeFormat: FormatStyle, Sendable {
    private let unitsPerSecond: Double

    fileprivate init(unitsPerSecond: Double) {
        self.unitsPerSecond = unitsPerSecond
    }

    /// The number of a date; empty for a date more than 292 million years away.
    public func format(_ value: Date) -> String {
        // A millisecond such as 0.123 can be slightly less as a `Double`, so it isn't rounded down.
        let number = (value.timeIntervalSince1970 * unitsPerSecond)
            .rounded(unitsPerSecond == 1 ? .down : .toNearestOrEven)
        return Int64(exactly: number).map { "\($0)" } ?? ""
    }
}

extension FormatStyle where Self == UnixTimeFormat {
    /// The whole seconds since 1970.
    public static var secondsSince1970: UnixTimeFormat { UnixTimeFormat(unitsPerSecond: 1) }
    /// The whole milliseconds since 1970.
    public static var millisecondsSince1970: UnixTimeFormat {
        UnixTimeFormat(unitsPerSecond: 1000)
    }
}
