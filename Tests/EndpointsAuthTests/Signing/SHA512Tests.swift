import EndpointsShared
import Foundation
import Testing

@testable import EndpointsAuth

@Suite("SHA-512")
struct SHA512Tests {
    @Test(
        "The digests are those of FIPS 180-4's examples, and of texts as long as a block",
        arguments: [
            (
                "", 1,
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
            ),
            (
                "abc", 1,
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
            (
                "a", 111,
                "fa9121c7b32b9e01733d034cfc78cbf67f926c7ed83e82200ef86818196921760b4beff48404df811b953828274461673c68d04e297b0eb7b2b4d60fc6b566a2"
            ),
            (
                "a", 112,
                "c01d080efd492776a1c43bd23dd99d0a2e626d481e16782e75d54c2503b5dc32bd05f0f1ba33e568b88fd2d970929b719ecbb152f58f130a407c8830604b70ca"
            ),
            (
                "a", 127,
                "828613968b501dc00a97e08c73b118aa8876c26b8aac93df128502ab360f91bab50a51e088769a5c1eff4782ace147dce3642554199876374291f5d921629502"
            ),
            (
                "a", 128,
                "b73d1929aa615934e61a871596b3f3b33359f42b8175602e89f7e06e5f658a243667807ed300314b95cacdd579f3e33abdfbe351909519a846d465c59582f321"
            ),
            (
                "a", 1000,
                "67ba5535a46e3f86dbfbed8cbbaf0125c76ed549ff8b0b9e03e0c88cf90fa634fa7b12b47d77b694de488ace8d9a65967dc96df599727d3292a8d9d447709c97"
            ),
        ])
    func digests(text: String, count: Int, digest: String) {
        let bytes = Data(String(repeating: text, count: count).utf8)
        for size in [1, 7, 64, 128, 1000] {
            var hash = SHA512()
            for start in stride(from: 0, to: bytes.count, by: size) {
                hash.update(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(hash.finalized().hex == digest)
        }
    }
}
