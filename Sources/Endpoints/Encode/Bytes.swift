import Foundation

/// Bytes in the making, in memory that grows.
///
/// An array would do the same at twice the cost: it asks at each append whether it shares its
/// memory, and a request appends a dozen times. All writing into memory is in this file, and
/// these are its conditions:
/// - The memory has room for `capacity` bytes, of which the first `count` are written. Whatever
///   appends asks for room first, and writes no further than that.
/// - It has one owner, as this can't be copied, and nobody else is given its address for longer
///   than a call.
/// - Memory that is lent to it outlives it; memory of its own is given back.
/// - A range of an array to append is one of that array, kept since the array was made; a table of
///   replacements has one for each of 256 bytes.
struct Bytes: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0
    /// Whether the memory is its own.
    private(set) var isOwner: Bool

    init(capacity: Int = 64) {
        self.capacity = capacity
        memory = .allocate(capacity: capacity)
        isOwner = true
    }

    /// No bytes yet, in memory that is lent.
    fileprivate init(in memory: UnsafeMutableBufferPointer<UInt8>) {
        capacity = memory.count
        self.memory = memory.baseAddress ?? .allocate(capacity: capacity)
        isOwner = memory.baseAddress == nil
    }

    deinit {
        if isOwner { memory.deallocate() }
    }

    /// The last byte, if there is one.
    var last: UInt8? { count == 0 ? nil : memory[count - 1] }

    /// The byte at an index below ``count``.
    subscript(index: Int) -> UInt8 {
        get { UnsafeBufferPointer(start: memory, count: count)[index] }
        set { UnsafeMutableBufferPointer(start: memory, count: count)[index] = newValue }
    }

    /// Uses the bytes.
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

    /// Appends what a function writes.
    ///
    /// - Parameters:
    ///   - maximum: How many bytes the function has room for.
    ///   - write: The function; it returns how many bytes it has written.
    @inline(__always)
    mutating func append(upTo maximum: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        if capacity - count < maximum { grow(by: maximum) }
        count += write(memory + count)
    }

    /// Removes the bytes from an index on.
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
    /// Appends bytes of an array.
    @inline(__always)
    mutating func append(_ range: Range<Int>, of bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            append(UnsafeBufferPointer(start: start + range.lowerBound, count: range.count))
        }
    }

    /// Appends the UTF-8 of a text as it is.
    @inline(__always)
    mutating func append(_ text: String) {
        text.withBytes { append($0) }
    }

    /// Appends a text with each byte replaced: by the first bytes of what the table has for it, of
    /// which the last says how many there are, three at most.
    @inline(__always)
    mutating func append(_ text: String, replacing replacements: [SIMD4<UInt8>]) {
        text.withBytes { utf8 in
            // A replacement is stored whole, and the next one over what of it isn't wanted.
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

    /// Whether these begin with a text, which is ASCII.
    func hasPrefix(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        return count >= length && memcmp(memory, text.utf8Start, length) == 0
    }

    /// Where the first byte is, from `start` on, that is as asked; the end if there is none.
    @inline(__always)
    func firstIndex(from start: Int, where isWanted: (Int, UInt8) -> Bool) -> Int {
        var index = start
        while index < count && !isWanted(index, memory[index]) { index += 1 }
        return index
    }

    /// Where a byte is first in a range; the end of the range if it isn't there.
    @inline(__always)
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int {
        guard let found = memchr(memory + range.lowerBound, Int32(byte), range.count) else {
            return range.upperBound
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(memory)
    }

    /// The bytes as a text; they are UTF-8.
    var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }
    /// The bytes as an array.
    var array: [UInt8] { withBytes { Array($0) } }
}

extension Bytes {
    /// Uses bytes that a function writes into memory that lasts for one call; up to a kilobyte of
    /// that is the stack's, and costs nothing.
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
    /// A text whose UTF-8 a function writes, into the text's own memory as long as its capacity
    /// suffices.
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

    /// Uses the text's UTF-8.
    @inline(__always)
    func withBytes<Result>(_ use: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        // Only a string that comes from Objective-C has to be copied.
        utf8.withContiguousStorageIfAvailable(use)
            ?? ContiguousArray(utf8).withUnsafeBufferPointer(use)
    }
}
