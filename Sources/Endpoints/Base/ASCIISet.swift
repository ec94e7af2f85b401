/// A set of ASCII bytes: one bit for each byte.
package struct ASCIISet: Sendable {
    private let low: UInt64
    private let high: UInt64

    package init(_ members: String) {
        var (low, high) = (UInt64(0), UInt64(0))
        for byte in members.utf8 where byte < 64 { low |= 1 << UInt64(byte) }
        for byte in members.utf8 where byte >= 64 { high |= 1 << UInt64(byte & 63) }
        (self.low, self.high) = (low, high)
    }

    @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        byte < 128 && ((byte < 64 ? low : high) &>> UInt64(byte)) & 1 == 1
    }
}
