import Foundation

/// How deep the lists of a property list are, known before it is decoded.
///
/// `PropertyListDecoder` reads lists in lists by recursion. A text with a thousand lists in each
/// other, or 100 bytes of a binary list that contains itself, would end the process.
struct PropertyListShape {
    /// The most lists and dictionaries in each other.
    static let deepest = 200

    private let bytes: Data

    /// Whether a property list can be decoded safely. What isn't valid is left to the decoder.
    static func isSafe(_ data: Data) -> Bool {
        let shape = PropertyListShape(bytes: data)
        return data.starts(with: "bplist".utf8) ? shape.isSafeBinary : shape.isSafeText
    }
}

// MARK: - XML

extension PropertyListShape {
    /// Whether no more tags of lists are open at one time than there may be. Comments, sections of
    /// characters, instructions and the document's type have no tags.
    private var isSafeText: Bool {
        // The zeros of UTF-16 and UTF-32.
        let text = bytes.contains(0) ? bytes.filter { $0 != 0 } : bytes
        var (rest, depth) = (text[...], 0)
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...]
            if let (_, end) = Self.sections.first(where: { rest.starts(with: $0.start.utf8) }) {
                guard let range = rest.range(of: Data(end.utf8)) else { return true }
                rest = rest[range.upperBound...]
                continue
            }
            rest = rest.dropFirst()
            if Self.listTags.contains(where: { rest.starts(with: $0.utf8) }) {
                let end = rest.firstIndex(of: UInt8(ascii: ">")) ?? rest.endIndex
                if rest[..<end].last != UInt8(ascii: "/") { depth += 1 }
            } else if Self.listTags.contains(where: { rest.starts(with: "/\($0)".utf8) }) {
                depth = max(0, depth - 1)
            }
            guard depth <= Self.deepest else { return false }
        }
        return true
    }

    private static let listTags = ["array", "dict"]
    private static let sections: [(start: String, end: String)] = [
        ("<!--", end: "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">"),
    ]
}

// MARK: - Binary

extension PropertyListShape {
    /// A list or dictionary: where its references to other objects begin, and how many there are.
    private struct List {
        let place: Int
        let count: Int
        /// How many of the references have been followed.
        var followed = 0
        /// How many values it has, with those of the lists that have been followed.
        var size: Int
    }

    /// Whether no list contains itself, and none is in too many others.
    private var isSafeBinary: Bool {
        guard bytes.count >= 40 else { return true }
        let trailer = bytes.count - 32
        guard let offsetSize = number(at: trailer + 6, 1),
            let referenceSize = number(at: trailer + 7, 1),
            let top = number(at: trailer + 16, 8), let table = number(at: trailer + 24, 8)
        else { return true }
        func list(_ object: Int) -> List? {
            let (place, isFar) = object.multipliedReportingOverflow(by: offsetSize)
            guard !isFar, place <= bytes.count, let offset = number(at: table + place, offsetSize)
            else { return nil }
            return self.list(at: offset)
        }
        /// The sizes of the lists that have been followed to their ends.
        var sizes: [Int: Int] = [:]
        // The lists from the outermost one to that which is followed.
        var path = list(top).map { [(object: top, list: $0)] } ?? []
        var (open, followed): (Set<Int>, Int) = ([top], 0)
        while let last = path.indices.last {
            let current = path[last].list
            guard current.size <= 16 * bytes.count + 1 << 16, path.count <= Self.deepest
            else { return false }
            guard current.followed < current.count else {
                let (object, list) = path.removeLast()
                open.remove(object)
                sizes[object] = list.size
                if last > 0 { path[last - 1].list.size += list.size }
                continue
            }
            // In a file, no reference is of two lists.
            followed += 1
            guard followed <= bytes.count else { return false }
            path[last].list.followed += 1
            let place = current.place + current.followed * referenceSize
            guard let object = number(at: place, referenceSize), let inner = list(object)
            else { continue }
            guard !open.contains(object) else { return false }
            if let size = sizes[object] {
                path[last].list.size += size
            } else {
                open.insert(object)
                path.append((object, inner))
            }
        }
        return true
    }

    /// The list that begins at a place; `nil` if another object does.
    private func list(at place: Int) -> List? {
        guard let marker = number(at: place, 1) else { return nil }
        let kind = marker >> 4
        guard (0xA...0xD).contains(kind) else { return nil }
        var (start, count) = (place + 1, marker & 15)
        if count == 15 {
            // A number follows: 2 to the power of its low digit is how many bytes it has.
            guard let length = number(at: start, 1), length >> 4 == 1, length & 15 <= 3,
                let long = number(at: start + 1, 1 << (length & 15))
            else { return nil }
            (start, count) = (start + 1 + 1 << (length & 15), long)
        }
        guard count <= bytes.count else { return nil }
        if kind == 0xD { count *= 2 }
        return List(place: start, count: count, size: 1 + count)
    }

    /// The number in some bytes; `nil` if they aren't there, or it is one that no place has.
    private func number(at place: Int, _ size: Int) -> Int? {
        guard (1...8).contains(size), place >= 0, place <= bytes.count - size else { return nil }
        let start = bytes.startIndex + place
        let value = bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return value < UInt64(Int.max / 4) ? Int(value) : nil
    }
}
