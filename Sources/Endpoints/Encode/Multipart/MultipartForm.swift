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
            var head = "Content-Disposition: form-data; name=\"\(name.escapedInMultipart)\""
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
