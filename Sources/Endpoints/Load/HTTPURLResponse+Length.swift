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
    /// `false` if the body was chunked or compressed, and for 1xx, 204, 205 and 3xx, which have no
    /// body to compare. The caller doesn't ask for HEAD.
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

    /// The number of a list's element, with blanks around it; `Int` alone would accept a sign.
    private static func length(_ text: Substring.UTF8View.SubSequence) -> Int? {
        let digits = Substring(text).trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits)
    }
}
