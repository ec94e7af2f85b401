import Endpoints
import EndpointsShared
import Foundation

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
