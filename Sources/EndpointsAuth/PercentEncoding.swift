/// The escapes of URLs and forms (RFC 3986, section 2.1), where a signature or a server needs
/// others than those of a request's URL.
enum PercentEncoding {
    /// Bytes with an escape for each but letters, digits and some marks. The marks that are not
    /// escaped are those of RFC 3986, section 2.3, unless others are given.
    static func encoded(_ bytes: some Sequence<UInt8>, keeping marks: String = "-._~") -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            if isAlphanumeric(byte) || marks.utf8.contains(byte) {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes for which an escaped text stands. A `%` without two digits stands for itself.
    static func decoded(_ text: some StringProtocol) -> [UInt8] {
        let utf8 = Array(text.utf8)
        var (bytes, index): ([UInt8], Int) = ([], 0)
        while index < utf8.count {
            if utf8[index] == UInt8(ascii: "%"), index + 2 < utf8.count,
                let high = digit(utf8[index + 1]), let low = digit(utf8[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(utf8[index])
                index += 1
            }
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension String {
    /// The text as it is in a form, with `%20` for a space and not `+`, which some servers don't
    /// decode (RFC 6749, appendix B; RFC 9421, section 2.2.8).
    var formEncoded: String { PercentEncoding.encoded(utf8, keeping: "*-._") }
}
