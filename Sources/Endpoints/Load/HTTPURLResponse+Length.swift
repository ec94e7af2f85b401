import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// Whether the `Content-Length` can't be that of the body (RFC 9112 6.3).
    ///
    ///     Content-Length: 5, 12      a body of 12 bytes  ->  true
    ///     Content-Length: 12, 12     a body of 12 bytes  ->  false
    ///     Content-Length: 0x0c       any body            ->  true
    ///
    /// Not asked where the body was in chunks or in a coding, or where there is none to compare:
    /// at 1xx, 204, 205 and 3xx, and at HEAD, which only the caller knows of.
    func contradictsLength(of body: Data) -> Bool {
        guard let text = value(forHTTPHeaderField: "Content-Length"),
            (200..<300).contains(statusCode) || statusCode >= 400,
            ![204, 205].contains(statusCode),
            value(forHTTPHeaderField: "Transfer-Encoding") == nil,
            value(forHTTPHeaderField: "Content-Encoding") == nil
        else { return false }
        return text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .contains { Self.length($0) != body.count }
    }

    /// Digits, with blanks around them in a list; `Int` itself would take a sign too.
    private static func length(_ text: Substring.UTF8View.SubSequence) -> Int? {
        let digits = Substring(text).trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits)
    }
}
