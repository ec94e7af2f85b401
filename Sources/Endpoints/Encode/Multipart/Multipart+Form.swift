import Foundation

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
            let data: Data
            do { data = try encoder.encode(value) } catch {
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
        if let text = contentType?.rawValue {
            do throws(FieldError) {
                type = MIMEType(rawValue: try Headers.contentType.checked(text))
            } catch { throw FieldError(.part(name), "has a media type that \(error.reason)") }
        }
        (self.name, self.fileName, self.contentType) = (name, fileName, type)
        self.content = content
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
