import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// Decodes a successful response, and throws an error for any other.
    ///
    ///     try GetUser.decode(data, httpResponse)   // needs no network
    ///
    /// A load decodes its response in the same way. Use this function in a test, or for a response
    /// that another HTTP client has loaded.
    /// - Throws: A ``TaskError``, such as `.errorResponse` if the error response can be read.
    public static func decode(
        _ data: Data, _ httpResponse: HTTPURLResponse
    ) throws(TaskError) -> Response {
        try decode(data, httpResponse, under: sharedLoadPolicy)
    }

    /// Decodes a response. The policy limits how much of an unreadable error response is kept.
    static func decode(
        _ data: Data, _ httpResponse: HTTPURLResponse, under policy: @autoclosure () -> LoadPolicy
    ) throws(TaskError) -> Response {
        guard succeeded(httpResponse, data: data) else {
            throw failure(from: data, httpResponse, under: policy())
        }
        do { return try response(data: data, httpResponse: httpResponse) } catch {
            throw .responseParseError(
                httpResponse: httpResponse, data: data,
                error: EndpointParseError(Self.self, cause: error))
        }
    }

    static func failure(
        from data: Data, _ httpResponse: HTTPURLResponse, under policy: LoadPolicy
    ) -> TaskError {
        let isEmpty = data.isEmpty && ErrorResponse.self != EmptyResponse.self
        guard httpResponse.isErrorResponse && !isEmpty else {
            return .unexpectedResponse(httpResponse: httpResponse)
        }
        do {
            let content = ResponseContent(data: data, httpResponse: httpResponse, method: .get)
            let response = try content.value {
                try checkedHooks.errorDecoder().located(ErrorResponse.self, from: $0)
            }
            return .errorResponse(httpResponse: httpResponse, response: response)
        } catch UnreadableContent.none {
            // White space is no content, too.
            return .unexpectedResponse(httpResponse: httpResponse)
        } catch {
            let kept = data.prefix(max(policy.errorBodyLimit, 0))
            return .errorResponseParseError(
                httpResponse: httpResponse, data: Data(kept),
                error: EndpointParseError(Self.self, cause: error))
        }
    }

    @inline(__always)
    static func content(_ data: Data, _ httpResponse: HTTPURLResponse) -> ResponseContent {
        ResponseContent(data: data, httpResponse: httpResponse, method: endpoint.plan.method)
    }
}

extension RequestType {
    /// Whether the status is from 200 to 299.
    public static func succeeded(_ httpResponse: HTTPURLResponse) -> Bool {
        (200..<300).contains(httpResponse.statusCode)
    }
    /// What `succeeded(_:)` says of the status and the headers.
    public static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
        succeeded(httpResponse)
    }
}

extension RequestType where ResponseDecoder == JSONDecoder {
    /// A JSON decoder with its default strategies.
    public static var responseDecoder: JSONDecoder { JSONDecoder() }
}

extension RequestType where ErrorDecoder == JSONDecoder {
    // This one default serves all types of response decoders, and looks at the type at run time.
    // With a default `errorDecoder` for each type of response decoder, every request that declares
    // no `errorDecoder` would take 3 ms longer to compile.

    /// The response decoder if it is a `JSONDecoder`. If it is a `NestedDecoder` of a
    /// `JSONDecoder`, that `JSONDecoder`. In any other case, a `JSONDecoder` with its default
    /// strategies.
    public static var errorDecoder: JSONDecoder {
        responseDecoder as? JSONDecoder
            ?? (responseDecoder as? any NestingDecoder)?.base as? JSONDecoder ?? JSONDecoder()
    }
}

extension RequestType where Response == Void {
    // This function returns `Response`, not `Void`. With `-> Void`, Swift would infer that the
    // `Response` of a generic `struct Get<Response>` is `Void`.

    /// Returns nothing; the body isn't read.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        ()
    }
}

extension RequestType where Response: Decodable, ResponseDecoder: DecoderType {
    /// Returns the content as `Data` or `String`, or as a value that the response decoder decodes.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        try content(data, httpResponse)
            .value { try responseDecoder.located(Response.self, from: $0) }
    }
}

extension RequestType where Response == WithHTTPResponse<Void> {
    /// Returns the status and the headers of the response; the body isn't read.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        WithHTTPResponse(value: (), httpResponse: httpResponse)
    }
}

extension RequestType {
    /// Decodes the value and adds the status and the headers of the response.
    public static func response<Value: Decodable>(
        data: Data, httpResponse: HTTPURLResponse
    ) throws -> Response where Response == WithHTTPResponse<Value>, ResponseDecoder: DecoderType {
        let value = try content(data, httpResponse)
            .value { try responseDecoder.located(Value.self, from: $0) }
        return WithHTTPResponse(value: value, httpResponse: httpResponse)
    }
}

extension RequestType where Response == Void?, ResponseDecoder: DecoderType {
    /// Returns `()`, or `nil` for a response without content; the body is not decoded.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        try content(data, httpResponse)
            .value { try responseDecoder.located(EmptyResponse?.self, from: $0) }
            .map { _ in () }
    }
}

extension RequestType
where Response == WithHTTPResponse<Void?>, ResponseDecoder: DecoderType {
    /// Returns `()`, or `nil` for a response without content, with the status and the headers.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        let value = try content(data, httpResponse)
            .value { try responseDecoder.located(EmptyResponse?.self, from: $0) }
        return WithHTTPResponse(value: value.map { _ in () }, httpResponse: httpResponse)
    }
}

/// The content of a response, and how it becomes a value.
struct ResponseContent {
    let data: Data
    let httpResponse: HTTPURLResponse
    /// The endpoint's method, because a response to HEAD has no content (RFC 9110, section 9.3.2).
    /// For an error response, it is GET, so that data is decoded even if it came in reply to HEAD.
    let method: HTTPMethod

    /// `Value` is compared with `Data` and other types at run time, because in a generic request
    /// the compiler doesn't know `Value`.
    @inline(__always)
    func value<Value: Decodable>(
        decodedBy decode: (Data) throws -> Value
    ) throws -> Value {
        let type = Value.self
        let mayNeedNoDecoder =
            type == Data.self || type == String.self || type == EmptyResponse.self
            || type is any AnyOptional.Type
        guard data.isEmpty || isWithoutContent || mayNeedNoDecoder else {
            do { return try decode(data) } catch { return try valueOfBlanks(error) }
        }
        return try specialValue(decode)
    }

    /// The value if there is no content, or if the type, such as `Data`, needs no decoder.
    ///
    /// This code isn't part of `value(decodedBy:)`, because optionals of a generic type slow down
    /// the whole function that they are in.
    @inline(never)
    private func specialValue<Value: Decodable>(
        _ decode: (Data) throws -> Value
    ) throws -> Value {
        let wrapped = ResponseKind.wrappedType(Value.self)
        if data.isEmpty || isWithoutContent, let nothing: Value = nothing() { return nothing }
        if isWithoutContent { throw UnreadableContent.none }
        if wrapped == Data.self, let data = data as? Value { return data }
        if wrapped == String.self, let text = try text() as? Value { return text }
        if wrapped == EmptyResponse.self, let empty = EmptyResponse() as? Value { return empty }
        guard data.isEmpty else {
            do { return try decode(data) } catch { return try valueOfBlanks(error) }
        }
        // In some formats an empty body is a valid value, so ask the decoder.
        do { return try decode(data) } catch {
            throw UnreadableContent.none
        }
    }

    /// The value of a body of white space, which a decoder has refused: that of no content. Throws
    /// the decoder's error for any other body.
    @inline(never)
    private func valueOfBlanks<Value>(_ error: any Error) throws -> Value {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = data.dropFirst(data.starts(with: mark) ? mark.count : 0)
        guard content.allSatisfy({ [.space, .tab, .lineFeed, .carriageReturn].contains($0) }) else {
            throw error
        }
        guard let nothing: Value = nothing() else { throw UnreadableContent.none }
        return nothing
    }

    /// Whether the response has no content by its status, or because the method is HEAD (RFC 9110,
    /// sections 15.3.5, 15.3.6, 15.4.5, 9.3.2).
    private var isWithoutContent: Bool {
        switch httpResponse.statusCode {
        case 204, 205, 304: true
        default: method.rawValue == "HEAD"
        }
    }

    /// A type's value for a response without content; `nil` if the type has no such value.
    private func nothing<Value>() -> Value? {
        if let type = Value.self as? any AnyOptional.Type { return type.none as? Value }
        if Value.self == Data.self { return Data() as? Value }
        if Value.self == EmptyResponse.self { return EmptyResponse() as? Value }
        return nil
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
        let value = type?.parameter("charset")?
            .trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'"))
        return value?.isEmpty == false ? value?.lowercased() : nil
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

extension DecoderType {
    /// Decodes a value. If the error doesn't say where in the content it is, its place is looked
    /// for. Refused is JSON that ends with a `[`, and a property list whose lists are too deep.
    ///
    /// `JSONDecoder` gives no place for a number that doesn't fit, such as 1.5 in an `Int`: it says
    /// that the content isn't valid JSON.
    @inline(__always)
    package func located<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try refuseUnsafe(data)
        do { return try decode(type, from: data) } catch {
            throw place(of: error, in: type, data)
        }
    }

    /// Throws if a decoder of Foundation would end the process with such a content.
    @inline(never)
    private func refuseUnsafe(_ data: Data) throws {
        if data.endsWithOpenList, contentType == .json { throw DecodingError.openList }
        // No property list begins as JSON does.
        guard let first = data.first, !first.isIn("{["), contentType == .xml else { return }
        var decoder: any DecoderType = self
        while let outer = decoder as? any NestingDecoder { decoder = outer.base }
        guard decoder is PropertyListDecoder, !PropertyListShape.isSafe(data) else { return }
        throw UnreadableContent.deepLists(most: PropertyListShape.deepest)
    }

    /// The error with its place. To find it, the content is decoded a second time, by a decoder
    /// that catches the error at the innermost value.
    @inline(never)
    private func place<Value: Decodable>(
        of error: any Error, in type: Value.Type, _ data: Data
    ) -> any Error {
        switch error {
        case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty: break
        // A `Date` may be read as a number or a text, which the error names instead.
        case DecodingError.typeMismatch(let type, _)
        where type == Double.self || type == String.self: break
        default: return error
        }
        do { _ = try decode(LocatedValue<Value>.self, from: data) } catch let found {
            switch found {
            case DecodingError.dataCorrupted(let context) where !context.isWithoutPlace:
                return found
            case DecodingError.typeMismatch(let type, _) where type == Date.self: return found
            default: break
            }
        }
        return error
    }
}

extension Data {
    /// Whether the last character is a `[`, in UTF-8, UTF-16 or UTF-32.
    ///
    /// No JSON ends so. If it begins the 513th list in another, `JSONDecoder` stops the process.
    @inline(never)
    fileprivate var endsWithOpenList: Bool {
        guard withUnsafeBytes({ $0.suffix(7).contains(UInt8(ascii: "[")) }) else { return false }
        let whole = prefix(count - count % bytesPerCharacter)
        return whole.suffix(4).last { $0 != 0 } == UInt8(ascii: "[")
    }

    /// The bytes of each of the first characters, which are ASCII or a byte order mark.
    private var bytesPerCharacter: Int {
        let start = Array(prefix(4))
        let zeros = start.count { $0 == 0 }
        if zeros == 3 || start == [0xFF, 0xFE, 0, 0] || start == [0, 0, 0xFE, 0xFF] { return 4 }
        return zeros > 0 || start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
            ? 2 : 1
    }
}

extension DecodingError {
    fileprivate static var openList: DecodingError {
        .dataCorrupted(Context(codingPath: [], debugDescription: "The data ends within a list."))
    }
}

extension DecodingError.Context {
    fileprivate var isWithoutPlace: Bool {
        codingPath.isEmpty && !(underlyingError is UnfittingNumber)
    }
}

/// A value of which only the first error is of interest. It is decoded by a ``LocatingDecoder``, so
/// the values in it are located too.
private struct LocatedValue<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        do {
            // A decoder reads these types in its own way, such as by a `dateDecodingStrategy`.
            let isSpecial = [Date.self, Data.self, URL.self, Decimal.self].contains {
                $0 == Value.self
            }
            value =
                isSpecial
                ? try decoder.singleValueContainer().decode(Value.self)
                : try Value(from: LocatingDecoder(base: decoder, type: Value.self))
        } catch {
            throw Self.located(error, at: decoder.codingPath)
        }
    }

    /// An error that has no place gets this one. Any error of the decoder that isn't a
    /// `DecodingError` is one about a number, or about JSON that isn't valid.
    private static func located(_ error: any Error, at path: [any CodingKey]) -> any Error {
        let context: DecodingError.Context?
        switch error {
        case DecodingError.dataCorrupted(let found): context = found
        case DecodingError.typeMismatch(_, let context) where Value.self == Date.self:
            return DecodingError.typeMismatch(Date.self, context)
        case is DecodingError: return error
        default: context = nil
        }
        if let context, !context.isWithoutPlace { return error }
        let isNumber = Value.self is any Numeric.Type
        return DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: path,
                debugDescription: context?.debugDescription ?? "The value is not valid.",
                underlyingError: isNumber ? UnfittingNumber(type: "\(Value.self)") : nil))
    }
}

/// A decoder whose containers decode each value as a ``LocatedValue``.
private struct LocatingDecoder: Decoder {
    let base: any Decoder
    /// The type of the value that the decoder is for; unknown for a `superDecoder`.
    var type: Any.Type = Never.self
    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed(base: try base.container(keyedBy: type)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        Unkeyed(base: try base.unkeyedContainer())
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        Single(base: try base.singleValueContainer(), type: type)
    }

    // One generic `decode` is the witness of the protocol's functions for all types but those of
    // 128 bits, for which the protocol's own functions, which only throw, would take its place.

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let base: KeyedDecodingContainer<Key>
        var codingPath: [any CodingKey] { base.codingPath }
        var allKeys: [Key] { base.allKeys }

        func contains(_ key: Key) -> Bool { base.contains(key) }
        func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try base.decode(LocatedValue<Value>.self, forKey: key).value
        }

        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
            try base.decode(LocatedValue<Int128>.self, forKey: key).value
        }

        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
            try base.decode(LocatedValue<UInt128>.self, forKey: key).value
        }

        func nestedContainer<Inner: CodingKey>(
            keyedBy type: Inner.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Inner> {
            let inner = try base.nestedContainer(keyedBy: type, forKey: key)
            return KeyedDecodingContainer(Keyed<Inner>(base: inner))
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            Unkeyed(base: try base.nestedUnkeyedContainer(forKey: key))
        }

        func superDecoder() throws -> any Decoder {
            LocatingDecoder(base: try base.superDecoder())
        }

        func superDecoder(forKey key: Key) throws -> any Decoder {
            LocatingDecoder(base: try base.superDecoder(forKey: key))
        }
    }

    private struct Single: SingleValueDecodingContainer {
        let base: any SingleValueDecodingContainer
        let type: Any.Type
        var codingPath: [any CodingKey] { base.codingPath }

        func decodeNil() -> Bool { base.decodeNil() }

        /// A type that decodes itself, such as `Int`, is at its end: it would be decoded forever.
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            type == self.type
                ? try base.decode(type) : try base.decode(LocatedValue<Value>.self).value
        }

        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        func decode(_ type: Int128.Type) throws -> Int128 { try base.decode(type) }

        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        func decode(_ type: UInt128.Type) throws -> UInt128 { try base.decode(type) }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        var base: any UnkeyedDecodingContainer
        var codingPath: [any CodingKey] { base.codingPath }
        var count: Int? { base.count }
        var isAtEnd: Bool { base.isAtEnd }
        var currentIndex: Int { base.currentIndex }

        mutating func decodeNil() throws -> Bool { try base.decodeNil() }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try base.decode(LocatedValue<Value>.self).value
        }

        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        mutating func decode(_ type: Int128.Type) throws -> Int128 {
            try base.decode(LocatedValue<Int128>.self).value
        }

        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
            try base.decode(LocatedValue<UInt128>.self).value
        }

        mutating func nestedContainer<Inner: CodingKey>(
            keyedBy type: Inner.Type
        ) throws -> KeyedDecodingContainer<Inner> {
            let inner = try base.nestedContainer(keyedBy: type)
            return KeyedDecodingContainer(Keyed<Inner>(base: inner))
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            Unkeyed(base: try base.nestedUnkeyedContainer())
        }

        mutating func superDecoder() throws -> any Decoder {
            LocatingDecoder(base: try base.superDecoder())
        }
    }
}
