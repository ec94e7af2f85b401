/// The SHA-256 digest of bytes (FIPS 180-4), for names that must not show what they stand for.
package struct Digest: Hashable, Sendable {
    /// The digest's 32 bytes as 64 hexadecimal digits.
    package let hex: String

    package init(_ text: String) {
        self.init(Array(text.utf8))
    }

    package init(_ bytes: [UInt8]) {
        hex = SHA256.hash(bytes).hex
    }
}

extension Sequence<UInt8> {
    /// The bytes as hexadecimal digits: two for each, in lower case.
    package var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        var hex: [UInt8] = []
        hex.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            hex.append(digits[Int(byte >> 4)])
            hex.append(digits[Int(byte & 15)])
        }
        return String(decoding: hex, as: UTF8.self)
    }
}
