import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// Whether the `Content-Length` contradicts `count`, the body's length (RFC 9112 6.3).
    ///
    ///     Content-Length: 5, 12      a body of 12 bytes  ->  true
    ///     Content-Length: 12, 12     a body of 12 bytes  ->  false
    ///     Content-Length: 0x0c       any body            ->  true
    ///
    /// The result is `false` without a `Content-Length`, for a chunked or compressed body, and for
    /// 1xx, 204, 205 and 3xx, which may have a length and no body. Don't call this for the response
    /// to a HEAD.
    func contradictsLength(_ count: Int) -> Bool {
        guard let text = value(forHTTPHeaderField: "Content-Length"),
            (200..<300).contains(statusCode) || statusCode >= 400,
            ![204, 205].contains(statusCode),
            value(forHTTPHeaderField: "Transfer-Encoding") == nil,
            value(forHTTPHeaderField: "Content-Encoding") == nil
        else { return false }
        return text.split(at: .comma, outsideQuotes: false).contains { Self.length($0) != count }
    }

    /// The number in one element of the `Content-Length` list; `nil` if the element isn't all
    /// digits, or is too large for `Int`. `Int` alone would accept a sign too.
    private static func length(_ text: String) -> Int? {
        let digits = text.trimmingBlanks
        return digits.utf8.allSatisfy(\.isDigit) ? Int(digits) : nil
    }
}
