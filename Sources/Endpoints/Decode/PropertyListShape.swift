import Foundation

/// How deep the lists of a property list are, known before it is decoded.
///
/// `PropertyListDecoder` reads lists in lists by recursion. A text with a thousand lists in each
/// other, or 100 bytes of a binary list that contains itself, would end the process.
struct PropertyListShape {
    /// The most lists and dictionaries in each other.
    static let deepest = 100

    private let bytes: [UInt8]

    /// Whether a property list can be decoded safely. What isn't valid is left to the decoder.
    static func isSafe(_ data: Data) -> Bool {
        let shape = PropertyListShape(bytes: Array(data))
        if shape.bytes.has("bplist", at: 0) { return shape.isSafeBinary }
        // A mark of UTF-16 or UTF-32.
        guard let first = shape.bytes.first, first == 0 || first > 0xFD else {
            return shape.isSafeText
        }
        for encoding: String.Encoding in [
            .utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian,
        ] {
            let text = String(data: data, encoding: encoding) ?? ""
            guard PropertyListShape(bytes: Array(text.utf8)).isSafeText else { return false }
        }
        return true
    }
}

// MARK: - XML

extension PropertyListShape {
    /// Whether no more tags of lists are open at one time than there may be. Comments, sections of
    /// characters and instructions have no tags, and a tag ends at the first `>`, as the decoder
    /// reads them.
    private var isSafeText: Bool {
        var (place, depth) = (bytes.index(of: "<", from: 0), 0)
        while place < bytes.count {
            if bytes.has("<!--", at: place) {
                place = bytes.index(of: "-->", from: place + 4)
            } else if bytes.has("<![CDATA[", at: place) {
                place = bytes.index(of: "]]>", from: place + 9)
            } else if bytes.has("<?", at: place) {
                place = bytes.index(of: "?>", from: place + 1)
            } else {
                let isEnd = bytes.has("</", at: place)
                let name = place + (isEnd ? 2 : 1)
                let isList =
                    bytes.has("array", at: name) || bytes.has("dict", at: name)
                    || bytes.has("plist", at: name)
                place = bytes.index(of: ">", from: place)
                if isList, isEnd {
                    depth = max(0, depth - 1)
                } else if isList, bytes[place - 1] != UInt8(ascii: "/") {
                    depth += 1
                }
            }
            // One more, for the tag around all.
            guard depth <= Self.deepest + 1 else { return false }
            place = bytes.index(of: "<", from: place)
        }
        return true
    }
}

// MARK: - Binary

extension PropertyListShape {
    /// Whether no list contains itself, is too deep, or is in so many lists that their values are
    /// far more than the file's bytes, and each object is within the file.
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
        for index in 0..<count {
            guard let object = object(index, of: count) else { return false }
            for inner in object.inner {
                references[inner] += 1
                total += 1
            }
            // In a file, no reference is of two lists.
            guard total <= bytes.count else { return false }
        }
        var ready = references.indices.filter { references[$0] == 0 }
        let most = 16 * bytes.count + 1 << 16
        var (followed, reads) = (0, 0)
        while let index = ready.popLast(), let object = object(index, of: count) {
            followed += 1
            guard depths[index] < Self.deepest + 1, times[index] <= most else { return false }
            reads += times[index] * (1 + object.size / 16)
            guard reads <= most else { return false }
            for inner in object.inner {
                depths[inner] = max(depths[inner], depths[index] + 1)
                times[inner] += times[index]
                references[inner] -= 1
                if references[inner] == 0 { ready.append(inner) }
            }
        }
        // The objects in a circle are never ready.
        return followed == count
    }

    /// How many bytes an object has, and the objects in it if it is a list or dictionary; `nil` if
    /// it goes beyond the file, where the decoder doesn't always look.
    private func object(_ index: Int, of count: Int) -> (size: Int, inner: [Int])? {
        let trailer = bytes.count - 32
        guard let offsetSize = number(at: trailer + 6, 1),
            let referenceSize = number(at: trailer + 7, 1), let table = number(at: trailer + 24, 8),
            let place = number(at: table + index * offsetSize, offsetSize),
            let marker = number(at: place, 1)
        else { return (0, []) }
        // A text of UTF-16 has 2 bytes for each of its length.
        let kind = marker >> 4
        guard (4...6).contains(kind) || (0xA...0xD).contains(kind) else { return (0, []) }
        let size = kind > 6 ? referenceSize : kind == 6 ? 2 : 1
        var (start, length) = (place + 1, marker & 15)
        if length == 15 {
            // A number follows: 2 to the power of its low digit is how many bytes it has.
            guard let sign = number(at: start, 1), sign >> 4 == 1,
                let long = number(at: start + 1, 1 << (sign & 15))
            else { return (0, []) }
            (start, length) = (start + 1 + 1 << (sign & 15), long)
        }
        if kind == 0xD, length <= bytes.count { length *= 2 }
        guard length <= bytes.count, start + length * size <= bytes.count else { return nil }
        guard kind > 6 else { return (length * size, []) }
        var inner: [Int] = []
        for index in 0..<length {
            let object = number(at: start + index * referenceSize, referenceSize)
            if let object, object < count { inner.append(object) }
        }
        return (length * size, inner)
    }

    /// The number in some bytes, of which the last eight count; `nil` if they aren't there. None
    /// is larger than a place could be.
    @inline(never)
    private func number(at place: Int, _ size: Int) -> Int? {
        guard size > 0, place >= 0, place <= bytes.count - size else { return nil }
        var value: UInt64 = 0
        for index in place..<place + size { value = value << 8 | UInt64(bytes[index]) }
        return Int(min(value, 1 << 50))
    }
}
