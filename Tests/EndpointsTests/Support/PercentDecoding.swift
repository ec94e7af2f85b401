extension Collection<UInt8> {
    /// The decoded bytes of an escaped text; `nil` if a `%` doesn't begin an escape. (Foundation's
    /// own decoding drops a byte order mark.)
    func percentDecoded(plus: String = "+") -> [UInt8]? {
        var (bytes, rest) = ([UInt8](), self[...])
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, let byte = UInt8(digits, radix: 16) else {
                    return nil
                }
                bytes.append(byte)
                rest = rest.dropFirst(2)
            case UInt8(ascii: "+"):
                bytes.append(contentsOf: plus.utf8)
            default:
                bytes.append(byte)
            }
        }
        return bytes
    }
}
