import Foundation

/// A part of a multipart form, read from the form's bytes.
package struct MultipartPart {
    /// Where the headers are in the form, and where the content is.
    package let head: Range<Int>
    package let content: Range<Int>

    /// The name in `Content-Disposition`, without the quotes that it may have there, and the media
    /// type.
    package func nameAndType(in body: [UInt8]) -> (name: String, type: String) {
        let text = body[head].string.replacingOccurrences(of: "\r\n", with: "\n")
        // A header may go on in lines that are indented.
        var lines: [String] = []
        for line in text.split(at: .lineFeed, outsideQuotes: false) {
            if let first = line.utf8.first, first.isBlank, !lines.isEmpty {
                lines[lines.count - 1] += line
            } else {
                lines.append(line)
            }
        }
        func header(_ name: String) -> String {
            let line = lines.first { $0.lowercased().hasPrefix(name + ":") }
            return line?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) ?? ""
        }
        let disposition = header("content-disposition")
        let extended = disposition.parameter("name*").map { Array($0.utf8).unescaped.string }
        let name = extended?.split(at: 0x27, outsideQuotes: false).last
        let plain = disposition.parameter("name") ?? ""
        let quotes = CharacterSet(charactersIn: "\"")
        return ((name ?? String(plain)).trimmingCharacters(in: quotes), header("content-type"))
    }
}

extension [UInt8] {
    /// The parts of a body; `nil` if the body isn't a multipart form of this media type. A body
    /// that is cut off, or whose lines end in LF alone, is read too.
    package func multipartParts(_ type: String) -> [MultipartPart]? {
        // RFC 2046, section 5.1.1, allows 70 bytes.
        guard let boundary = type.multipartBoundary, boundary.utf8.count <= 200 else { return nil }
        let first = Array("--\(boundary)".utf8)
        // Only a delimiter at the body's start may have no line end before it.
        let line = has(first, at: 0) ? -1 : index(of: [.lineFeed] + first, from: 0)
        guard line < count else { return nil }
        var start = line + 1 + first.count
        // The first delimiter, after which blanks may come, shows how lines end.
        let afterBlanks = self[start...].firstIndex { !$0.isIn(" \t") } ?? count
        let lineEnd: [UInt8] =
            has([.lineFeed], at: afterBlanks) ? [.lineFeed] : [.carriageReturn, .lineFeed]
        var parts: [MultipartPart] = []
        while !has("--".utf8, at: start) {
            let next = index(of: lineEnd + first, from: start)
            // The blank line after the headers, of either kind.
            var end = start
            while end < next, !has("\n\n".utf8, at: end), !has("\r\n\r\n".utf8, at: end) {
                end += 1
            }
            let content = Swift.min(next, end + (has("\n\n".utf8, at: end) ? 2 : 4))
            let head = Swift.min(start + lineEnd.count, end)
            parts.append(MultipartPart(head: head..<end, content: content..<next))
            guard next < count else { break }
            start = next + lineEnd.count + first.count
        }
        return parts
    }

    /// The first index of some bytes; the count if they aren't found.
    private func index(of bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < count, self[index] != bytes[0] || !has(bytes, at: index) { index += 1 }
        return index
    }
}

extension String {
    /// Whether this is a media type of JSON Lines. It must be in lower case.
    package var isJSONLines: Bool { contains("jsonl") || contains("ndjson") }
}
