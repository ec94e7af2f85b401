import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The content of a response, and how it becomes a value.
struct ResponseContent {
    let data: Data
    let httpResponse: HTTPURLResponse
    /// The endpoint's method, because a response to HEAD has no content (RFC 9110, section 9.3.2).
    /// For an error response, it is GET, so that data is decoded even if it came in reply to HEAD.
    let method: HTTPMethod

    /// Whether a decoder decodes a value of this type. `Data`, for example, isn't decoded.
    static func isDecoded(_ type: Any.Type) -> Bool {
        if let optional = type as? any OptionalValue.Type { return isDecoded(optional.wrappedType) }
        if let carrier = type as? any HTTPResponseCarrier.Type {
            return isDecoded(carrier.valueType)
        }
        return type is any Decodable.Type && type != Data.self && type != String.self
            && type != EmptyResponse.self
    }

    /// Whether a value of this type is made without reading the content.
    static func isIgnored(_ type: Any.Type) -> Bool {
        if let carrier = type as? any HTTPResponseCarrier.Type {
            return isIgnored(carrier.valueType)
        }
        let type = wrappedType(type)
        return type == Void.self || type == EmptyResponse.self
    }

    /// A type without the optionals around it.
    private static func wrappedType(_ type: Any.Type) -> Any.Type {
        (type as? any OptionalValue.Type).map { wrappedType($0.wrappedType) } ?? type
    }

    /// `Value` is compared with `Data` and other types at run time, because in a generic request
    /// the compiler doesn't know `Value`.
    @inline(__always)
    func value<Value: Decodable>(
        as type: Value.Type, with decoder: @autoclosure () -> some DecoderType
    ) throws -> Value {
        let wrapped = Self.wrappedType(type)
        let isRaw = wrapped == Data.self || wrapped == String.self || wrapped == EmptyResponse.self
        guard data.isEmpty || isWithoutContent || isRaw else {
            return try decoder().decode(type, from: data)
        }
        return try specialValue(wrapped, decoder)
    }

    /// The value if there is no content, or if the type, such as `Data`, needs no decoder.
    ///
    /// This code isn't part of `value(as:with:)`, because optionals of a generic type slow down the
    /// whole function that they are in.
    @inline(never)
    private func specialValue<Value: Decodable>(
        _ wrapped: Any.Type, _ decoder: () -> some DecoderType
    ) throws -> Value {
        if data.isEmpty || isWithoutContent, let nothing: Value = nothing() { return nothing }
        if isWithoutContent { throw UnreadableContent.none }
        if wrapped == Data.self, let data = data as? Value { return data }
        if wrapped == String.self, let text = try text() as? Value { return text }
        if wrapped == EmptyResponse.self, let empty = EmptyResponse() as? Value { return empty }
        // In some formats an empty body is a valid value, so ask the decoder.
        do { return try decoder().decode(Value.self, from: data) } catch {
            throw UnreadableContent.none
        }
    }

    /// Whether the response has no content by its status, or because the method is HEAD (RFC 9110,
    /// sections 15.3.5, 15.3.6, 15.4.5, 9.3.2).
    private var isWithoutContent: Bool {
        switch httpResponse.statusCode {
        case 204, 205, 304: true
        default: method == .head
        }
    }

    /// A type's value for a response without content; `nil` if the type has no such value.
    private func nothing<Value>() -> Value? {
        if let type = Value.self as? any OptionalValue.Type { return type.none as? Value }
        if Value.self == Data.self { return Data() as? Value }
        if Value.self == EmptyResponse.self { return EmptyResponse() as? Value }
        return nil
    }
}

/// A ``WithHTTPResponse`` of any value type.
package protocol HTTPResponseCarrier {
    static var valueType: Any.Type { get }
    /// Makes a ``WithHTTPResponse`` of a value; `nil` if the value isn't a `valueType`.
    static func carrying(_ value: Any, _ httpResponse: HTTPURLResponse) -> Any?
}

extension WithHTTPResponse: HTTPResponseCarrier {
    package static var valueType: Any.Type { Value.self }

    package static func carrying(_ value: Any, _ httpResponse: HTTPURLResponse) -> Any? {
        (value as? Value).map { WithHTTPResponse(value: $0, httpResponse: httpResponse) }
    }
}

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
