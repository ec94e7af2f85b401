import Endpoints
import Foundation

/// Searches a growing array for one byte, and looks at each element only once.
///
/// `memchr` is several times as fast as a loop. The use of its pointers is safe for two reasons:
/// - The pointer to the array's bytes is used within one call, during which the array can't change.
/// - `searched` is from 0 to the array's count, so only bytes of the array are read.
struct ByteSearch {
    let byte: UInt8
    /// Where the last search ended: at the byte, or at the end of the array.
    private var searched = 0
    private var isFound = false

    init(for byte: UInt8) {
        self.byte = byte
    }

    /// The first index of the byte from `start` on, or the array's count if the byte isn't found.
    ///
    /// `start` must not be less than in the previous call. After `shift(by: n)`, it may be less by
    /// `n`.
    mutating func firstIndex(from start: Int, in bytes: [UInt8]) -> Int {
        if searched >= start && (isFound || searched == bytes.count) { return searched }
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

    /// Adjusts the search after bytes were removed from the start of the array.
    mutating func shift(by count: Int) {
        isFound = isFound && searched >= count
        searched = max(searched - count, 0)
    }
}
