extension String {
    /// The parts between separators. A separator in a quoted string is ignored, and a `\\` there
    /// escapes the next character (RFC 9110, section 5.6.4).
    ///
    ///     "a; b=\"c; \\\"d\""   at ;   ->  a, b="c; \"d"
    func splitOutsideQuotes(at separator: Unicode.Scalar) -> [String] {
        var (isQuoted, isEscaped) = (false, false)
        return unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
            defer { isEscaped = isQuoted && scalar == "\\" && !isEscaped }
            if scalar == "\"" && !isEscaped { isQuoted.toggle() }
            return scalar == separator && !isQuoted
        }
        .map(String.init)
    }
}
