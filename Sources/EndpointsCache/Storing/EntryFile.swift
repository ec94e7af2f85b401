import Endpoints
import Foundation

/// A stored response as the bytes of a file, with a checksum at its beginning: a file that was
/// written only in part isn't read.
enum EntryFile {
    private static let format = Array("Endpoints 1\n".utf8)
    private static let start = format.count + 8

    static func data(_ response: StoredResponse, _ digests: String) -> Data {
        var writer = Writer()
        writer.add(digests)
        writer.add(response.url.absoluteString)
        writer.add(response.status)
        writer.add(response.sent)
        writer.add(response.arrived)
        writer.add(response.fields.list.count)
        for field in response.fields.list {
            writer.add(field.name)
            writer.add(field.value)
        }
        writer.add(response.selecting.matchesNothing ? 1 : 0)
        writer.add(response.selecting.fields.count)
        for (name, value) in response.selecting.fields {
            writer.add(name)
            writer.add(value == nil ? 0 : 1)
            writer.add(value ?? "")
        }
        writer.add(response.body.count)
        writer.bytes.append(response.body)
        var file = Data(format)
        var checksum = Writer()
        checksum.add(checksum64(writer.bytes))
        file.append(checksum.bytes)
        file.append(writer.bytes)
        return file
    }

    /// The response in a file; `nil` if the bytes aren't those that were written for this name.
    static func response(_ file: Data, _ digests: String) -> StoredResponse? {
        guard file.count > start, file.starts(with: format) else { return nil }
        var head = Reader(bytes: file.dropFirst(format.count).prefix(8))
        let content = file.dropFirst(start)
        guard head.word() == checksum64(content) else { return nil }
        var reader = Reader(bytes: content)
        guard reader.text() == digests, let url = reader.text().flatMap(URL.init(string:)),
            let status = reader.number(), let sent = reader.date(), let arrived = reader.date(),
            let fieldCount = reader.number()
        else { return nil }
        var fields: [ResponseFields.Field] = []
        for _ in 0..<max(0, min(fieldCount, content.count)) {
            guard let name = reader.text(), let value = reader.text() else { return nil }
            fields.append(ResponseFields.Field(name: name, value: value))
        }
        guard let matchesNothing = reader.number(), let count = reader.number() else { return nil }
        var selecting: [(name: String, value: String?)] = []
        for _ in 0..<max(0, min(count, content.count)) {
            guard let name = reader.text(), let isSet = reader.number(), let value = reader.text()
            else { return nil }
            selecting.append((name, isSet == 1 ? value : nil))
        }
        guard let bodyCount = reader.number(), bodyCount == reader.bytes.count else { return nil }
        return StoredResponse(
            url: url, status: status, fields: ResponseFields(fields), body: Data(reader.bytes),
            sent: sent, arrived: arrived,
            selecting: SelectingFields(fields: selecting, matchesNothing: matchesNothing == 1))
    }

    /// A hash of bytes that nearly always differs if any of them does. It isn't one against
    /// attacks.
    private static func checksum64(_ data: Data) -> UInt64 {
        var hash = 0xCBF2_9CE4_8422_2325 ^ UInt64(data.count)
        data.withUnsafeBytes { bytes in
            var index = 0
            while index + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                hash = (hash ^ UInt64(littleEndian: word)) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 29
                index += 8
            }
            for byte in bytes[index...] {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
                hash ^= hash >> 29
            }
        }
        return hash
    }

    private struct Writer {
        var bytes = Data()

        mutating func add(_ word: UInt64) {
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        }

        mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

        mutating func add(_ text: String) {
            let utf8 = text.utf8
            add(utf8.count)
            bytes.append(contentsOf: utf8)
        }

        mutating func add(_ date: Date) {
            add(date.timeIntervalSince1970.bitPattern)
        }
    }

    private struct Reader {
        var bytes: Data

        mutating func word() -> UInt64? {
            guard bytes.count >= 8 else { return nil }
            let value = bytes.prefix(8).withUnsafeBytes {
                $0.loadUnaligned(as: UInt64.self)
            }
            bytes = bytes.dropFirst(8)
            return UInt64(littleEndian: value)
        }

        /// `nil` also for a number that the platform's `Int` can't hold.
        mutating func number() -> Int? {
            word().flatMap { Int(exactly: Int64(bitPattern: $0)) }
        }

        mutating func text() -> String? {
            guard let count = number(), count >= 0, count <= bytes.count else { return nil }
            let text = String(decoding: bytes.prefix(count), as: UTF8.self)
            bytes = bytes.dropFirst(count)
            return text
        }

        mutating func date() -> Date? {
            word().map { Date(timeIntervalSince1970: Double(bitPattern: $0)) }
        }
    }
}
