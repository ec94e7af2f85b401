import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The least that a request can cost: its text, written once into memory that is large enough.
///
/// Nothing is checked, and what is known when the code is written is written as it is sent.
struct Limit {
    private let start: UnsafeMutablePointer<UInt8>
    private var end: UnsafeMutablePointer<UInt8>

    /// The request for a URL that begins with a server's and is at most `capacity` bytes longer.
    static func request(
        _ base: URL, capacity: Int, _ write: (inout Limit) -> Void
    ) throws -> URLRequest {
        let base = base.absoluteString
        let text = String(unsafeUninitializedCapacity: base.utf8.count + capacity) { buffer in
            guard let memory = buffer.baseAddress else { return 0 }
            var limit = Limit(start: memory, end: memory)
            limit.copy(base)
            write(&limit)
            return limit.end - limit.start
        }
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw URLError(.badURL)
        }
        return URLRequest(url: url)
    }

    /// A form of at most `capacity` bytes.
    static func form(capacity: Int, _ write: (inout Limit) -> Void) -> Data {
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            guard let memory = buffer.baseAddress else { return }
            var limit = Limit(start: memory, end: memory)
            write(&limit)
            count = limit.end - limit.start
        }
        return Data(bytes)
    }

    /// Appends text that needs no escape.
    @inline(__always)
    mutating func literal(_ text: StaticString) {
        end.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        end += text.utf8CodeUnitCount
    }

    /// Appends a number in decimal.
    mutating func number(_ number: Int) {
        var (rest, count) = (number.magnitude, 1)
        while rest >= 10 { (rest, count) = (rest / 10, count + 1) }
        if number < 0 { byte(UInt8(ascii: "-")) }
        rest = number.magnitude
        for index in (0..<count).reversed() {
            end[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        end += count
    }

    /// Appends a path segment.
    mutating func segment(_ text: String) {
        escape(text, raw: (0x27FF_7FD2_0000_0000, 0x47FF_FFFE_87FF_FFFF))
    }

    /// Appends a name or a value of a query.
    mutating func query(_ text: String) {
        escape(text, raw: (0x07FF_E000_0000_0000, 0x47FF_FFFE_87FF_FFFF))
    }

    /// Appends a name or a value of a form.
    mutating func form(_ text: String) {
        escape(text, raw: (0x03FF_6400_0000_0000, 0x07FF_FFFE_87FF_FFFE))
    }

    /// - Parameter raw: The bytes below 64, and from there to 127, that stay as they are.
    @inline(__always)
    private mutating func escape(_ text: String, raw: (low: UInt64, high: UInt64)) {
        var text = text
        text.withUTF8 { utf8 in
            for byte in utf8 {
                if byte < 128 && ((byte < 64 ? raw.low : raw.high) >> UInt64(byte & 63)) & 1 == 1 {
                    self.byte(byte)
                } else {
                    self.byte(UInt8(ascii: "%"))
                    self.byte(digit(byte >> 4))
                    self.byte(digit(byte & 15))
                }
            }
        }
    }

    @inline(__always)
    private mutating func byte(_ byte: UInt8) {
        end.pointee = byte
        end += 1
    }

    @inline(__always)
    private func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private mutating func copy(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            guard let bytes = utf8.baseAddress else { return }
            end.update(from: bytes, count: utf8.count)
            end += utf8.count
        }
    }
}
