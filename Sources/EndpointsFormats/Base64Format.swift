import Endpoints
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
