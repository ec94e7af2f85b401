import Endpoints

extension String {
    /// The text of a parameter with a name that ends in `*` (RFC 8187, section 3.2).
    ///
    ///     UTF-8'de'n%C3%A4chstes%20Kapitel   ->  nächstes Kapitel
    ///
    /// `nil` if there are fewer than two `'`, the charset isn't UTF-8, the bytes aren't UTF-8, or a
    /// `%` isn't followed by two hexadecimal digits.
    init?(extendedValue: String) {
        let parts = extendedValue.utf8.split(
            separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, Substring(parts[0]).lowercased() == "utf-8",
            let text = Substring(parts[2]).removingPercentEncoding
        else { return nil }
        self = text
    }
}
