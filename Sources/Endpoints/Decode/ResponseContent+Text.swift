import Foundation

extension ResponseContent {
    /// The content as text, in the charset that its `Content-Type` names.
    ///
    /// If the header names none, the charset is UTF-8. A byte order mark takes precedence over the
    /// header. The mark isn't part of the text, but a second mark is (WHATWG Encoding, "decode").
    func text() throws -> String {
        guard let mark = Self.marks.first(where: { data.starts(with: $0.bytes) }) else {
            return try text(data, in: charset ?? "utf-8")
        }
        var rest = data.dropFirst(mark.bytes.count)
        var kept = ""
        // Foundation would drop further marks at the start, too.
        while rest.starts(with: mark.bytes) {
            rest = rest.dropFirst(mark.bytes.count)
            kept += "\u{FEFF}"
        }
        return kept + (try text(rest, in: mark.charset))
    }

    private func text(_ data: Data, in charset: String) throws -> String {
        guard let encoding = Self.encoding(of: charset) else {
            throw UnreadableContent.unknownCharset
        }
        // If UTF-16 text is cut within a code unit, Foundation would ignore the single last byte.
        let isCut = encoding.hasTwoByteUnits && !data.count.isMultiple(of: 2)
        if !isCut, let text = String(data: data, encoding: encoding) { return text }
        guard encoding == .windowsCP1252 else { throw UnreadableContent.malformed }
        return String(String.UnicodeScalarView(data.map { Self.windows1252[Int($0)] }))
    }

    /// The character of each byte in windows-1252. Bytes that Foundation refuses are control
    /// characters, as in the WHATWG Encoding standard.
    private static let windows1252: [Unicode.Scalar] = (0...UInt8.max).map { byte in
        let text = String(data: Data([byte]), encoding: .windowsCP1252)
        return text?.unicodeScalars.first ?? Unicode.Scalar(byte)
    }

    /// The parameter `charset` of the `Content-Type` (RFC 9110, section 8.3.2), in lower case.
    private var charset: String? {
        let type = httpResponse.value(forHTTPHeaderField: "Content-Type")
        for parameter in type?.splitOutsideQuotes(at: .semicolon).dropFirst() ?? [] {
            guard let mark = parameter.utf8.firstIndex(of: .equals) else { continue }
            let blanks = CharacterSet(charactersIn: " \t\"'")
            let name = String(parameter[..<mark]).trimmingCharacters(in: blanks)
            let rest = parameter.utf8.index(after: mark)
            let value = String(parameter[rest...]).trimmingCharacters(in: blanks)
            if name.lowercased() == "charset" && !value.isEmpty { return value.lowercased() }
        }
        return nil
    }

    private static let marks: [(bytes: [UInt8], charset: String)] = [
        // UTF-32 isn't supported. Its byte order marks are listed only to refuse it.
        ([0xFF, 0xFE, 0, 0], "utf-32le"), ([0, 0, 0xFE, 0xFF], "utf-32be"),
        ([0xEF, 0xBB, 0xBF], "utf-8"), ([0xFE, 0xFF], "utf-16be"), ([0xFF, 0xFE], "utf-16le"),
    ]

    /// The supported charsets, by the labels that servers send. As in the WHATWG Encoding standard,
    /// `iso-8859-1` and `us-ascii` are read as windows-1252, which adds characters to them.
    private static func encoding(of charset: String) -> String.Encoding? {
        switch charset {
        case "utf-8", "utf8", "unicode-1-1-utf-8": .utf8
        case "us-ascii", "ascii", "iso-8859-1", "iso8859-1", "latin1", "windows-1252", "cp1252":
            .windowsCP1252
        case "utf-16", "utf-16le": .utf16LittleEndian
        case "utf-16be": .utf16BigEndian
        case "iso-8859-2", "latin2": .isoLatin2
        case "windows-1250": .windowsCP1250
        case "windows-1251": .windowsCP1251
        case "windows-1253": .windowsCP1253
        case "windows-1254": .windowsCP1254
        case "shift_jis", "shift-jis", "sjis": .shiftJIS
        case "iso-2022-jp": .iso2022JP
        default: nil
        }
    }
}

extension String.Encoding {
    fileprivate var hasTwoByteUnits: Bool { [.utf16LittleEndian, .utf16BigEndian].contains(self) }
}
