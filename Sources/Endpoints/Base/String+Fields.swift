extension String {
    /// The `boundary` that a multipart media type names (RFC 2046, section 5.1.1); else `nil`.
    var multipartBoundary: String? {
        guard lowercased().hasPrefix("multipart/") else { return nil }
        let parameters = splitOutsideQuotes(at: ";").dropFirst().map(\.trimmingBlanks)
        let parameter = parameters.first { $0.lowercased().hasPrefix("boundary=") }
        guard let value = parameter?.dropFirst("boundary=".count) else { return nil }
        let isQuoted = value.count >= 2 && value.first == "\"" && value.last == "\""
        let boundary = isQuoted ? value.dropFirst().dropLast() : value
        return boundary.isEmpty ? nil : String(boundary)
    }

    package var trimmingBlanks: String {
        func isBlank(_ byte: UInt8?) -> Bool { byte == .space || byte == .tab }
        guard isBlank(utf8.first) || isBlank(utf8.last) else { return self }
        let trimmed = utf8.drop(while: isBlank)
        let end = trimmed.lastIndex { !isBlank($0) }
        return end.map { String(Substring(trimmed[...$0])) } ?? ""
    }

    /// A multipart media type with another text as its boundary; any other text as it is.
    package func replacingMultipartBoundary(with text: String) -> String {
        guard let boundary = multipartBoundary,
            let name = range(of: "boundary=", options: .caseInsensitive),
            let old = range(of: boundary, range: name.upperBound..<endIndex)
        else { return self }
        return replacingCharacters(in: old, with: text)
    }

    /// The parts between the separators that aren't in a quoted string. There, `\` escapes the next
    /// character (RFC 9110, section 5.6.4).
    ///
    /// Split at `;`, the text `a; b="c; \"d"` has the parts `a` and ` b="c; \"d"`.
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
