/// A text with every byte that UTF-8 has beyond ASCII: each continuation byte, and each first byte
/// of a character of two, three or four bytes.
enum BeyondASCII {
    private static let scalars =
        Array(0x80..<0xC0) + stride(from: 0xC0, to: 0x800, by: 0x40)
        + stride(from: 0x800, to: 0x1_0000, by: 0x800)
        + stride(from: 0x1_0000, to: 0x11_0000, by: 0x3_0000)

    static let text = String(String.UnicodeScalarView(scalars.compactMap { Unicode.Scalar($0) }))
    /// The text with each byte as `%XX`.
    static let escaped = text.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
}
