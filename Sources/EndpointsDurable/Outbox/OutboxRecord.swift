import EndpointsShared
import Foundation

/// A record of an outbox's journal: what has happened to an entry.
///
/// In the file, each has a mark, the length of its payload and a CRC-32 of that:
///
///     FF 4F 42 01   length: UInt32   CRC-32: UInt32   payload
///
/// All numbers are little-endian. The mark's first byte is in no text of UTF-8, so that after
/// damage the next record can be found.
enum OutboxRecord: Equatable {
    /// A request was added.
    case added(Added)
    /// A request was sent with success.
    case ended(UUID)
    /// A request was cancelled, or its account signed out while it was being added.
    case cancelled(UUID)
    /// A request was refused so many times, and is set aside or not.
    case refused(UUID, count: Int, isSetAside: Bool, reason: String)
    /// An entry that was set aside is to be sent again.
    case retried(UUID)
    /// The entries of an account that were added before a date are dropped.
    case dropped(account: String, before: Date)
    /// So many bytes can't be read, and are in a file of their own. They may be of a request.
    case lost(UUID, Date, count: Int)

    /// What an entry keeps in memory. The request's JSON stays in the file.
    struct Added: Equatable {
        var id: UUID
        var date: Date
        var name: String
        var key: String?
        var account: String?
        /// The `Idempotency-Key` that the request has itself.
        var ownKey: String?
        /// How many files were copied for it.
        var copyCount = 0
        /// Where the JSON is.
        var offset = 0
        var count = 0
    }

    static let mark: [UInt8] = [0xFF, 0x4F, 0x42, 0x01]
    static let headCount = 12
    /// The bytes of a ``refused(_:count:isSetAside:reason:)`` without its reason.
    static let refusedCount = headCount + 30
    /// The bytes of a ``lost(_:_:count:)``.
    static let lostCount = headCount + 33
    /// The most ``lost(_:_:count:)`` of one reading. The last one stands for all later damage.
    static let mostLost = 20
    /// The most bytes of a payload: a longer one is taken for damage.
    static let longest = 64 << 20

    /// The most bytes of a request's JSON.
    static let longestJSON = 60_000_000
    /// The most files of a request that are copied.
    static let mostCopies = 10_000

    /// The record as it is written.
    func bytes(json: Data = Data()) -> [UInt8] {
        var payload = Bytes()
        switch self {
        case .added(let added):
            payload.append(byte: 1)
            payload.append(added.id)
            payload.append(added.date.timeIntervalSince1970.bitPattern)
            payload.append(added.name)
            payload.append(added.key)
            payload.append(added.account)
            payload.append(added.ownKey)
            payload.append(UInt32(clamping: added.copyCount))
            payload.bytes.append(contentsOf: json)
        case .ended(let id):
            payload.append(byte: 2)
            payload.append(id)
        case .refused(let id, let count, let isSetAside, let reason):
            payload.append(byte: 3)
            payload.append(id)
            payload.append(UInt64(count))
            payload.append(byte: isSetAside ? 1 : 0)
            payload.append(reason)
        case .retried(let id):
            payload.append(byte: 4)
            payload.append(id)
        case .dropped(let account, let date):
            payload.append(byte: 5)
            payload.append(account)
            payload.append(date.timeIntervalSince1970.bitPattern)
        case .lost(let id, let date, let count):
            payload.append(byte: 6)
            payload.append(id)
            payload.append(date.timeIntervalSince1970.bitPattern)
            payload.append(UInt64(count))
        case .cancelled(let id):
            payload.append(byte: 7)
            payload.append(id)
        }
        var record = Bytes(bytes: Self.mark)
        record.append(UInt32(payload.bytes.count))
        record.append(payload.bytes.withUnsafeBytes { CRC32.of($0) })
        return record.bytes + payload.bytes
    }

    /// What was read of a file.
    struct Read {
        /// The records, with their sizes. Where some can't be read, there is a
        /// ``OutboxRecord/lost(_:_:count:)``, which isn't in the file.
        var records: [(record: OutboxRecord, size: Int)] = []
        /// How many bytes there are to the end of the last one.
        var end = 0
        /// The bytes of each that is lost.
        var lost: [(id: UUID, bytes: Data)] = []

        /// Notes bytes that are of no record. The same ones always get the same identifier, so that
        /// whoever reads them finds what others have noted.
        fileprivate mutating func lose(_ bytes: UnsafeRawBufferPointer.SubSequence, from start: Int)
        {
            if lost.count == OutboxRecord.mostLost, let last = lost.indices.last,
                let index = records.lastIndex(where: { $0.record.isLost })
            {
                lost[last].bytes.append(contentsOf: bytes)
                records[index].record = .lost(lost[last].id, Date(), count: lost[last].bytes.count)
                return
            }
            let digest = SHA256.hash(Data("\(start + bytes.startIndex)\n".utf8) + bytes)
            let id = digest.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            lost.append((id, Data(bytes)))
            records.append((.lost(id, Date(), count: bytes.count), 0))
        }
    }

    private var isLost: Bool { if case .lost = self { true } else { false } }

    /// Reads records, as far as they are whole.
    ///
    /// - Parameters:
    ///   - start: The offset of the first byte in the file.
    ///   - isCutOff: Whether the bytes after the last record may be of one that was cut off when
    ///     its process was killed, and so was never kept.
    static func read(
        _ bytes: UnsafeRawBufferPointer, from start: Int, isCutOff: Bool = true
    ) -> Read {
        var read = Read()
        var reader = Reader(bytes: bytes, start: start)
        var position = 0
        while position + headCount <= bytes.count {
            if let (record, size) = reader.record(at: position) {
                if position > read.end { read.lose(bytes[read.end..<position], from: start) }
                read.records.append((record, size))
                position += size
                read.end = position
            } else {
                // The rest may be a record that was cut off, or there may be whole ones after it.
                position = nextMark(in: bytes, after: position)
            }
        }
        let rest = bytes[read.end...]
        if isCutOff ? isDamaged(rest) : !rest.isEmpty || bytes.isEmpty {
            read.lose(rest, from: start)
            read.end = bytes.count
        }
        return read
    }

    /// Whether the bytes after the last record are damaged.
    ///
    /// They aren't if they are the beginning of a record whose process was killed, or a record that
    /// couldn't be written, so that its mark was replaced by zeros.
    private static func isDamaged(_ rest: UnsafeRawBufferPointer.SubSequence) -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: rest)
        guard bytes.count >= headCount else { return false }
        let begin = bytes.prefix(mark.count)
        guard begin.elementsEqual(mark) else { return !begin.allSatisfy { $0 == 0 } }
        func number(at offset: Int) -> UInt32 {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        // If it has its checksum, it is whole, and only its length is wrong.
        let payload = UnsafeRawBufferPointer(rebasing: bytes[headCount...])
        return Int(number(at: 4)) <= payload.count || CRC32.of(payload) == number(at: 8)
    }

    private static func nextMark(in bytes: UnsafeRawBufferPointer, after position: Int) -> Int {
        var next = position + 1
        while next < bytes.count, bytes[next] != mark[0] { next += 1 }
        return next
    }

    /// Bytes that grow by numbers and texts.
    private struct Bytes {
        var bytes: [UInt8] = []

        mutating func append(byte: UInt8) { bytes.append(byte) }

        mutating func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }

        mutating func append(_ id: UUID) {
            withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
        }

        /// A text after its length plus 1; `nil` has the length 0.
        mutating func append(_ text: String?) {
            append(UInt32((text?.utf8.count ?? -1) + 1))
            if let text { bytes.append(contentsOf: text.utf8) }
        }
    }

    /// Reads records of bytes that are in memory.
    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        let start: Int
        private var position = 0
        private var end = 0
        /// Texts that many records have.
        private var account: String?
        private var name = ""

        init(bytes: UnsafeRawBufferPointer, start: Int) {
            self.bytes = bytes
            self.start = start
        }

        /// The record at a position, and its size; `nil` if there is none that is whole.
        mutating func record(at head: Int) -> (OutboxRecord, Int)? {
            guard bytes[head] == mark[0], bytes[head + 1] == mark[1], bytes[head + 2] == mark[2],
                bytes[head + 3] == mark[3]
            else { return nil }
            (position, end) = (head + 4, bytes.count)
            guard let length: UInt32 = number(), length <= longest, let sum: UInt32 = number(),
                Int(length) <= bytes.count - position
            else { return nil }
            end = position + Int(length)
            let payload = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
            guard CRC32.of(payload) == sum, let record = payloadRecord() else { return nil }
            return (record, headCount + Int(length))
        }

        private mutating func payloadRecord() -> OutboxRecord? {
            guard let kind: UInt8 = number() else { return nil }
            switch kind {
            case 1: return added()
            case 2: return id().map { .ended($0) }
            case 3:
                guard let id = id(), let count: UInt64 = number(), let flag: UInt8 = number(),
                    case .some(let reason?) = text()
                else { return nil }
                return .refused(
                    id, count: Int(min(count, 1 << 30)), isSetAside: flag == 1, reason: reason)
            case 4: return id().map { .retried($0) }
            case 5:
                guard case .some(let account?) = text(), let date: UInt64 = number()
                else { return nil }
                return .dropped(
                    account: account,
                    before: Date(timeIntervalSince1970: Double(bitPattern: date)))
            case 6:
                guard let id = id(), let date: UInt64 = number(), let count: UInt64 = number()
                else { return nil }
                return .lost(
                    id, Date(timeIntervalSince1970: Double(bitPattern: date)),
                    count: Int(clamping: count))
            case 7: return id().map { .cancelled($0) }
            default: return nil
            }
        }

        private mutating func added() -> OutboxRecord? {
            guard let id = id(), let date: UInt64 = number(),
                case .some(let name?) = text(like: self.name), let key = text(),
                let account = text(like: self.account), let ownKey = text(),
                let copyCount: UInt32 = number(), copyCount <= mostCopies
            else { return nil }
            (self.name, self.account) = (name, account)
            return .added(
                Added(
                    id: id, date: Date(timeIntervalSince1970: Double(bitPattern: date)),
                    name: name, key: key, account: account, ownKey: ownKey,
                    copyCount: Int(copyCount),
                    offset: start + position, count: end - position))
        }

        private mutating func number<Number: FixedWidthInteger>() -> Number? {
            let size = MemoryLayout<Number>.size
            guard end - position >= size else { return nil }
            defer { position += size }
            return Number(
                littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
        }

        private mutating func id() -> UUID? {
            guard end - position >= 16 else { return nil }
            defer { position += 16 }
            return UUID(uuid: bytes.loadUnaligned(fromByteOffset: position, as: uuid_t.self))
        }

        /// A text, or `nil` as it is written; `.none` if there is none.
        /// - Parameter known: A text that it may equal, so that both share their bytes.
        private mutating func text(like known: String? = nil) -> String?? {
            guard let length: UInt32 = number() else { return .none }
            guard length > 0 else { return .some(nil) }
            let count = Int(length) - 1
            guard end - position >= count else { return .none }
            let text = UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
            position += count
            if let known, known.utf8.count == count, known.utf8.elementsEqual(text) { return known }
            return String(decoding: text, as: UTF8.self)
        }
    }
}

/// The checksum of ISO 3309 and of gzip (RFC 1952, section 8), which tells damage from a record.
enum CRC32 {
    /// The tables for eight bytes at a time.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var sum = UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
            tables[byte] = sum
        }
        for index in 256..<8 * 256 {
            let last = tables[index - 256]
            tables[index] = last >> 8 ^ tables[Int(last & 0xFF)]
        }
        return tables
    }()

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        tables.withUnsafeBufferPointer { tables in
            var (sum, position) = (UInt32.max, 0)
            while bytes.count - position >= 8 {
                let word = UInt64(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                var mixed = word ^ UInt64(sum)
                sum = 0
                for table in stride(from: 7, through: 0, by: -1) {
                    sum ^= tables[table * 256 + Int(mixed & 0xFF)]
                    mixed >>= 8
                }
                position += 8
            }
            for byte in bytes[position...] {
                sum = sum >> 8 ^ tables[Int((sum ^ UInt32(byte)) & 0xFF)]
            }
            return ~sum
        }
    }
}
