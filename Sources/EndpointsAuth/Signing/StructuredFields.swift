import Endpoints
import EndpointsShared
import EndpointsStructuredFields
import Foundation

// Structured fields (RFC 9651) whose whole content a signature needs. Whoever needs only a few of
// their values reads these with a `StructuredReader`, which adds less code to a program.

extension StructuredValue {
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
        guard let item = reader.item(), reader.reachesEnd() else { return nil }
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
        var (reader, members) = (StructuredReader(text), Self())
        while reader.nextMember(), let member = reader.member() { members.append(member) }
        guard reader.reachesEnd() else { return nil }
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
        var (reader, members) = (StructuredReader(text), Self())
        while let key = reader.nextKey(), let member = reader.member() { members[key] = member }
        guard reader.reachesEnd() else { return nil }
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

/// Why a value can't be written as a structured field.
enum StructuredError: Error {
    case unwritable
}

// MARK: - Reading

extension StructuredReader {
    fileprivate mutating func item() -> StructuredItem? {
        value().map { StructuredItem($0, parameters()) }
    }

    fileprivate mutating func member() -> StructuredMember? {
        guard beginsInnerList() else { return item().map(StructuredMember.item) }
        var items: [StructuredItem] = []
        while nextInnerItem(), let item = item() { items.append(item) }
        return .innerList(items, parameters())
    }

    private mutating func parameters() -> StructuredMap<StructuredValue> {
        var parameters = StructuredMap<StructuredValue>()
        while let (name, value) = nextParameter() { parameters[name] = value }
        return parameters
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
