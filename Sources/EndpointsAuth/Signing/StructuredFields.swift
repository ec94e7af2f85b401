import Endpoints
import EndpointsShared
import Foundation

// The structured fields of RFC 9651: each text is read in one pass, without recursion. They are
// here and not in EndpointsShared, whose code adds 54 KB to each program that has it.

/// A bare item (RFC 9651, section 3.3).
enum StructuredValue: Equatable, Sendable {
    case integer(Int64)
    /// A decimal, in thousandths: 1500 is `1.5`.
    case decimal(thousandths: Int64)
    case string(String)
    case token(String)
    case bytes([UInt8])
    case boolean(Bool)
    /// Seconds since 1970.
    case date(Int64)
    case displayString(String)

    /// A decimal, rounded to three digits after the point, a half to the even digit; `nil` for a
    /// number of more than 12 digits before the point.
    static func decimal(_ number: Double) -> StructuredValue? {
        let thousandths = (number * 1000).rounded(.toNearestOrEven)
        guard abs(thousandths) < 1e15 else { return nil }
        return .decimal(thousandths: Int64(thousandths))
    }
}

/// Values by their keys, in order. A key that is set again keeps its place.
struct StructuredMap<Value: Equatable & Sendable>: Equatable, Sendable {
    private(set) var entries: [(key: String, value: Value)] = []
    /// The place of each key, once there are enough for a search to take long.
    private var places: [String: Int] = [:]

    init() {}

    init(_ entries: [(String, Value)]) {
        for (key, value) in entries { self[key] = value }
    }

    var isEmpty: Bool { entries.isEmpty }

    subscript(key: String) -> Value? {
        get { place(of: key).map { entries[$0].value } }
        set {
            guard let newValue else {
                guard let place = place(of: key) else { return }
                entries.remove(at: place)
                places = [:]
                indexIfLong()
                return
            }
            if let place = place(of: key) {
                entries[place].value = newValue
            } else {
                entries.append((key, newValue))
                if places.isEmpty { indexIfLong() } else { places[key] = entries.count - 1 }
            }
        }
    }

    private func place(of key: String) -> Int? {
        places.isEmpty ? entries.firstIndex { $0.key == key } : places[key]
    }

    private mutating func indexIfLong() {
        guard entries.count > 8 else { return }
        for (place, entry) in entries.enumerated() { places[entry.key] = place }
    }

    static func == (first: Self, second: Self) -> Bool {
        first.entries.elementsEqual(second.entries) { $0 == $1 }
    }
}

/// An item: a value with parameters (RFC 9651, section 3.3).
struct StructuredItem: Equatable, Sendable {
    var value: StructuredValue
    var parameters: StructuredMap<StructuredValue>

    init(_ value: StructuredValue, _ parameters: StructuredMap<StructuredValue> = .init()) {
        self.value = value
        self.parameters = parameters
    }
}

/// A member of a list or a dictionary: an item, or a list of items with parameters (RFC 9651,
/// section 3.1.1).
enum StructuredMember: Equatable, Sendable {
    case item(StructuredItem)
    case innerList([StructuredItem], StructuredMap<StructuredValue>)
}

extension StructuredItem {
    /// Reads the value of a field that is an item (RFC 9651, section 4.2); `nil` if it isn't one.
    init?(parsing text: String) {
        var reader = StructuredReader(text)
        guard let item = reader.whole({ reader throws(StructuredError) in try reader.item() })
        else { return nil }
        self = item
    }

    /// The item as a field has it (RFC 9651, section 4.1.3).
    /// - Throws: A ``StructuredError`` for a value that no field can have.
    func serialized() throws(StructuredError) -> String {
        var writer = StructuredWriter()
        try writer.write(self)
        return writer.text
    }
}

extension [StructuredMember] {
    /// Reads the value of a field that is a list; `nil` if it isn't one. A field without a value
    /// is a list without members.
    init?(parsing text: String) {
        var reader = StructuredReader(text)
        guard let members = reader.whole({ reader throws(StructuredError) in try reader.list() })
        else { return nil }
        self = members
    }

    /// The list as a field has it (RFC 9651, section 4.1.1). It is empty for a list without
    /// members, which isn't sent.
    func serialized() throws(StructuredError) -> String {
        var writer = StructuredWriter()
        for (index, member) in enumerated() {
            if index > 0 { writer.append(", ") }
            try writer.write(member)
        }
        return writer.text
    }
}

extension StructuredMap<StructuredMember> {
    /// Reads the value of a field that is a dictionary; `nil` if it isn't one. A field without a
    /// value is a dictionary without members. Of a key that is there twice, the last value counts.
    init?(parsing text: String) {
        var reader = StructuredReader(text)
        guard
            let members = reader.whole({ reader throws(StructuredError) in try reader.dictionary() }
            )
        else { return nil }
        self = members
    }

    /// The dictionary as a field has it (RFC 9651, section 4.1.2). It is empty for a dictionary
    /// without members, which isn't sent.
    func serialized() throws(StructuredError) -> String {
        var writer = StructuredWriter()
        for (index, entry) in entries.enumerated() {
            if index > 0 { writer.append(", ") }
            try writer.write(key: entry.key)
            // `true` is written as the key alone.
            if case .item(let item) = entry.value, item.value == .boolean(true) {
                try writer.write(item.parameters)
            } else {
                writer.append("=")
                try writer.write(entry.value)
            }
        }
        return writer.text
    }
}

extension StructuredMember {
    /// The member as a list has it.
    func serialized() throws(StructuredError) -> String {
        var writer = StructuredWriter()
        try writer.write(self)
        return writer.text
    }
}

/// Why a text isn't a structured field, or a value can't be written as one.
enum StructuredError: Error {
    case malformed
    case unwritable
}

// MARK: - Reading

/// Reads a field's value from its first byte to its last (RFC 9651, section 4.2).
private struct StructuredReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpaces() {
        while next == .space { index += 1 }
    }

    private mutating func skipBlanks() {
        while next == .space || next == .tab { index += 1 }
    }

    /// What a function reads, if nothing but spaces is around it.
    mutating func whole<Value>(
        _ read: (inout StructuredReader) throws(StructuredError) -> Value
    ) -> Value? {
        skipSpaces()
        guard let value = try? read(&self) else { return nil }
        skipSpaces()
        return next == nil ? value : nil
    }

    mutating func list() throws(StructuredError) -> [StructuredMember] {
        var members: [StructuredMember] = []
        while next != nil {
            members.append(try member())
            guard try goesOn() else { break }
        }
        return members
    }

    mutating func dictionary() throws(StructuredError) -> StructuredMap<StructuredMember> {
        var members = StructuredMap<StructuredMember>()
        while next != nil {
            let key = try key()
            members[key] =
                if skip(.equals) { try member() } else {
                    .item(StructuredItem(.boolean(true), try parameters()))
                }
            guard try goesOn() else { break }
        }
        return members
    }

    /// Whether another member follows, whose `,` is skipped.
    private mutating func goesOn() throws(StructuredError) -> Bool {
        skipBlanks()
        guard next != nil else { return false }
        guard skip(.comma) else { throw .malformed }
        skipBlanks()
        guard next != nil else { throw .malformed }
        return true
    }

    private mutating func member() throws(StructuredError) -> StructuredMember {
        guard skip(UInt8(ascii: "(")) else { return .item(try item()) }
        var items: [StructuredItem] = []
        while true {
            skipSpaces()
            if skip(.close) { return .innerList(items, try parameters()) }
            items.append(try item())
            guard next == .space || next == .close else { throw .malformed }
        }
    }

    mutating func item() throws(StructuredError) -> StructuredItem {
        StructuredItem(try value(), try parameters())
    }

    private mutating func parameters() throws(StructuredError) -> StructuredMap<StructuredValue> {
        var parameters = StructuredMap<StructuredValue>()
        while skip(.semicolon) {
            skipSpaces()
            let key = try key()
            parameters[key] = skip(.equals) ? try value() : .boolean(true)
        }
        return parameters
    }

    private mutating func key() throws(StructuredError) -> String {
        guard let first = next, first.beginsKey else { throw .malformed }
        return text { $0.isInKey }
    }

    private mutating func text(of isMember: (UInt8) -> Bool) -> String {
        let start = index
        while let byte = next, isMember(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func value() throws(StructuredError) -> StructuredValue {
        guard let first = next else { throw .malformed }
        switch first {
        case .quote: return .string(try string())
        case UInt8(ascii: ":"): return .bytes(try byteSequence())
        case UInt8(ascii: "?"): return .boolean(try boolean())
        case UInt8(ascii: "@"):
            index += 1
            guard case .integer(let seconds) = try number() else { throw .malformed }
            return .date(seconds)
        case UInt8(ascii: "%"): return .displayString(try displayString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default:
            guard first.beginsToken else { throw .malformed }
            return .token(text { $0.isInStructuredToken })
        }
    }

    private mutating func number() throws(StructuredError) -> StructuredValue {
        let isNegative = skip(UInt8(ascii: "-"))
        let sign: Int64 = isNegative ? -1 : 1
        let (whole, count) = digits(atMost: 16)
        guard count > 0 else { throw .malformed }
        guard skip(UInt8(ascii: ".")) else {
            guard count <= 15 else { throw .malformed }
            return .integer(sign * whole)
        }
        let (fraction, places) = digits(atMost: 4)
        guard count <= 12, (1...3).contains(places) else { throw .malformed }
        let scale: Int64 = places == 1 ? 100 : places == 2 ? 10 : 1
        return .decimal(thousandths: sign * (whole * 1000 + fraction * scale))
    }

    private mutating func digits(atMost limit: Int) -> (value: Int64, count: Int) {
        var (value, count) = (Int64(0), 0)
        while count < limit, let byte = next, byte.isDigit {
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            count += 1
            index += 1
        }
        return (value, count)
    }

    private mutating func string() throws(StructuredError) -> String {
        var content: [UInt8] = []
        index += 1
        while let byte = next {
            index += 1
            switch byte {
            case .quote: return String(decoding: content, as: UTF8.self)
            case .backslash:
                guard let escaped = next, escaped == .quote || escaped == .backslash
                else { throw .malformed }
                index += 1
                content.append(escaped)
            case 0x20...0x7E: content.append(byte)
            default: throw .malformed
            }
        }
        throw .malformed
    }

    private mutating func displayString() throws(StructuredError) -> String {
        var content: [UInt8] = []
        index += 1
        guard skip(.quote) else { throw .malformed }
        while let byte = next {
            index += 1
            switch byte {
            case .quote:
                guard let text = String(utf8: content) else { throw .malformed }
                return text
            case UInt8(ascii: "%"):
                guard let high = hexadecimalDigit(), let low = hexadecimalDigit()
                else { throw .malformed }
                content.append(high << 4 | low)
            case 0x20...0x7E: content.append(byte)
            default: throw .malformed
            }
        }
        throw .malformed
    }

    /// The value of a digit, which must be a small letter if it is a letter.
    private mutating func hexadecimalDigit() -> UInt8? {
        guard let byte = next else { return nil }
        index += 1
        return switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private mutating func boolean() throws(StructuredError) -> Bool {
        index += 1
        if skip(UInt8(ascii: "1")) { return true }
        guard skip(UInt8(ascii: "0")) else { throw .malformed }
        return false
    }

    /// Base64 between colons. The padding may be missing, and unused bits may be set.
    private mutating func byteSequence() throws(StructuredError) -> [UInt8] {
        index += 1
        var (content, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        var digits = 0
        while let byte = next, let digit = byte.base64Digit {
            index += 1
            digits += 1
            (bits, count) = (bits << 6 | digit, count + 6)
            if count >= 8 {
                count -= 8
                content.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        var padding = 0
        while skip(.equals) { padding += 1 }
        // One digit alone has too few bits for a byte.
        guard digits % 4 != 1, padding == 0 || (digits + padding) % 4 == 0 && padding < 3,
            skip(UInt8(ascii: ":"))
        else { throw .malformed }
        return content
    }
}

// MARK: - Writing

/// Writes a field's value (RFC 9651, section 4.1).
private struct StructuredWriter {
    private(set) var text = ""

    mutating func append(_ text: String) {
        self.text += text
    }

    mutating func write(_ member: StructuredMember) throws(StructuredError) {
        switch member {
        case .item(let item): try write(item)
        case .innerList(let items, let parameters):
            text += "("
            for (index, item) in items.enumerated() {
                if index > 0 { text += " " }
                try write(item)
            }
            text += ")"
            try write(parameters)
        }
    }

    mutating func write(_ item: StructuredItem) throws(StructuredError) {
        try write(item.value)
        try write(item.parameters)
    }

    mutating func write(_ parameters: StructuredMap<StructuredValue>) throws(StructuredError) {
        for (key, value) in parameters.entries {
            text += ";"
            try write(key: key)
            guard value != .boolean(true) else { continue }
            text += "="
            try write(value)
        }
    }

    mutating func write(key: String) throws(StructuredError) {
        guard key.utf8.first?.beginsKey == true, key.utf8.allSatisfy(\.isInKey)
        else { throw .unwritable }
        text += key
    }

    private mutating func write(_ value: StructuredValue) throws(StructuredError) {
        switch value {
        case .integer(let number): try write(number)
        case .decimal(let thousandths): try write(thousandths: thousandths)
        case .string(let string): try write(string: string)
        case .token(let token):
            guard token.utf8.first?.beginsToken == true,
                token.utf8.allSatisfy(\.isInStructuredToken)
            else { throw .unwritable }
            text += token
        case .bytes(let bytes): text += ":\(Data(bytes).base64EncodedString()):"
        case .boolean(let isTrue): text += isTrue ? "?1" : "?0"
        case .date(let seconds):
            text += "@"
            try write(seconds)
        case .displayString(let string): write(displayString: string)
        }
    }

    private mutating func write(_ number: Int64) throws(StructuredError) {
        guard number.magnitude < 1_000_000_000_000_000 else { throw .unwritable }
        text += String(number)
    }

    private mutating func write(thousandths: Int64) throws(StructuredError) {
        let magnitude = thousandths.magnitude
        guard magnitude < 1_000_000_000_000_000 else { throw .unwritable }
        if thousandths < 0 { text += "-" }
        text += "\(magnitude / 1000)."
        var fraction = String(magnitude % 1000 + 1000).dropFirst()
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        text += fraction
    }

    private mutating func write(string: String) throws(StructuredError) {
        guard string.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw .unwritable }
        text += "\""
        for scalar in string.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        text += "\""
    }

    private mutating func write(displayString: String) {
        text += "%\""
        for byte in displayString.utf8 {
            if (0x20...0x7E).contains(byte), byte != .quote, byte != UInt8(ascii: "%") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }
        text += "\""
    }
}

// MARK: - Bytes

extension UInt8 {
    fileprivate static let close = UInt8(ascii: ")")

    private var isSmallLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    private var isLetter: Bool { (self | 0x20).isSmallLetter }

    fileprivate var beginsKey: Bool { isSmallLetter || self == UInt8(ascii: "*") }
    fileprivate var isInKey: Bool { isSmallLetter || isDigit || "_-.*".utf8.contains(self) }

    fileprivate var beginsToken: Bool { isLetter || self == UInt8(ascii: "*") }
    fileprivate var isInStructuredToken: Bool {
        isLetter || isDigit || "!#$%&'*+-.^_`|~:/".utf8.contains(self)
    }

    fileprivate var base64Digit: UInt32? {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(self - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(self - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
