import Foundation

/// A part of a multipart form, read from the form's bytes.
package struct MultipartPart {
    package let head: String
    /// Where the content is in the form.
    package let content: Range<Int>

    /// The name in `Content-Disposition`, without the quotes that it may have there.
    var name: String {
        let name = header("content-disposition").parameter("name") ?? ""
        return name.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    }

    package var contentType: String { header("content-type") }

    private func header(_ name: String) -> String {
        let lines = head.replacingOccurrences(of: "\r\n", with: "\n")
            .split(at: .lineFeed, outsideQuotes: false)
        let line = lines.first { $0.lowercased().hasPrefix(name + ":") }
        return line?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) ?? ""
    }
}

extension [UInt8] {
    /// The parts of a body; `nil` if the body isn't a multipart form of this media type. A body
    /// that is cut off, or whose lines end in LF alone, is read too.
    package func multipartParts(_ type: String) -> [MultipartPart]? {
        guard let boundary = type.multipartBoundary else { return nil }
        let first = "--" + boundary
        // Only a delimiter at the body's start may have no line end before it.
        let line = has(first, at: 0) ? -1 : index(of: "\n" + first, from: 0)
        guard line < count else { return nil }
        var start = line + 1 + first.utf8.count
        // The first delimiter, after which blanks may come, shows how lines end.
        let lineEnd = has("\n", at: index(after: " \t", from: start)) ? "\n" : "\r\n"
        var parts: [MultipartPart] = []
        while !has("--", at: start) {
            let next = index(of: lineEnd + first, from: start)
            let part = part(start, next)
            let (blank, lines) = (
                part.index(of: "\n\n", from: 0), part.index(of: "\r\n\r\n", from: 0)
            )
            let end = Swift.min(blank, lines)
            let head = part.part(Swift.min(lineEnd.utf8.count, end), end).string
            let content = Swift.min(next, start + end + (blank < lines ? 2 : 4))
            parts.append(MultipartPart(head: head, content: content..<next))
            guard next < count else { break }
            start = next + lineEnd.utf8.count + first.utf8.count
        }
        return parts
    }
}

extension String {
    /// Whether this is a media type of JSON Lines. It must be in lower case.
    package var isJSONLines: Bool { contains("jsonl") || contains("ndjson") }
}
