import Foundation

/// A buffer of bytes that grows.
///
/// An array takes twice as long: at each append it checks whether it shares its memory, and a
/// request appends a dozen times. All unsafe code that writes URLs and forms is in this file,
/// except where callers of `withBytes(_:)` copy the bytes. The code in this file is safe under
/// these conditions:
/// - The memory has room for `capacity` bytes, of which the first `count` are written. An append
///   reserves room first, and writes only there.
/// - The buffer can't be copied, so the memory has one owner. Its address is passed on only for the
///   duration of a call.
/// - Borrowed memory outlives the buffer. The buffer deallocates its own memory.
/// - The subscript and `firstIndex(of:in:)` are called only with indices within the first `count`
///   bytes. A debug build checks those of the subscript.
/// - `append(_:of:)` is called only with an array and a range made for that array. The table that
///   `append(_:replacing:)` is called with has an entry for each of the 256 bytes, and the last
///   element of each entry is at most 3.
struct Bytes: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0
    /// Whether the buffer has allocated its memory. Otherwise the memory is borrowed.
    private(set) var isOwner: Bool

    init(capacity: Int = 64) {
        self.capacity = capacity
        memory = .allocate(capacity: capacity)
        isOwner = true
    }

    /// Makes an empty buffer in borrowed memory.
    fileprivate init(in memory: UnsafeMutableBufferPointer<UInt8>) {
        capacity = memory.count
        self.memory = memory.baseAddress ?? .allocate(capacity: capacity)
        isOwner = memory.baseAddress == nil
    }

    deinit {
        if isOwner { memory.deallocate() }
    }

    var last: UInt8? { count == 0 ? nil : memory[count - 1] }

    subscript(index: Int) -> UInt8 {
        get { UnsafeBufferPointer(start: memory, count: count)[index] }
        set { UnsafeMutableBufferPointer(start: memory, count: count)[index] = newValue }
    }

    func withBytes<Result>(_ use: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        use(UnsafeBufferPointer(start: memory, count: count))
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        append(upTo: 1) { memory in
            memory.pointee = byte
            return 1
        }
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        append(upTo: bytes.count) { memory in
            memory.update(from: start, count: bytes.count)
            return bytes.count
        }
    }

    /// Appends the bytes that a function writes.
    ///
    /// - Parameters:
    ///   - maximum: The most bytes that the function may write.
    ///   - write: The function; it returns how many bytes it wrote.
    @inline(__always)
    mutating func append(upTo maximum: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        if capacity - count < maximum { grow(by: maximum) }
        count += write(memory + count)
    }

    mutating func remove(from index: Int) {
        count = max(0, min(index, count))
    }

    @inline(never)
    private mutating func grow(by addition: Int) {
        capacity = 2 * capacity + addition
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: memory, count: count)
        if isOwner { memory.deallocate() }
        memory = larger
        isOwner = true
    }
}

extension Bytes {
    @inline(__always)
    mutating func append(_ range: Range<Int>, of bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            let start = range.lowerBound
            if range.count <= 16 && start + 16 <= bytes.count && capacity - count >= 16 {
                // Copying 16 bytes at once is several times faster than `memmove` of fewer.
                let all = bytes.loadUnaligned(fromByteOffset: start, as: SIMD16<UInt8>.self)
                UnsafeMutableRawPointer(memory + count).storeBytes(of: all, as: type(of: all))
                count += range.count
            } else {
                let bytes = UnsafeRawBufferPointer(rebasing: bytes[range])
                append(bytes.assumingMemoryBound(to: UInt8.self))
            }
        }
    }

    /// Appends the UTF-8 of a text as it is.
    @inline(__always)
    mutating func append(_ text: consuming String) {
        text.withBytes { append($0) }
    }

    /// Appends a text with each byte replaced by its entry in a table. An entry has up to three
    /// bytes; its last element is their number.
    @inline(__always)
    mutating func append(_ text: consuming String, replacing replacements: [SIMD4<UInt8>]) {
        text.withBytes { utf8 in
            // Each entry is stored whole. The next entry overwrites the bytes that don't count.
            append(upTo: 3 * utf8.count + 1) { memory in
                var end = UnsafeMutableRawPointer(memory)
                replacements.withUnsafeBufferPointer { replacements in
                    for byte in utf8 {
                        let replacement = replacements[Int(byte)]
                        end.storeBytes(of: replacement, as: SIMD4<UInt8>.self)
                        end += Int(replacement.w)
                    }
                }
                return end - UnsafeMutableRawPointer(memory)
            }
        }
    }

    func hasPrefix(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        return count >= length && memcmp(memory, text.utf8Start, length) == 0
    }

    /// The index of the first byte from `start` that `isWanted` accepts; ``count`` if there is
    /// none.
    @inline(__always)
    func firstIndex(from start: Int, where isWanted: (Int, UInt8) -> Bool) -> Int {
        var index = start
        while index < count && !isWanted(index, memory[index]) { index += 1 }
        return index
    }

    /// The first index of a byte in a range; the end of the range if the byte isn't there.
    @inline(__always)
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int {
        guard let found = memchr(memory + range.lowerBound, Int32(byte), range.count) else {
            return range.upperBound
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(memory)
    }

    var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }
    var array: [UInt8] { withBytes { Array($0) } }
}

extension Bytes {
    /// Calls a function with an empty buffer that lasts until the function returns. A buffer of up
    /// to a kilobyte is on the stack, which needs no allocation.
    static func writeTemporarily<Result, Failure: Error>(
        capacity: Int, _ write: (inout Bytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) {
            memory throws(Failure) in
            var bytes = Bytes(in: memory)
            return try write(&bytes)
        }
    }
}

extension String {
    /// Makes a text whose UTF-8 a function writes. The bytes are written directly into the text's
    /// memory, unless an append reserves more room than is left of the capacity.
    init<Failure: Error>(
        capacity: Int, _ write: (inout Bytes) throws(Failure) -> Void
    ) throws(Failure) {
        var (larger, failure): (String?, Failure?)
        let text = String(unsafeUninitializedCapacity: capacity) { memory in
            var bytes = Bytes(in: memory)
            do throws(Failure) { try write(&bytes) } catch { failure = error }
            if bytes.isOwner { larger = bytes.text }
            return bytes.isOwner || failure != nil ? 0 : bytes.count
        }
        if let failure { throw failure }
        self = larger ?? text
    }

    /// Calls a function with the text's UTF-8. A text that isn't used after the call is consumed by
    /// it, and needs no reference counting.
    @inline(__always)
    consuming func withBytes<Result>(_ use: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withUTF8(use)
    }
}

/// How a text is escaped in a path, a query or a form.
///
/// Some bytes of its UTF-8 stay as they are, and the others become `%XX`. A space in a form is `+`.
struct Escaping: Sendable {
    /// The replacement of each byte: up to three bytes, and their number as the last element.
    fileprivate let replacements: [SIMD4<UInt8>]

    /// - Parameter raw: The characters that are left as they are.
    private init(raw: String, hasPlusForSpace: Bool = false) {
        let raw = ASCIISet(raw)
        replacements = (0...UInt8.max).map { byte in
            if raw.contains(byte) { return [byte, 0, 0, 1] }
            if hasPlusForSpace && byte == UInt8(ascii: " ") { return [UInt8(ascii: "+"), 0, 0, 1] }
            let digits = byte.hexadecimal
            return [.percent, digits.0, digits.1, 3]
        }
    }

    /// For a value in the path. Characters that are allowed in a segment stay as they are (RFC
    /// 3986, section 3.3), except `;`, at which some servers end the segment.
    static let path = Escaping(raw: "\(unreserved):@!$&'()*+,=")
    /// For an element of a comma-separated list in the path: as ``path``, but a comma is escaped.
    static let pathListElement = Escaping(raw: "\(unreserved):@!$&'()*+=")
    /// For a name or a value in the query. RFC 3986, section 3.4, also allows `?` and
    /// `!$&'()*+,;=`. These are escaped, because servers read some of them, such as `&` and `+`, as
    /// in a form.
    static let query = Escaping(raw: "\(unreserved):/@")
    /// For a name or a value in a form. Only ASCII letters, digits and `*-._` stay, as in the
    /// WHATWG URL standard (application/x-www-form-urlencoded).
    static let form = Escaping(raw: "\(alphanumerics)*-._", hasPlusForSpace: true)
    /// For the literal text of a path. All characters that are allowed in a path stay as they are
    /// (RFC 3986, section 3.3).
    static let pathLiteral = Escaping(raw: "\(unreserved):@!$&'()*+,;=/")
}

/// The characters that need no escape anywhere in a URL (RFC 3986, section 2.3).
private let unreserved = "\(alphanumerics)-._~"

extension Bytes {
    @inline(never)
    mutating func append(_ text: consuming String, _ escaping: Escaping) {
        appendFast(text, escaping)
    }

    /// Appends a text in the same way, inlined: for what most requests do.
    @inline(__always)
    mutating func appendFast(_ text: consuming String, _ escaping: Escaping) {
        append(text, replacing: escaping.replacements)
    }

    /// Appends a text that may be escaped already. Escapes such as `%20` are kept; any other `%` is
    /// escaped.
    mutating func append(literal text: String, _ escaping: Escaping) {
        let utf8 = Array(text.utf8)
        for index in utf8.indices {
            let beginsEscape =
                utf8[index] == .percent && index + 2 < utf8.count
                && utf8[index + 1].isHexadecimalDigit && utf8[index + 2].isHexadecimalDigit
            let replacement = escaping.replacements[Int(utf8[index])]
            // Unescaped, the byte is the replacement of a `%` without its digits.
            for place in 0..<(beginsEscape ? 1 : Int(replacement.w)) {
                append(replacement[place])
            }
        }
    }
}

extension String {
    /// The text as a name or a value in a form (see ``Escaping/form``).
    package var escapedInForm: String { escaped(.form) }
    /// The text as a value in a path (see ``Escaping/path``).
    package var escapedInPath: String { escaped(.path) }

    private func escaped(_ escaping: Escaping) -> String {
        var bytes = Bytes()
        bytes.append(self, escaping)
        return bytes.text
    }
}
