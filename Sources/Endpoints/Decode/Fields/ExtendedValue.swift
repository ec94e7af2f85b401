extension String {
    /// The text of a parameter whose name ends in `*` (RFC 8187, section 3.2).
    ///
    ///     UTF-8'de'n%C3%A4chstes%20Kapitel   ->  nächstes Kapitel
    ///
    /// `nil` for another charset than UTF-8, for bytes that are not in it, and for a `%` without
    /// two hexadecimal digits. The language is not read.
    init?(extendedValue: String) {
        let parts = extendedValue.utf8.split(
            separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, Substring(parts[0]).lowercased() == "utf-8",
            let text = Substring(parts[2]).removingPercentEncoding
        else { return nil }
        self = text
    }
}
