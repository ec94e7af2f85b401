import Foundation

/// The parts of a multipart form, read from the form's bytes.
package struct MultipartText {
    package struct Part {
        package let head: String
        package let content: Data

        /// The name in `Content-Disposition`, without the quotes that it may have there.
        var name: String {
            let parameters = header("content-disposition").splitOutsideQuotes(at: .semicolon)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let parameter = parameters.first { $0.lowercased().hasPrefix("name=") }
            let name = parameter?.dropFirst("name=".count) ?? ""
            return name.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }

        package var contentType: String { header("content-type") }

        private func header(_ name: String) -> String {
            let lines = head.replacingOccurrences(of: "\r\n", with: "\n").split(separator: "\n")
            let line = lines.first { $0.lowercased().hasPrefix("\(name):") }
            return line?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) ?? ""
        }
    }

    package let parts: [Part]

    /// Reads a body; `nil` if the body isn't a multipart form of this media type. A body that is
    /// cut off, or whose lines end in LF alone, is read too.
    package init?(_ body: Data, _ type: String) {
        guard let boundary = type.multipartBoundary else { return nil }
        let first = Data("--\(boundary)".utf8)
        // Only a delimiter at the body's start may have no line end before it.
        let beginning =
            body.starts(with: first)
            ? body.startIndex + first.count : body.range(of: Data("\n".utf8) + first)?.upperBound
        guard var start = beginning else { return nil }
        // The first delimiter, after which blanks may come, shows how lines end.
        let hasLFAlone = body[start...].first { ![0x20, 0x09].contains($0) } == 0x0A
        let lineEnd = Data((hasLFAlone ? "\n" : "\r\n").utf8)
        let delimiter = lineEnd + first
        var parts: [Part] = []
        while !body[start...].starts(with: Data("--".utf8)) {
            let next = body.range(of: delimiter, in: start..<body.endIndex)
            let part = body[start..<(next?.lowerBound ?? body.endIndex)]
            let blank =
                ["\r\n\r\n", "\n\n"].compactMap { part.range(of: Data($0.utf8)) }
                .min { $0.lowerBound < $1.lowerBound } ?? part.endIndex..<part.endIndex
            let head = part[..<blank.lowerBound].dropFirst(lineEnd.count)
            parts.append(
                Part(
                    head: String(decoding: head, as: UTF8.self), content: part[blank.upperBound...])
            )
            guard let next else { break }
            start = next.upperBound
        }
        self.parts = parts
    }
}

extension String {
    /// Whether this is a media type of JSON Lines. It must be in lower case.
    package var isJSONLines: Bool { contains("jsonl") || contains("ndjson") }
}
