import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A better limit than LIMIT: the text of the URL is written where it stays, in a string's own
/// memory, a form on the stack, headers that are always the same are made once, and what a byte
/// becomes is in a table.
struct Floor: Least {
    private let start: UnsafeMutablePointer<UInt8>
    private var end: UnsafeMutablePointer<UInt8>

    static func request(
        _ base: URL, capacity: Int, _ write: (inout Floor) -> Void
    ) throws -> URLRequest {
        let base = base.absoluteString
        let text = String(unsafeUninitializedCapacity: base.utf8.count + capacity + 1) { buffer in
            guard let memory = buffer.baseAddress else { return 0 }
            var floor = Floor(start: memory, end: memory)
            floor.copy(base)
            write(&floor)
            return floor.end - floor.start
        }
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw URLError(.badURL)
        }
        return URLRequest(url: url)
    }

    static func form(capacity: Int, _ write: (inout Floor) -> Void) -> Data {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity + 1) { buffer in
            guard let memory = buffer.baseAddress else { return Data() }
            var floor = Floor(start: memory, end: memory)
            write(&floor)
            return Data(bytes: memory, count: floor.end - memory)
        }
    }

    private static let segment = Raw.segment.table
    private static let query = Raw.query.table
    private static let form = Raw.form.table

    static let jsonHeaders = Limit.jsonHeaders
    static let formHeaders = Limit.formHeaders

    @inline(__always)
    mutating func literal(_ text: StaticString) {
        end.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        end += text.utf8CodeUnitCount
    }

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

    mutating func segment(_ text: String) {
        escape(text, Floor.segment)
    }

    mutating func query(_ text: String) {
        escape(text, Floor.query)
    }

    mutating func form(_ text: String) {
        escape(text, Floor.form)
    }

    /// Stores for each byte what it becomes, with its length behind it; the next one is over that.
    @inline(__always)
    private mutating func escape(_ text: String, _ table: [SIMD4<UInt8>]) {
        var (text, end) = (text, UnsafeMutableRawPointer(end))
        text.withUTF8 { utf8 in
            table.withUnsafeBufferPointer { table in
                for byte in utf8 {
                    end.storeBytes(of: table[Int(byte)], as: SIMD4<UInt8>.self)
                    end += Int(table[Int(byte)].w)
                }
            }
        }
        self.end = end.assumingMemoryBound(to: UInt8.self)
    }

    @inline(__always)
    private mutating func byte(_ byte: UInt8) {
        end.pointee = byte
        end += 1
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
