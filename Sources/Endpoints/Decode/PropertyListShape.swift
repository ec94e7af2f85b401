import Foundation

/// How deep the lists of a property list are, known before it is decoded.
///
/// `PropertyListDecoder` reads lists in lists by recursion. A text with a thousand lists in each
/// other, or 100 bytes of a binary list that contains itself, would end the process.
struct PropertyListShape {
    /// The most lists and dictionaries in each other.
    static let deepest = 200

    private let bytes: [UInt8]

    /// Whether a property list can be decoded safely. What isn't valid is left to the decoder.
    static func isSafe(_ data: Data) -> Bool {
        let shape = PropertyListShape(bytes: Array(data))
        return shape.starts(with: "bplist", at: 0) ? shape.isSafeBinary : shape.isSafeText
    }
}

// MARK: - XML

extension PropertyListShape {
    /// Whether no more tags of lists are open at one time than there may be. Comments, sections of
    /// characters, instructions and the document's type have no tags.
    private var isSafeText: Bool {
        // Without the zeros of UTF-16 and UTF-32.
        if bytes.contains(0) {
            return PropertyListShape(bytes: bytes.filter { $0 != 0 }).isSafeText
        }
        var (place, depth) = (self.place(of: "<", from: 0), 0)
        while place < bytes.count {
            if starts(with: "<!--", at: place) {
                place = self.place(of: "-->", from: place + 4)
            } else if starts(with: "<![CDATA[", at: place) {
                place = self.place(of: "]]>", from: place + 9)
            } else if starts(with: "<?", at: place) {
                place = self.place(of: "?>", from: place + 2)
            } else if starts(with: "<array", at: place) || starts(with: "<dict", at: place) {
                place = self.place(of: ">", from: place)
                if bytes[place - 1] != UInt8(ascii: "/") { depth += 1 }
            } else if starts(with: "</array", at: place) || starts(with: "</dict", at: place) {
                depth = max(0, depth - 1)
            }
            guard depth <= Self.deepest else { return false }
            place = self.place(of: "<", from: place + 1)
        }
        return true
    }

    /// Where a text begins, from a place on; else the end.
    @inline(never)
    private func place(of text: String, from start: Int) -> Int {
        var place = start
        while place < bytes.count, !starts(with: text, at: place) { place += 1 }
        return min(place, bytes.count)
    }

    @inline(never)
    private func starts(with text: String, at place: Int) -> Bool {
        guard bytes.count - place >= text.utf8.count else { return false }
        var place = place
        for byte in text.utf8 {
            guard bytes[place] == byte else { return false }
            place += 1
        }
        return true
    }
}

// MARK: - Binary

extension PropertyListShape {
    /// Whether no list contains itself, is too deep, or is in so many lists that their values are
    /// far more than the file's bytes.
    private var isSafeBinary: Bool {
        let trailer = bytes.count - 32
        guard let count = number(at: trailer + 8, 8), let top = number(at: trailer + 16, 8),
            count <= bytes.count, top < count
        else { return true }
        /// How many references to each object haven't been followed, how many lists are around it,
        /// and how often the decoder reads it.
        var (references, depths, times) = (
            [Int](repeating: 0, count: count), [Int](repeating: 0, count: count),
            [Int](repeating: 0, count: count)
        )
        times[top] = 1
        var total = 0
        for object in 0..<count {
            for inner in objects(in: object, of: count) {
                references[inner] += 1
                total += 1
            }
            // In a file, no reference is of two lists.
            guard total <= bytes.count else { return false }
        }
        var ready = references.indices.filter { references[$0] == 0 }
        var (followed, reads) = (0, 0)
        while let object = ready.popLast() {
            followed += 1
            reads += times[object]
            guard depths[object] < Self.deepest + 1, reads <= 16 * bytes.count + 1 << 16
            else { return false }
            for inner in objects(in: object, of: count) {
                depths[inner] = max(depths[inner], depths[object] + 1)
                times[inner] += times[object]
                references[inner] -= 1
                if references[inner] == 0 { ready.append(inner) }
            }
        }
        // The objects in a circle are never ready.
        return followed == count
    }

    /// The objects in a list or dictionary; none if the object is neither, or isn't valid.
    private func objects(in object: Int, of count: Int) -> [Int] {
        let trailer = bytes.count - 32
        guard let offsetSize = number(at: trailer + 6, 1),
            let referenceSize = number(at: trailer + 7, 1), let table = number(at: trailer + 24, 8),
            let place = number(at: table + object * offsetSize, offsetSize),
            let marker = number(at: place, 1), (0xA...0xD).contains(marker >> 4)
        else { return [] }
        var (start, length) = (place + 1, marker & 15)
        if length == 15 {
            // A number follows: 2 to the power of its low digit is how many bytes it has.
            guard let kind = number(at: start, 1), kind >> 4 == 1, kind & 15 <= 3,
                let long = number(at: start + 1, 1 << (kind & 15)), long <= bytes.count
            else { return [] }
            (start, length) = (start + 1 + 1 << (kind & 15), long)
        }
        if marker >> 4 == 0xD { length *= 2 }
        var objects: [Int] = []
        for index in 0..<length {
            let object = number(at: start + index * referenceSize, referenceSize)
            if let object, object < count { objects.append(object) }
        }
        return objects
    }

    /// The number in some bytes; `nil` if they aren't there, or it is one that no place has.
    @inline(never)
    private func number(at place: Int, _ size: Int) -> Int? {
        guard (1...8).contains(size), place >= 0, place <= bytes.count - size else { return nil }
        var value: UInt64 = 0
        for index in place..<place + size { value = value << 8 | UInt64(bytes[index]) }
        return value < 1 << 60 ? Int(value) : nil
    }
}
