import Foundation

/// What the formats share that ``Masking`` reads. An index is the count where nothing is found.
extension [UInt8] {
    package var string: String {
        @inline(never) get { String(decoding: self, as: UTF8.self) }
    }

    @inline(never)
    package func part(_ start: Int, _ end: Int) -> [UInt8] { Array(self[start..<end]) }

    func part(_ start: Int) -> [UInt8] { part(start, count) }

    func part(_ range: Range<Int>) -> [UInt8] { part(range.lowerBound, range.upperBound) }

    /// Whether a text stands at an index, which may be after the end.
    @inline(never)
    func has(_ text: String, at index: Int) -> Bool {
        var index = index
        for byte in text.utf8 {
            guard index < count, self[index] == byte else { return false }
            index += 1
        }
        return true
    }

    /// The first index of a text.
    @inline(never)
    func index(of text: String, from start: Int) -> Int {
        var index = start
        while index < count, !has(text, at: index) { index += 1 }
        return index
    }

    /// The first index of one of these bytes.
    func index(before bytes: StaticString, from start: Int) -> Int {
        index(from: start, after: { !$0.isIn(bytes) })
    }

    /// The first index of a byte that isn't one of these.
    func index(after bytes: StaticString, from start: Int) -> Int {
        index(from: start, after: { $0.isIn(bytes) })
    }

    func endOfBlanks(from start: Int) -> Int { index(from: start, after: \.isBlank) }

    /// The end of a name, which may have these bytes too.
    func endOfName(from start: Int, or others: StaticString = "") -> Int {
        index(from: start, after: { $0.isNameByte || $0.isIn(others) })
    }

    /// The first index of a byte for which this isn't true.
    @inline(never)
    private func index(from start: Int, after isSkipped: (UInt8) -> Bool) -> Int {
        var index = start
        while index < count, isSkipped(self[index]) { index += 1 }
        return index
    }

    /// The beginning of a text, with `…` for each secret that begins in it.
    func replacing(_ secrets: [String], upTo limit: Int = .max) -> [UInt8] {
        var text: [UInt8] = []
        // Where the secrets end that were met. They may overlap.
        var end = 0
        for index in 0..<Swift.min(limit, count) {
            var length = 0
            for secret in secrets where has(secret, at: index) {
                length = Swift.max(length, secret.utf8.count)
            }
            if length > 0 {
                if index >= end { text += Masking.mask }
                end = Swift.max(end, index + length)
            }
            if index >= end { text.append(self[index]) }
        }
        return text
    }
}

extension UInt8 {
    static let colon = UInt8(ascii: ":")

    @inline(never)
    func isIn(_ bytes: StaticString) -> Bool {
        memchr(bytes.utf8Start, Int32(self), bytes.utf8CodeUnitCount) != nil
    }

    var isBlank: Bool { isIn(" \t\n\u{B}\u{C}\r") }

    fileprivate var isNameByte: Bool {
        isDigit || (0x61...0x7A).contains(self | 0x20) || isIn("_-.%[]")
    }
}
