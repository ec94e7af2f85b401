import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The least that Foundation can be asked for, for a request: one text of the URL, made of bytes,
/// and one `URL(string:)`.
///
/// Nothing is checked, and what is known when the code is written is written as it is sent.
protocol Least {
    /// The request for a URL that begins with a server's and is at most `capacity` bytes longer.
    static func request(
        _ base: URL, capacity: Int, _ write: (inout Self) -> Void
    ) throws -> URLRequest
    /// A form of at most `capacity` bytes.
    static func form(capacity: Int, _ write: (inout Self) -> Void) -> Data

    /// The headers of a request with a body of JSON.
    static var jsonHeaders: [String: String] { get }
    /// The headers of a request with a form.
    static var formHeaders: [String: String] { get }

    /// Appends text that needs no escape.
    mutating func literal(_ text: StaticString)
    /// Appends a number in decimal.
    mutating func number(_ number: Int)
    /// Appends a path segment.
    mutating func segment(_ text: String)
    /// Appends a name or a value of a query.
    mutating func query(_ text: String)
    /// Appends a name or a value of a form.
    mutating func form(_ text: String)
}

/// LIMIT: one buffer of bytes that begins with the server's base URL.
struct Limit: Least {
    private var bytes: [UInt8] = []

    static func request(
        _ base: URL, capacity: Int, _ write: (inout Limit) -> Void
    ) throws -> URLRequest {
        var limit = Limit()
        let base = base.absoluteString
        limit.bytes.reserveCapacity(base.utf8.count + capacity)
        limit.bytes.append(contentsOf: base.utf8)
        write(&limit)
        let text = String(decoding: limit.bytes, as: UTF8.self)
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw URLError(.badURL)
        }
        return URLRequest(url: url)
    }

    static func form(capacity: Int, _ write: (inout Limit) -> Void) -> Data {
        var limit = Limit()
        limit.bytes.reserveCapacity(capacity)
        write(&limit)
        return Data(limit.bytes)
    }

    static var jsonHeaders: [String: String] { ["Content-Type": "application/json"] }
    static var formHeaders: [String: String] {
        ["Content-Type": "application/x-www-form-urlencoded"]
    }

    mutating func literal(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func number(_ number: Int) {
        bytes.append(contentsOf: String(number).utf8)
    }

    mutating func segment(_ text: String) {
        escape(text, .segment)
    }

    mutating func query(_ text: String) {
        escape(text, .query)
    }

    mutating func form(_ text: String) {
        escape(text, .form)
    }

    @inline(__always)
    private mutating func escape(_ text: String, _ raw: Raw) {
        var text = text
        text.withUTF8 { utf8 in
            guard !utf8.allSatisfy(raw.contains) else { return bytes.append(contentsOf: utf8) }
            for byte in utf8 {
                if raw.contains(byte) {
                    bytes.append(byte)
                } else {
                    bytes.append(UInt8(ascii: "%"))
                    bytes.append(hexadecimalDigit(byte >> 4))
                    bytes.append(hexadecimalDigit(byte & 15))
                }
            }
        }
    }
}

/// The bytes that stay as they are in one place of a request: those below 64, and from there to
/// 127.
struct Raw {
    let low, high: UInt64

    static var segment: Raw { Raw(low: 0x27FF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF) }
    static var query: Raw { Raw(low: 0x07FF_E000_0000_0000, high: 0x47FF_FFFE_87FF_FFFF) }
    static var form: Raw { Raw(low: 0x03FF_6400_0000_0000, high: 0x07FF_FFFE_87FF_FFFE) }

    /// What each byte becomes, and behind it how long that is.
    var table: [SIMD4<UInt8>] {
        (0...UInt8.max).map { byte in
            contains(byte)
                ? [byte, 0, 0, 1]
                : [UInt8(ascii: "%"), hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15), 3]
        }
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        byte < 128 && ((byte < 64 ? low : high) >> UInt64(byte & 63)) & 1 == 1
    }
}

@inline(__always)
func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}
