import EndpointsShared
import Foundation
import Testing

@Suite struct SHA256Tests {
    /// Examples of FIPS 180-4's annex, and NIST's vector of a million bytes.
    static let digests: [(String, Int, String)] = [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    @Test(arguments: digests)
    func `The digest of NIST's examples`(text: String, count: Int, hex: String) {
        let bytes = Data(String(repeating: text, count: count).utf8)
        #expect(SHA256.hash(bytes).hex == hex)
    }

    @Test(arguments: [1, 3, 55, 56, 63, 64, 65, 127, 1000])
    func `A message in parts has the digest of the whole`(size: Int) {
        let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var hash = SHA256()
        for start in stride(from: 0, to: message.count, by: size) {
            hash.update(Array(message[start..<min(start + size, message.count)]))
        }
        #expect(hash.finalized() == SHA256.hash(message))
        #expect(hash.finalized() == hash.finalized())
    }

    /// The test cases 1, 2, 3 and 6 of RFC 4231.
    static let codes: [([UInt8], [UInt8], String)] = [
        (
            Array(repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            Array(repeating: 0xaa, count: 20), Array(repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Array(repeating: 0xaa, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ]

    @Test(arguments: codes)
    func `The code of RFC 4231's examples`(key: [UInt8], message: [UInt8], hex: String) {
        #expect(SHA256.hmac(message, key: key).hex == hex)
    }
}
