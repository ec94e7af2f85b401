import Foundation

/// Reads JSON (RFC 8259) and keeps the order of the members.
///
/// `JSONSerialization` loses the order, which the written files follow. An error names the line
/// and the column.
package struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var depth = 0
    /// The line of each member, by the names that lead to it; `nil` if nobody asked for them.
    private var lines: [[String]: Int]?
    private var names: [String] = []

    /// Reads a whole text.
    ///
    /// - Throws: A ``JSONError`` that says where and what is wrong.
    package static func read(_ data: Data) throws -> JSON { try read(data, lines: nil).json }

    /// Reads a whole text, and tells the line of each member of an object.
    ///
    /// - Throws: A ``JSONError`` that says where and what is wrong.
    package static func readWithLines(
        _ data: Data
    ) throws -> (json: JSON, lines: [[String]: Int]) { try read(data, lines: [:]) }

    private static func read(
        _ data: Data, lines: [[String]: Int]?
    ) throws -> (json: JSON, lines: [[String]: Int]) {
        try [UInt8](data).withUnsafeBufferPointer { bytes throws(JSONError) in
            var reader = JSONReader(bytes: bytes)
            reader.lines = lines
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.place = 3 }
            let value = try reader.value()
            reader.skipSpace()
            guard reader.place == bytes.count else {
                throw reader.error("there is more after the end of the value")
            }
            return (value, reader.lines ?? [:])
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x0A, 0x0D, 0x09: place += 1
            default: return
            }
        }
    }

    private mutating func value() throws(JSONError) -> JSON {
        skipSpace()
        guard let first = next else { throw error("the text ends where a value is expected") }
        switch first {
        case UInt8(ascii: "{"): return try nested(object)
        case UInt8(ascii: "["): return try nested(array)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func nested(
        _ read: (inout JSONReader) throws(JSONError) -> JSON
    ) throws(JSONError) -> JSON {
        guard depth < 500 else {
            throw error("there are more than 500 levels of lists and objects")
        }
        depth += 1
        place += 1
        defer { depth -= 1 }
        return try read(&self)
    }

    private func object(_ reader: inout JSONReader) throws(JSONError) -> JSON {
        var members = JSON.Members()
        reader.skipSpace()
        if reader.take("}") { return .object(members) }
        while true {
            reader.skipSpace()
            guard reader.next == UInt8(ascii: "\"") else {
                throw reader.error("the name of a member is expected, in double quotes")
            }
            let name = try reader.string()
            reader.skipSpace()
            guard reader.take(":") else { throw reader.error("a `:` is expected") }
            if reader.lines != nil {
                reader.names.append(name)
                let line = reader.line
                reader.lines?[reader.names] = line
            }
            members.set(name, try reader.value())
            if reader.lines != nil { reader.names.removeLast() }
            reader.skipSpace()
            if reader.take("}") { return .object(members) }
            guard reader.take(",") else { throw reader.error("a `,` or a `}` is expected") }
        }
    }

    private func array(_ reader: inout JSONReader) throws(JSONError) -> JSON {
        var elements: [JSON] = []
        reader.skipSpace()
        if reader.take("]") { return .array(elements) }
        while true {
            elements.append(try reader.value())
            reader.skipSpace()
            if reader.take("]") { return .array(elements) }
            guard reader.take(",") else { throw reader.error("a `,` or a `]` is expected") }
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func word(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
        guard bytes[place...].starts(with: word.utf8) else {
            throw error("a value is expected, such as a text in double quotes")
        }
        place += word.utf8.count
        return value
    }

    private mutating func number() throws(JSONError) -> JSON {
        let start = place
        while let byte = next, "+-.0123456789Ee".utf8.contains(byte) { place += 1 }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        let digits = text.drop { $0 == "-" }
        guard Double(text) != nil, let first = digits.first, first.isNumber,
            !(first == "0" && digits.dropFirst().first?.isNumber == true)
        else {
            place = start
            throw error("a value is expected, such as a text in double quotes")
        }
        return .number(text)
    }

    private mutating func string() throws(JSONError) -> String {
        place += 1
        let start = place
        guard let base = bytes.baseAddress else { throw error("the text ends inside a string") }
        while let quote = memchr(base + place, 0x22, bytes.count - place) {
            let end = base.distance(to: quote.assumingMemoryBound(to: UInt8.self))
            guard memchr(base + start, 0x5C, end - start) == nil else {
                return try escaped(from: start)
            }
            place = end + 1
            return try checked(bytes[start..<end])
        }
        throw error("a string has no closing quote")
    }

    private func checked(_ text: Slice<UnsafeBufferPointer<UInt8>>) throws(JSONError) -> String {
        guard let text = String(utf8: text) else {
            throw error("a string isn't UTF-8")
        }
        return text
    }

    private mutating func escaped(from start: Int) throws(JSONError) -> String {
        place = start
        var units: [UInt8] = []
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(utf8: units) else {
                    throw error("a string isn't UTF-8")
                }
                return text
            case UInt8(ascii: "\\"): units += Array(String(try escape()).utf8)
            default: units.append(byte)
            }
        }
        throw error("a string has no closing quote")
    }

    private mutating func escape() throws(JSONError) -> Character {
        guard let byte = next else { throw error("a string has no closing quote") }
        place += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Character(Unicode.Scalar(byte))
        case UInt8(ascii: "u"): return try unicode()
        default: throw error("`\\` isn't followed by a character that can be escaped")
        }
    }

    private mutating func unicode() throws(JSONError) -> Character {
        let high = try hex()
        var code = high
        if 0xD800..<0xDC00 ~= high, take("\\"), take("u") {
            let low = try hex()
            code = 0xDC00..<0xE000 ~= low ? 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00) : high
        }
        return Character(Unicode.Scalar(code) ?? "\u{FFFD}")
    }

    private mutating func hex() throws(JSONError) -> UInt32 {
        guard place + 4 <= bytes.count,
            let code = UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
        else { throw error("`\\u` isn't followed by four hexadecimal digits") }
        place += 4
        return code
    }

    private var line: Int { bytes[..<min(place, bytes.count)].count { $0 == 0x0A } + 1 }

    private func error(_ reason: String) -> JSONError {
        let before = bytes[..<min(place, bytes.count)]
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return JSONError(line: line, column: place - start + 1, reason: reason)
    }
}

/// Where a text isn't JSON, and why.
package struct JSONError: Error, CustomStringConvertible {
    package let line: Int
    package let column: Int
    package let reason: String

    package var description: String { "line \(line), column \(column): \(reason)" }
}

extension String {
    /// The text of some bytes, with a byte order mark if they begin with one; `nil` if they aren't
    /// UTF-8. (`String(validating:as:)` needs macOS 15.)
    package init?(utf8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // What isn't UTF-8 has been replaced. Most bytes lie in one piece, and are compared faster.
        let isSame = utf8.withContiguousStorageIfAvailable { text in
            bytes.withContiguousStorageIfAvailable { text.elementsEqual($0) }
        }
        guard (isSame ?? nil) ?? utf8.elementsEqual(bytes) else { return nil }
    }
}
