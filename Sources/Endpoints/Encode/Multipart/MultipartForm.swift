import Foundation

/// The parts of a multipart form as they are sent.
package struct MultipartForm: Sendable {
    package struct Part: Sendable {
        package let name: String
        let fileName: String?
        package let contentType: MIMEType?
        package let content: Upload.Piece

        /// The part's headers, each ending in CR LF.
        package var head: String {
            var head =
                "Content-Disposition: form-data; name=\"\(name.withCRLF.escapedInMultipart)\""
            if let fileName { head += "; filename=\"\(fileName.escapedInMultipart)\"" }
            if let contentType { head += "\r\nContent-Type: \(contentType.rawValue)" }
            return head + "\r\n"
        }
    }

    package let boundary: String
    package let parts: [Part]

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
            case .data, .file:
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
package struct PartPlan: Sendable {
    package let items: [DeclaredParameter]

    init(_ parameters: [DeclaredParameter]) {
        items = parameters.filter { $0.kind == .part }
    }

    package var isEmpty: Bool { items.isEmpty }
    package var names: [String] { items.map(\.name) }
    package var sources: [ValueSource] { items.map(\.source) }

    /// Throws the first error that every request would have, whatever its values.
    func check() throws(FieldError) {
        for index in items.indices { try checkPart(index) }
    }

    @inline(never)
    package func checkPart(_ index: Int) throws(FieldError) {
        let item = items[index]
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
                if text.hasPrefix("file:"), item.source.isURL {
                    throw FieldError(
                        .part(name),
                        "is the URL of a file; declare it as a File, so that the file is sent")
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
