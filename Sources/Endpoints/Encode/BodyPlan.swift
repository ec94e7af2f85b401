import Foundation

/// How a request's body is written. Add a new kind of body here. (Form fields and parts are
/// parameters: see ``ParameterPlan`` and ``PartPlan``.)
package enum BodyPlan: Sendable {
    case none
    /// `Data` or `String`, sent as it is.
    case raw(MIMEType)
    case file
    case multipart
    /// A value of any other type, encoded by the request's `bodyEncoder`.
    case encoded
    indirect case optional(BodyPlan)

    enum EncodedBody {
        case data(Data, MIMEType?)
        case upload(Upload, MIMEType)
    }

    init(_ type: Any.Type) {
        if type == EmptyResponse.self {
            self = .none
        } else if type == Data.self {
            self = .raw(.octetStream)
        } else if type == String.self {
            self = .raw(.plainText)
        } else if type == File.self {
            self = .file
        } else if type == Multipart.self {
            self = .multipart
        } else if let type = type as? any AnyOptional.Type {
            self = .optional(BodyPlan(type.wrappedType))
        } else {
            self = .encoded
        }
    }

    /// Whether the request type has a `body` to send. An optional body counts, even if it is `nil`.
    var isDeclared: Bool {
        if case .none = self { false } else { true }
    }

    var isMultipart: Bool {
        switch self {
        case .multipart: true
        case .optional(let plan): plan.isMultipart
        case .none, .raw, .file, .encoded: false
        }
    }

    /// The body's media type, if its type and this encoder alone determine it; `nil` for a body
    /// that has a media type of its own, or none.
    func mediaType(_ encoder: some EncoderType) -> MIMEType? {
        switch self {
        case .none, .file, .multipart: nil
        case .raw(let type): type
        case .encoded: encoder.contentType
        // In a double optional, `.some(nil)` is encoded.
        case .optional(.optional): encoder.contentType
        case .optional(let plan): plan.mediaType(encoder)
        }
    }

    /// Whether every request has a body.
    var isInEveryRequest: Bool {
        switch self {
        case .none, .optional: false
        case .raw, .file, .multipart, .encoded: true
        }
    }

    /// The encoded body; `nil` if the request has none, or if an optional body is `nil`.
    func content(
        of body: some Encodable, _ encoder: some EncoderType
    ) throws(FieldError) -> EncodedBody? {
        switch self {
        case .none:
            return nil
        case .raw:
            let data = (body as? Data) ?? (body as? String).map { Data($0.utf8) }
            return data.map { .data($0, mediaType(encoder)) }
        case .file:
            guard let file = body as? File else { return nil }
            try file.contentType.checkIsMediaType(as: .body)
            return .upload(Upload(file), file.contentType)
        case .multipart:
            return try (body as? Multipart).map { multipart throws(FieldError) in
                EncodedBody(try multipart.form(encoder))
            }
        case .encoded:
            return .data(try Self.encode(body, encoder), mediaType(encoder))
        case .optional(let plan):
            guard let value = (body as? any AnyOptional)?.wrapped as? any Encodable else {
                return nil
            }
            // In a double optional, `.some(nil)` is a value, and is encoded: in JSON, as `null`.
            if let second = value as? any AnyOptional, second.wrapped == nil {
                return try BodyPlan.encoded.content(of: value, encoder)
            }
            return try plan.content(of: value, encoder)
        }
    }

    private static func encode(
        _ body: some Encodable, _ encoder: some EncoderType
    ) throws(FieldError) -> Data {
        guard !isFileURL(body) else { throw .fileURL(.body) }
        do { return try encoder.checkedData(of: body) } catch {
            throw FieldError(.body, "could not be encoded: \(error.safeReason)", cause: error)
        }
    }

    /// Whether a value is the URL of a file, or has one as an element. Its text is of no use to a
    /// server.
    fileprivate static func isFileURL<Value>(_ value: Value) -> Bool {
        let urls: [URL]? =
            if Value.self == URL.self {
                (value as? URL).map { [$0] }
            } else if Value.self == [URL].self {
                value as? [URL]
            } else if Value.self == [String: URL].self {
                (value as? [String: URL]).map { Array($0.values) }
            } else {
                nil
            }
        return urls?.contains(where: \.isFileURL) == true
    }
}

extension FieldError {
    fileprivate static func fileURL(_ field: EndpointError.Field) -> FieldError {
        FieldError(field, "is the URL of a file; declare it as a File, so that the file is sent")
    }
}

extension BodyPlan.EncodedBody {
    init(_ form: MultipartForm) {
        self = .upload(form.upload, form.contentType)
    }
}

/// The parts of a multipart form as they are sent.
struct MultipartForm: Sendable {
    struct Part: Sendable {
        let name: String
        let fileName: String?
        let contentType: MIMEType?
        let content: Upload.Piece

        /// The part's headers, each ending in CR LF.
        var head: String {
            var head =
                "Content-Disposition: form-data; name=\"\(name.withCRLF.escapedInMultipart)\""
            if let fileName { head += "; filename=\"\(fileName.escapedInMultipart)\"" }
            if let contentType { head += "\r\nContent-Type: \(contentType.rawValue)" }
            return head + "\r\n"
        }
    }

    let boundary: String
    let parts: [Part]

    var contentType: MIMEType { MIMEType(rawValue: "multipart/form-data; boundary=\(boundary)") }

    /// The form as a body. The content of a part is an ``Upload/Piece`` of its own if it is a file
    /// on disk or has more than 64 KB. Smaller content is in one piece with the boundaries and the
    /// headers around it.
    ///
    ///     --b CR LF
    ///     Content-Disposition: form-data; name="title" CR LF
    ///     CR LF
    ///     Sea CR LF
    ///     --b-- CR LF
    var upload: Upload {
        var pieces: [Upload.Piece] = []
        var text = Data()
        for part in parts {
            text.append(contentsOf: "--\(boundary)\r\n\(part.head)\r\n".utf8)
            switch part.content {
            case .data(let data) where data.count <= 1 << 16: text.append(data)
            case .data, .file, .range:
                pieces += [.data(text), part.content]
                text = Data()
            }
            text.append(contentsOf: "\r\n".utf8)
        }
        text.append(contentsOf: "--\(boundary)--\r\n".utf8)
        return Upload(pieces + [.data(text)], form: self)
    }
}

extension String {
    /// A name whose line breaks are all CR LF, as browsers write it. They leave those of file names
    /// as they are (HTML, multipart/form-data encoding algorithm).
    fileprivate var withCRLF: String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            let isSecondHalf = byte == .lineFeed && bytes.last == .carriageReturn
            if bytes.last == .carriageReturn && !isSecondHalf { bytes.append(.lineFeed) }
            if byte == .lineFeed && !isSecondHalf { bytes.append(.carriageReturn) }
            bytes.append(byte)
        }
        if bytes.last == .carriageReturn { bytes.append(.lineFeed) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A name or a file name with `"`, CR and LF escaped as browsers escape them (HTML,
    /// multipart/form-data encoding algorithm).
    fileprivate var escapedInMultipart: String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += Array("%22".utf8)
            case UInt8(ascii: "\r"): bytes += Array("%0D".utf8)
            case UInt8(ascii: "\n"): bytes += Array("%0A".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Those parameters of an endpoint that are parts of a multipart form.
struct PartPlan: Sendable {
    let items: [DeclaredParameter]

    init(_ parameters: [DeclaredParameter]) {
        items = parameters.filter { $0.kind == .part }
    }

    var isEmpty: Bool { items.isEmpty }
    var names: [String] { items.map(\.name) }
    var sources: [ValueSource] { items.map(\.source) }

    /// Finds the errors that every request would have, whatever its values.
    func check(_ errors: inout DeclarationErrors) {
        for item in items {
            errors.check { () throws(FieldError) in try check(item) }
        }
    }

    private func check(_ item: DeclaredParameter) throws(FieldError) {
        let field = EndpointError.Field.part(item.name)
        if let reason = item.name.reasonInMultipart { throw FieldError(field, "has \(reason)") }
        if item.source.isSecret { throw .secret(field) }
        do { _ = try item.source.constant?.get().parts(item.name, item.style) } catch {
            throw FieldError(field, unrepresentableBecauseOf: error)
        }
    }

    func form(of values: BorrowedValues) throws(FieldError) -> MultipartForm {
        var parts: [MultipartForm.Part] = []
        for item in items {
            let (files, texts) = try content(of: item, values)
            for file in files { parts.append(try MultipartForm.Part(item.name, file)) }
            for (name, text) in texts {
                // In JSON, a URL is in quotes.
                if text.drop(while: { "[\"".contains($0) }).hasPrefix("file:"), item.source.isURL {
                    throw .fileURL(.part(name))
                }
                parts.append(
                    try MultipartForm.Part(
                        checking: name, fileName: nil, item.source.contentType,
                        .data(Data(text.utf8))))
            }
        }
        return try MultipartForm(checking: Multipart([]).boundary, parts)
    }

    private func content(
        of item: DeclaredParameter, _ values: BorrowedValues
    ) throws(FieldError) -> (files: [File], texts: [(name: String, text: String)]) {
        do {
            if let files = try item.source.files(in: values) { return (files, []) }
        } catch {
            throw FieldError(
                .part(item.name), "can't be sent as a file: \(error.safeReason)", cause: error)
        }
        do {
            return ([], try item.source.texts(in: values).parts(item.name, item.style))
        } catch {
            throw FieldError(.part(item.name), unrepresentableBecauseOf: error)
        }
    }
}

extension ParameterTexts {
    /// The names and texts of the parts that one parameter makes.
    fileprivate func parts(
        _ name: String, _ style: ParameterStyle
    ) throws -> [(name: String, text: String)] {
        switch self {
        case .one(let text):
            return text.map { [(name, $0)] } ?? []
        case .several(let texts):
            switch style {
            case .repeated: return texts.map { (name, $0) }
            case .brackets: return texts.map { (name + "[]", $0) }
            case .commaSeparated, .pipeSeparated, .spaceSeparated:
                return texts.isEmpty ? [] : [(name, try texts.joined(by: style))]
            }
        case .keyed(let fields):
            return fields.map { (name + $0.keys.inBrackets, $0.text) }
        }
    }
}

extension Multipart {
    func form(_ encoder: some EncoderType) throws(FieldError) -> MultipartForm {
        var parts: [MultipartForm.Part] = []
        for part in self.parts { parts.append(try part.encoded(by: encoder)) }
        return try MultipartForm(checking: boundary, parts)
    }
}

extension Multipart.Part {
    fileprivate func encoded(
        by encoder: some EncoderType
    ) throws(FieldError) -> MultipartForm.Part {
        switch content {
        case .text(let text, let type):
            return try MultipartForm.Part(
                checking: name, fileName: nil, type, .data(Data(text.utf8)))
        case .file(let file):
            return try MultipartForm.Part(name, file)
        case .value(let value):
            guard !BodyPlan.isFileURL(value) else { throw .fileURL(.part(name)) }
            let data: Data
            do { data = try encoder.checkedData(of: value) } catch {
                throw FieldError(
                    .part(name), "could not be encoded: \(error.safeReason)", cause: error)
            }
            return try MultipartForm.Part(
                checking: name, fileName: nil, encoder.contentType, .data(data))
        }
    }
}

extension MultipartForm {
    init(checking boundary: String, _ parts: [Part]) throws(FieldError) {
        guard (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy(ASCIISet.boundary.contains)
        else {
            throw FieldError(
                .body, "has an invalid boundary; use 1 to 70 letters, digits, `-` and `_`")
        }
        let bytes = Data(boundary.utf8)
        for part in parts {
            // Files on disk aren't searched. The default boundary is random, so no file has it.
            guard case .data(let data) = part.content, data.range(of: bytes) != nil
            else { continue }
            throw FieldError(
                .part(part.name), "has the boundary in its content; choose another boundary")
        }
        self.boundary = boundary
        self.parts = parts
    }
}

extension MultipartForm.Part {
    init(_ name: String, _ file: File) throws(FieldError) {
        try self.init(
            checking: name, fileName: file.name, file.contentType, Upload.Piece(file))
    }

    /// Makes a part. Throws for a name or a file name with which servers would drop the part, and
    /// for a media type with a control character.
    // Inlined, it would be in every program several times.
    @inline(never)
    init(
        checking name: String, fileName: String?, _ contentType: MIMEType?, _ content: Upload.Piece
    ) throws(FieldError) {
        if let reason = name.reasonInMultipart { throw FieldError(.part(name), "has \(reason)") }
        if let reason = fileName?.reasonInMultipart {
            throw FieldError(.part(name), "has a file with \(reason)")
        }
        var type = contentType
        try contentType?.checkIsMediaType(as: .part(name))
        if let text = contentType?.rawValue {
            do throws(FieldError) {
                type = MIMEType(rawValue: try Headers.contentType.checked(text))
            } catch { throw FieldError(.part(name), "has a media type that \(error.reason)") }
        }
        (self.name, self.fileName, self.contentType) = (name, fileName, type)
        self.content = content
    }
}

extension MIMEType {
    /// Throws for a file's media type that can't be one, such as an empty text.
    fileprivate func checkIsMediaType(as field: EndpointError.Field) throws(FieldError) {
        let slash = rawValue.firstIndex(of: "/") ?? rawValue.startIndex
        guard slash == rawValue.startIndex || rawValue[slash...].dropFirst().isEmpty else { return }
        throw FieldError(
            field, "has the media type \(rawValue.quoted); write one such as `image/png`")
    }
}

extension String {
    /// Why this can't be a name or a file name in a multipart form, in words that follow `has` or
    /// `has a file with`; `nil` if it can.
    var reasonInMultipart: String? {
        if isEmpty { return "an empty name, and servers drop such parts; choose a name" }
        if utf8.last == UInt8(ascii: "\\") {
            return "a name ending in a backslash, and servers drop such parts; remove the backslash"
        }
        return nil
    }
}

extension ASCIISet {
    fileprivate static let boundary = ASCIISet(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
}
