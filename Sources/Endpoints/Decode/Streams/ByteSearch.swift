import Foundation

/// Searches a growing array for a byte, and reads each byte only once.
///
/// `memchr` is several times as fast as a loop. This file is all of the unsafe code that reading a
/// stream takes, and these are its conditions:
/// - The address is the array's own and is used within one call, during which the array can't
///   change.
/// - `searched` is from 0 to the array's count, so that the bytes to look at are the array's.
struct ByteSearch {
    let byte: UInt8
    /// There is no such byte from the place that was asked for up to here.
    private var searched = 0
    private var isFound = false

    init(for byte: UInt8) {
        self.byte = byte
    }

    /// The first index of the byte from an index on; the array's count if there is none.
    mutating func firstIndex(from start: Int, in bytes: [UInt8]) -> Int {
        if isFound && searched >= start { return searched }
        searched = min(max(searched, start), bytes.count)
        let rest = bytes.count - searched
        let distance = bytes.withUnsafeBytes { memory -> Int? in
            guard rest > 0, let address = memory.baseAddress,
                let found = memchr(address + searched, Int32(byte), rest)
            else { return nil }
            return UnsafeRawPointer(found) - address
        }
        isFound = distance != nil
        searched = distance ?? bytes.count
        return searched
    }

    /// Follows the array when bytes are removed from its start.
    mutating func shift(by count: Int) {
        isFound = isFound && searched >= count
        searched = max(searched - count, 0)
    }
}
