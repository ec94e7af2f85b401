import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The headers of an endpoint, prepared once for all requests: names and constants are checked. The
/// other values are read from each request.
///
/// Headers are added in this order: the defaults of `Accept`, `Cache-Control` and `Content-Type`,
/// the environment's headers, the common headers, the declared ones, and those whose names are
/// known only at run time. A header replaces a header of the same name that was added before, and a
/// `nil` value removes that header.
struct HeaderPlan: Sendable {
    /// ``defaults``, ``constants`` and an empty text for each of ``names``, for requests without
    /// environment or common headers.
    private var prepared: [String: String] = [:]
    /// Where ``prepared`` has each of ``names``.
    private var places: [Dictionary<String, String>.Index] = []
    let defaults: (accept: MIMEType?, contentType: MIMEType?)
    /// The declared headers. With one that is declared twice, no request is made.
    let declared: [(name: Headers, source: ValueSource)]
    /// The declared headers that are the same in every request; `nil` leaves a header out.
    private var constants: [(name: String, text: String?)] = []
    private let values: ValueReader
    /// The names of the headers that are read from each request.
    private let names: [String]
    /// The properties that have headers whose names are known only at run time.
    let contents: [ValueSource]
    private let declaresContentType: Bool
    /// Whether a request may have a Content-Type that isn't checked with the declaration.
    private let readsContentType: Bool
    /// The names of the declared headers whose values are ``Credentials``.
    let secrets: [Headers]

    /// Whether a request's values are read.
    let hasValues: Bool
    /// Whether a request without a body has no headers but those of the environment and the common
    /// ones.
    var isEmpty: Bool { prepared.isEmpty && !hasValues }
    var sources: [ValueSource] { values.sources + contents }

    /// - Parameters:
    ///   - accept: The default of `Accept`, from ``RequestType/defaultAccept``.
    ///   - contentType: The media type of the body, if every request has the same.
    init(
        _ headers: [(name: Headers, source: ValueSource)], _ contents: [ValueSource],
        accept: MIMEType?, contentType: MIMEType?
    ) {
        defaults = (accept, contentType)
        self.contents = contents
        declared = headers
        declaresContentType = declared.contains { $0.name == .contentType }
        secrets = declared.filter(\.source.isSecret).map(\.name)
        var (names, sources): ([String], [ValueSource]) = ([], [])
        for (name, source) in declared {
            if source.constant != nil {
                constants.append((name.name, try? Self.constantText(of: name, source)))
            } else {
                names.append(name.name)
                sources.append(source)
            }
        }
        self.names = names
        readsContentType =
            !contents.isEmpty || names.contains { Headers(name: $0) == .contentType }
        values = ValueReader(sources)
        hasValues = !names.isEmpty || !contents.isEmpty
        for (name, text) in defaultTexts { prepared[name] = try? Headers.checked(text, of: name) }
        places = addDeclared(to: &prepared)
    }

    /// The defaults of headers, except those that are `nil`.
    var defaultTexts: [(name: String, text: String)] {
        headers(contentType: defaults.contentType).compactMap { name, text in
            text.map { (spelling(of: name) ?? name.name, $0) }
        }
    }

    /// The defaults for a body of a media type. Events aren't stored in a cache (HTML Standard,
    /// section 9.2.2).
    private func headers(contentType: MIMEType?) -> [HeaderText] {
        [
            (.accept, defaults.accept?.rawValue), (.contentType, contentType?.rawValue),
            (.cacheControl, defaults.accept == .eventStream ? "no-store" : nil),
        ]
    }

    /// How the plan spells a header: `accept` and `Accept` are the same one. `nil` if the header
    /// isn't declared, and is neither `Accept` nor `Content-Type`.
    private func spelling(of name: Headers) -> String? {
        for header in declared where header.name == name { return header.name.name }
        if name == .accept { return Headers.accept.name }
        return name == .contentType ? Headers.contentType.name : nil
    }

    /// Whether a header is declared as `nil`.
    func leavesOut(_ name: Headers) -> Bool {
        constants.contains { Headers(name: $0.name) == name && $0.text == nil }
    }

    /// The headers of a request with a body of this media type: the defaults, the environment's,
    /// the common and the declared headers, added in this order.
    func fields(
        _ contentType: MIMEType?, _ environment: [HeaderText], _ common: [HeaderText],
        _ request: BorrowedValues
    ) throws(FieldError) -> [String: String] {
        if environment.isEmpty && common.isEmpty
            && (declaresContentType || contentType == defaults.contentType)
        {
            guard hasValues else { return prepared }
            var fields = prepared
            try add(request, to: &fields, at: places)
            if readsContentType { try checkContentType(in: fields, contentType) }
            return fields
        }
        var fields: [String: String] = [:]
        try add(headers(contentType: contentType), to: &fields)
        try add(environment, to: &fields)
        try add(common, to: &fields)
        let places = addDeclared(to: &fields)
        try add(request, to: &fields, at: places)
        do throws(FieldError) { try checkContentType(in: fields, contentType) } catch {
            throw named(error, environment, common)
        }
        return fields
    }

    /// The error of a `Content-Type`, with the layer that has it if that isn't the declaration.
    @inline(never)
    private func named(
        _ error: FieldError, _ environment: [HeaderText], _ common: [HeaderText]
    ) -> FieldError {
        guard !readsContentType, !declaresContentType else { return error }
        let layer =
            common.contains { $0.name == .contentType }
            ? "commonHeaders"
            : environment.contains { $0.name == .contentType } ? "the environment's headers" : nil
        guard let layer else { return error }
        let reason = error.reason.replacingOccurrences(
            of: "remove this header", with: "remove it from \(layer)")
        return FieldError(error.field, reason, cause: error.cause)
    }

    /// Adds ``constants`` and an empty text for each of ``names``. Returns the places of these.
    @inline(never)
    private func addDeclared(
        to fields: inout [String: String]
    ) -> [Dictionary<String, String>.Index] {
        for (name, text) in constants { fields[name] = text }
        for name in names { fields[name] = "" }
        var places: [Dictionary<String, String>.Index] = []
        for name in names { if let place = fields.index(forKey: name) { places.append(place) } }
        return places
    }

    /// Adds the headers that are read from a request, at the places of their names, which needs no
    /// hashing. A `nil` value removes the header instead.
    private func add(
        _ request: BorrowedValues, to fields: inout [String: String],
        at places: [Dictionary<String, String>.Index]
    ) throws(FieldError) {
        var leftOut: [String] = []
        for index in names.indices {
            if let text = try text(index, request) {
                fields.values[places[index]] = try Headers.checked(text, of: names[index])
            } else {
                leftOut.append(names[index])
            }
        }
        for name in leftOut { fields[name] = nil }
        for source in contents { try add(headers(source, request), to: &fields) }
    }

    private func headers(
        _ source: ValueSource, _ request: BorrowedValues
    ) throws(FieldError) -> [HeaderText] {
        do { return try source.headers(in: request) } catch {
            let field = EndpointError.Field.property(source.propertyName ?? "contentsOf:")
            throw error as? FieldError ?? FieldError(field, unrepresentableBecauseOf: error)
        }
    }

    @inline(__always)
    private func text(_ index: Int, _ request: BorrowedValues) throws(FieldError) -> String? {
        do { return try values.texts(index, in: request).text } catch {
            throw FieldError(.header(names[index]), unrepresentableBecauseOf: error)
        }
    }

    /// Adds headers whose names are known only at run time. Each replaces a header of the same name
    /// that was added before; a `nil` text removes that header.
    private func add(
        _ texts: [HeaderText], to fields: inout [String: String]
    ) throws(FieldError) {
        for (name, text) in texts {
            let spelling = self.spelling(of: name) ?? fields.spelling(of: name)
            guard let text else {
                fields[spelling] = nil
                continue
            }
            fields[spelling] = try name.checked(text)
        }
    }
}

extension [String: String] {
    /// A header's name as this dictionary spells it. If the header isn't there, the given name.
    fileprivate func spelling(of name: Headers) -> String {
        if self[name.name] != nil { return name.name }
        return keys.first { Headers(name: $0) == name } ?? name.name
    }
}

extension HeaderPlan {
    /// Finds the errors that every request would have, whatever its values.
    func check(_ errors: inout DeclarationErrors) {
        for (index, (name, _)) in declared.enumerated() {
            errors.check { () throws(FieldError) in try name.check() }
            if declared[..<index].contains(where: { $0.name == name }) {
                errors.add(.header(name.name), "is declared twice; remove one")
            }
        }
        for (name, source) in declared {
            errors.check { () throws(FieldError) in _ = try Self.constantText(of: name, source) }
        }
        for (name, text) in defaultTexts {
            errors.check { () throws(FieldError) in _ = try Headers.checked(text, of: name) }
        }
    }

    /// The value of a constant header; `nil` if it isn't sent, or if it is read from each request.
    /// Throws if the header can't be sent in any request.
    @inline(never)
    private static func constantText(
        of name: Headers, _ source: ValueSource
    ) throws(FieldError) -> String? {
        try name.checkType(of: source)
        let text: String?
        do { text = try source.constant?.get().text } catch {
            throw error as? FieldError
                ?? FieldError(.header(name.name), unrepresentableBecauseOf: error)
        }
        return try text.map { text throws(FieldError) in
            try Headers.checked(text, of: name.name)
        }
    }

    /// Throws for a constant Content-Type of a multipart body. With declared parts, whose boundary
    /// is random, no constant is right; with a ``Multipart``, only a constant with a boundary can
    /// be. Whether that boundary is right is checked for each request.
    func checkMultipart(_ parts: PartPlan, _ body: BodyPlan) throws(FieldError) {
        guard !parts.isEmpty || body.isMultipart else { return }
        for (name, text) in constants where Headers(name: name) == .contentType {
            guard parts.isEmpty && text?.multipartBoundary != nil else {
                throw FieldError(.header(name), Self.noBoundary)
            }
        }
    }

    /// Throws for a constant Content-Type that contradicts every body.
    /// - Parameter own: The media type that the body has without the header.
    func checkContentType(_ own: MIMEType?) throws(FieldError) {
        for (name, text) in constants where Headers(name: name) == .contentType {
            if let text { try own?.checkAgrees(with: text, name) }
        }
    }

    @inline(never)
    private func checkContentType(
        in fields: [String: String], _ own: MIMEType?
    ) throws(FieldError) {
        guard let own else { return }
        let name = fields.spelling(of: .contentType)
        if let text = fields[name], text != own.rawValue { try own.checkAgrees(with: text, name) }
    }

    func checkBoundary(
        of upload: Upload, _ fields: [String: String], _ environment: [HeaderText],
        _ common: [HeaderText]
    ) throws(FieldError) {
        guard let boundary = upload.form?.boundary else { return }
        let name = fields.spelling(of: .contentType)
        guard fields[name]?.multipartBoundary != boundary else { return }
        throw named(FieldError(.header(name), Self.noBoundary), environment, common)
    }

    private static let noBoundary =
        "doesn't name the boundary of the multipart body, so servers can't find its parts; "
        + "remove this header, and the library sets it"
}

extension MIMEType {
    /// Throws for a Content-Type that servers would read the body wrongly by: that of JSON or of a
    /// multipart form for a form, that of a form for JSON, or one with another charset than that of
    /// the bytes.
    ///
    /// A body of this media type is UTF-8 if it is a text, a form or JSON (RFC 8259, section 8.1).
    fileprivate func checkAgrees(with text: String, _ header: String) throws(FieldError) {
        guard [.plainText, .json, .formURLEncoded].contains(self) else { return }
        let name = text.prefix { $0 != ";" }.lowercased().trimmingBlanks
        let isForm = name == MIMEType.formURLEncoded.rawValue
        let isMultipart = name.hasPrefix("multipart/")
        if self == .formURLEncoded, isMultipart || name.hasSuffix("json") {
            throw FieldError(
                .header(header), "isn't that of a form, but the body is one; remove this header")
        }
        if self == .json, isForm || isMultipart {
            throw FieldError(
                .header(header), "is that of a form, but the body is JSON; remove this header")
        }
        let charset = text.parameter("charset")?.filter { $0 != "\"" }.lowercased() ?? "utf-8"
        guard !["utf-8", "utf8", "us-ascii"].contains(charset) else { return }
        throw FieldError(
            .header(header),
            """
            names another charset than that of the body, which is UTF-8; write `charset=utf-8`, or \
            declare the body as Data
            """)
    }
}

extension Headers {
    /// Throws if the name isn't a token, or is a header that only a transport may set.
    func check() throws(FieldError) { try Self.check(name) }

    fileprivate static func check(_ name: String) throws(FieldError) {
        guard name.isToken else {
            throw FieldError(.header(name), "has an invalid name; use letters, digits and `-`")
        }
        let length = name.utf8.count
        guard length == 14 || length == 17,
            ["content-length", "transfer-encoding"].contains(name.lowercased())
        else { return }
        let reason = "is set by the transport; remove it, as a wrong value breaks the connection"
        throw FieldError(.header(name), reason)
    }

    /// Checks the name and a value, and trims spaces and tabs (RFC 9110, section 5.5).
    func checked(_ value: String) throws(FieldError) -> String {
        try check()
        return try Self.checked(value, of: name)
    }

    /// Checks and trims a value of a header whose name has been checked.
    static func checked(_ value: String, of name: String) throws(FieldError) -> String {
        let (hasControl, hasBlanks) = value.withBytes { utf8 in
            (Self.hasControl(utf8), Self.isBlank(utf8.first) || Self.isBlank(utf8.last))
        }
        guard !hasControl else {
            throw FieldError(
                .header(name), "has a control character, such as a line break; remove it")
        }
        return hasBlanks ? value.trimmingBlanks : value
    }

    private static func isBlank(_ byte: UInt8?) -> Bool { byte == .space || byte == .tab }

    /// Whether a value has a control character other than a tab (RFC 9110, section 5.5).
    private static func hasControl(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        // The compiler vectorizes a `while` loop without an early exit.
        var (index, controls) = (0, UInt8(0))
        while index < utf8.count {
            controls |= utf8[index].isControl ? 1 : 0
            index += 1
        }
        return controls != 0
    }
}

extension UInt8 {
    fileprivate var isControl: Bool { (self < 32 && self != .tab) || self == 127 }
}

extension Headers {
    /// Throws if the header needs an HTTP-date (RFC 9110, section 5.6.7), but is read from a `Date`
    /// that is written without a format; or if it has one value, but is read from a list. The pairs
    /// of a `Cookie` have a `;` between them (RFC 6265, section 4.2.1), and are one text.
    func checkType(of source: ValueSource) throws(FieldError) {
        let isDate = source.isUnformattedDate
        guard isDate || source.isList, (isDate ? Self.httpDates : Self.ofOneValue).contains(self)
        else { return }
        throw FieldError(
            .header(name),
            isDate
                ? "is read from a Date, but needs HTTP's own date format; add `format: .httpDate`"
                : "is read from a list, which is sent with commas; declare one value")
    }

    private static var ofOneValue: [Headers] {
        [.authorization, .contentType, .cookie, .userAgent]
    }

    private static var httpDates: [Headers] {
        [.date, .ifModifiedSince, .ifRange, .ifUnmodifiedSince, "Expires", "Last-Modified"]
    }
}

extension URLRequest {
    /// Why a `URLSession` would not send this request as it is; `nil` if no reason is found.
    ///
    /// The library checks the requests that it makes. But ``RequestType/prepare(_:)``, an
    /// environment's `requestProcessor` and callers of ``Transport/send(_:)`` may change them
    /// afterwards.
    var refusal: FieldError? {
        urlRefusal.map { FieldError(.url, $0) } ?? refusalBesidesURL
    }

    /// The same without a look at the URL, which a redirect checks by its policy.
    var refusalBesidesURL: FieldError? {
        do throws(FieldError) {
            try HTTPMethod.check(method)
            if hasContent && (method == "GET" || method == "HEAD") {
                throw .bodyNotSent(with: method)
            }
            for (name, value) in allHTTPHeaderFields ?? [:] {
                try Headers.check(name)
                _ = try Headers.checked(value, of: name)
            }
            return nil
        } catch { return error }
    }

    /// Why the URL can't be that of an HTTP request; `nil` if it can.
    private var urlRefusal: String? {
        guard let url else { return "is missing; give the request one" }
        guard Origin(of: url) == nil else { return nil }
        let scheme = url.scheme?.lowercased() ?? ""
        return ["http", "https"].contains(scheme)
            ? "has no valid host and port; change the code that sets it"
            : "must be http or https, and not \(scheme.isEmpty ? "relative" : "`\(scheme):`"); "
                + "change the code that sets it"
    }

    private var hasContent: Bool { httpBodyStream != nil || httpBody?.isEmpty == false }
}

extension FieldError {
    static func secret(_ field: EndpointError.Field) -> FieldError {
        FieldError(
            field,
            """
            has Credentials or a Secret, but URLs and forms may be logged; send it in a header, or \
            declare a Secret in the path as \\(secret:)
            """)
    }
}

extension ValueSource {
    /// Throws if the value can't be sent in a URL or a form: for ``Credentials``, and for a
    /// constant that can't be written as text.
    @inline(never)
    func check(as field: EndpointError.Field) throws(FieldError) {
        if isSecret, !isAllowedInPath { throw .secret(field) }
        guard case .failure(let error)? = constant else { return }
        throw FieldError(field, unrepresentableBecauseOf: error)
    }
}

extension HTTPMethod {
    /// Throws if the method isn't a token, or is a registered one in lower case.
    func check() throws(FieldError) { try Self.check(rawValue) }

    fileprivate static func check(_ method: String) throws(FieldError) {
        guard method.isToken else { throw FieldError(.method, "is not valid; use letters") }
        let upper = method.uppercased()
        guard method != upper, registered.split(separator: " ").contains(where: { $0 == upper })
        else { return }
        let reason = "is not in upper case, so servers don't know it; write \(upper)"
        throw FieldError(.method, reason)
    }

    /// The methods in IANA's registry. Methods are case-sensitive (RFC 9110, section 9.1), so a
    /// server doesn't know them in lower case. (`URLRequest` changes `get`, `post` and some others
    /// to upper case.)
    private static var registered: String {
        """
        ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT CONNECT COPY DELETE GET HEAD LABEL LINK LOCK \
        MERGE MKACTIVITY MKCALENDAR MKCOL MKREDIRECTREF MKWORKSPACE MOVE OPTIONS ORDERPATCH PATCH \
        POST PRI PROPFIND PROPPATCH PUT QUERY REBIND REPORT SEARCH TRACE UNBIND UNCHECKOUT UNLINK \
        UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL
        """
    }
}
