import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// Whether the `Content-Length` contradicts the number of the body's bytes (RFC 9112 6.3).
    ///
    ///     Content-Length: 5, 12      a body of 12 bytes  ->  true
    ///     Content-Length: 12, 12     a body of 12 bytes  ->  false
    ///     Content-Length: 0x0c       any body            ->  true
    ///
    /// It is `false` if the body was chunked or compressed, and for 1xx, 204, 205 and 3xx, where
    /// the body may be left out. Don't call it for a response to HEAD, which never has a body.
    func contradictsLength(_ count: Int) -> Bool {
        guard let text = value(forHTTPHeaderField: "Content-Length"),
            (200..<300).contains(statusCode) || statusCode >= 400,
            ![204, 205].contains(statusCode),
            value(forHTTPHeaderField: "Transfer-Encoding") == nil,
            value(forHTTPHeaderField: "Content-Encoding") == nil
        else { return false }
        return text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .contains { Self.length($0) != count }
    }

    /// The number in one element of the header's list; `nil` if the element has anything but
    /// digits. `Int` would accept a sign too.
    private static func length(_ text: Substring.UTF8View.SubSequence) -> Int? {
        let digits = String(Substring(text)).trimmingBlanks
        return digits.utf8.allSatisfy(\.isDigit) ? Int(digits) : nil
    }
}
