import Foundation

#if canImport(CryptoKit)
    @preconcurrency import CryptoKit
#endif

/// SHA-256 (FIPS 180-4) of bytes that arrive in parts.
///
///     var hash = SHA256()
///     for try await chunk in body { hash.update(chunk) }
///     hash.finalized()   // 32 bytes
package struct SHA256: Sendable {
    private var machine = SHA256Machine()

    package init() {}

    package mutating func update(_ bytes: some ContiguousBytes) {
        bytes.withUnsafeBytes { machine.update($0) }
    }

    /// The digest of what has been added until now, 32 bytes.
    package func finalized() -> [UInt8] { machine.finalized() }

    /// The digest of bytes that are in memory.
    package static func hash(_ bytes: some ContiguousBytes) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalized()
    }

    /// The HMAC of a message with a key of any length (RFC 2104), 32 bytes.
    package static func hmac(
        _ message: some ContiguousBytes, key: some ContiguousBytes
    ) -> [UInt8] {
        var key = key.withUnsafeBytes { Array($0) }
        if key.count > 64 { key = hash(key) }
        key.append(contentsOf: repeatElement(0, count: 64 - key.count))
        var (inner, outer) = (SHA256(), SHA256())
        inner.update(key.map { $0 ^ 0x36 })
        inner.update(message)
        outer.update(key.map { $0 ^ 0x5C })
        outer.update(inner.finalized())
        return outer.finalized()
    }
}

#if canImport(CryptoKit)
    /// Apple's, which uses the processor's own instructions.
    private struct SHA256Machine: Sendable {
        private var hash = CryptoKit.SHA256()

        mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }
        func finalized() -> [UInt8] { Array(hash.finalize()) }
    }
#else
    private typealias SHA256Machine = BlockHash<SHA256State>

    /// The eight words of a SHA-256 that is being computed.
    private struct SHA256State: BlockHashState {
        static var blockSize: Int { 64 }

        private var words: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
            0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A,
            0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19
        )

        var bytes: [UInt8] {
            [words.0, words.1, words.2, words.3, words.4, words.5, words.6, words.7].flatMap {
                word in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
            }
        }

        /// Mixes whole blocks of 64 bytes into the words.
        mutating func mix(_ blocks: UnsafeRawBufferPointer) {
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                Self.constants.withUnsafeBufferPointer { constants in
                    for start in stride(from: 0, to: blocks.count, by: 64) {
                        for index in 0..<16 {
                            schedule[index] = UInt32(
                                bigEndian: blocks.loadUnaligned(
                                    fromByteOffset: start &+ 4 &* index, as: UInt32.self))
                        }
                        mix(schedule, constants)
                    }
                }
            }
        }

        private mutating func mix(
            _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
        ) {
            for index in 16..<64 {
                let (early, late) = (schedule[index &- 15], schedule[index &- 2])
                let first = early.rotated(7) ^ early.rotated(18) ^ early &>> 3
                let second = late.rotated(17) ^ late.rotated(19) ^ late &>> 10
                schedule[index] = schedule[index &- 16] &+ first &+ schedule[index &- 7] &+ second
            }
            var (a, b, c, d, e, f, g, h) = words
            for index in 0..<64 {
                let sum = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
                let first = h &+ sum &+ (e & f ^ ~e & g) &+ constants[index] &+ schedule[index]
                let second =
                    (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ (a & b ^ a & c ^ b & c)
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ second)
            }
            words = (
                words.0 &+ a, words.1 &+ b, words.2 &+ c, words.3 &+ d,
                words.4 &+ e, words.5 &+ f, words.6 &+ g, words.7 &+ h
            )
        }

        private static let constants: [UInt32] = [
            0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
            0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
            0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
            0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
            0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
            0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
            0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
            0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
            0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
            0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
            0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
        ]
    }

    extension UInt32 {
        fileprivate func rotated(_ count: UInt32) -> UInt32 {
            self &>> count | self &<< (32 &- count)
        }
    }
#endif
