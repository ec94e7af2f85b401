import Endpoints
import Foundation

/// The parts of a multipart form, read from the form's bytes.
struct MultipartText {
    private struct Part {
        let head: String
        let content: Data

        /// The name in `Content-Disposition`, without the quotes that it may have there.
        var name: String {
            let parameters = header("content-disposition").splitOutsideQuotes(at: ";")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let parameter = parameters.first { $0.lowercased().hasPrefix("name=") }
            let name = parameter?.dropFirst("name=".count) ?? ""
            return name.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }

        var contentType: String { header("content-type") }

        private func header(_ name: String) -> String {
            let lines = head.replacingOccurrences(of: "\r\n", with: "\n").split(separator: "\n")
            let line = lines.first { $0.lowercased().hasPrefix("\(name):") }
            return line?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) ?? ""
        }
    }

    private let parts: [Part]
    private let boundary: String

    /// Reads a body; `nil` if the body isn't a multipart form of this media type. A body that is cut
    /// off, or whose lines end in LF alone, is read too.
    init?(_ body: Data, _ type: String) {
        guard let boundary = type.multipartBoundary else { return nil }
        self.boundary = boundary
        var parts: [Part] = []
        let hasLFAlone = body.range(of: Data("--\(boundary)\n".utf8)) != nil
        let lineEnd = hasLFAlone ? "\n" : "\r\n"
        let delimiter = Data("\(lineEnd)--\(boundary)".utf8)
        // A delimiter begins with a line end, but at the start of a body that may be missing.
        let body = Data(lineEnd.utf8) + body
        guard var start = body.range(of: delimiter)?.upperBound else { return nil }
        while !body[start...].starts(with: Data("--".utf8)) {
            let next = body.range(of: delimiter, in: start..<body.endIndex)
            let part = body[start..<(next?.lowerBound ?? body.endIndex)]
            guard let blank = part.range(of: Data("\(lineEnd)\(lineEnd)".utf8)) else { return nil }
            let head = part[..<blank.lowerBound].dropFirst(lineEnd.utf8.count)
            parts.append(
                Part(
                    head: String(decoding: head, as: UTF8.self), content: part[blank.upperBound...])
            )
            guard let next else { break }
            start = next.upperBound
        }
        self.parts = parts
    }

    /// The parts as text that is the same in each run, with `…` for secrets and the boundary.
    func text(masking secretNames: SecretNames) -> String {
        let parts = parts.map { part in
            let content =
                secretNames.containsPart(of: part.name)
                ? "…" : RequestText.text(of: part.content, part.contentType, secretNames)
            let head = part.head.replacingOccurrences(of: "\r\n", with: "\n")
            return "--…\n\(head)\n\n\(content)"
        }
        return (parts + ["--…--"]).joined(separator: "\n")
    }

    /// The form's bytes, with `…` as the content of each part whose name is secret. The function
    /// `mask` returns the new content of any other part.
    func masked(_ mask: (_ content: Data, _ type: String) -> Data, _ names: SecretNames) -> Data {
        var body = Data()
        for part in parts {
            let content =
                names.containsPart(of: part.name)
                ? Data(Secrets.mask.utf8) : mask(part.content, part.contentType)
            body.append(Data("--\(boundary)\r\n\(part.head)\r\n\r\n".utf8))
            body.append(content)
            body.append(Data("\r\n".utf8))
        }
        body.append(Data("--\(boundary)--\r\n".utf8))
        return body
    }
}
