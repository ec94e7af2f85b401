/// MD5 (RFC 1321), which S3 makes an object's `ETag` of. It protects nothing.
enum MD5 {
    private static let shifts: [UInt32] = [
        7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21,
    ]

    /// The integer parts of 2^32 × |sin(i)| for i from 1 to 64 (RFC 1321, section 3.4).
    private static let table: [UInt32] = [
        0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613,
        0xfd46_9501, 0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193,
        0xa679_438e, 0x49b4_0821, 0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d,
        0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8, 0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed,
        0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a, 0xfffa_3942, 0x8771_f681, 0x6d9d_6122,
        0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70, 0x289b_7ec6, 0xeaa1_27fa,
        0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665, 0xf429_2244,
        0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
        0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb,
        0xeb86_d391,
    ]

    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var message = bytes + [0x80]
        message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
        let bits = UInt64(bytes.count) &* 8
        message += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
        for block in stride(from: 0, to: message.count, by: 64) {
            let words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) {
                    $0 | UInt32(message[block + 4 * word + $1]) << (8 * UInt32($1))
                }
            }
            mix(words, into: &state)
        }
        return state.flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
        }
    }

    private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for i in 0..<64 {
            let (mixed, word): (UInt32, Int) =
                switch i / 16 {
                case 0: ((b & c) | (~b & d), i)
                case 1: ((d & b) | (~d & c), (5 * i + 1) % 16)
                case 2: (b ^ c ^ d, (3 * i + 5) % 16)
                default: (c ^ (b | ~d), (7 * i) % 16)
                }
            let sum = a &+ mixed &+ table[i] &+ words[word]
            let shift = shifts[i / 16 * 4 + i % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
    }
}

/// SHA-1 (FIPS 180-4), with which each server that checks the pieces of tus can. It finds a mistake
/// of a disk or a proxy, and no attack.
struct SHA1 {
    private var state: [UInt32] = [
        0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0,
    ]
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    mutating func update(_ bytes: some Sequence<UInt8>) {
        rest += bytes
        let whole = rest.count / 64 * 64
        for block in stride(from: 0, to: whole, by: 64) { mix(block) }
        count += UInt64(whole)
        rest.removeFirst(whole)
    }

    mutating func finalized() -> [UInt8] {
        let bits = (count + UInt64(rest.count)) &* 8
        var end: [UInt8] = [0x80]
        end += [UInt8](repeating: 0, count: (119 - rest.count % 64) % 64)
        end += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        update(end)
        return state.flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) }
        }
    }

    private mutating func mix(_ block: Int) {
        var words = [UInt32](repeating: 0, count: 80)
        for i in 0..<16 {
            for j in 0..<4 { words[i] = words[i] << 8 | UInt32(rest[block + 4 * i + j]) }
        }
        for i in 16..<80 {
            let word = words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16]
            words[i] = word << 1 | word >> 31
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for i in 0..<80 {
            let (mixed, constant): (UInt32, UInt32) =
                switch i / 20 {
                case 0: ((b & c) | (~b & d), 0x5a82_7999)
                case 1: (b ^ c ^ d, 0x6ed9_eba1)
                case 2: ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let sum = (a << 5 | a >> 27) &+ mixed &+ e &+ constant &+ words[i]
            (a, b, c, d, e) = (sum, a, b << 30 | b >> 2, c, d)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
    }
}
