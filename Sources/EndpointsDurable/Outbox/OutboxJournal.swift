import Endpoints
import EndpointsFolder
import Foundation

/// The file in which an outbox writes what happens to its entries. Several processes append to it,
/// one at a time.
///
/// A record is whole or, if its process was killed, cut off at the end of the file. Then the next
/// process that appends removes it. When most records are of entries that have ended, the file is
/// replaced by one with the others. Bytes that can't be read for another reason go into a file of
/// their own, and a record in the journal stands for them.
///
/// Only one thread at a time may call the functions.
struct OutboxJournal {
    /// The file, kept open. Its bytes are read on several threads, which the system makes safe; so
    /// `@unchecked` is.
    final class Opened: @unchecked Sendable {
        let file: OpenFile
        init(_ file: OpenFile) { self.file = file }
    }

    /// What was appended since the last call, or all there is if the file is another one.
    struct News {
        var records: [(record: OutboxRecord, size: Int)] = []
        /// The file that has been read from its beginning; `nil` if only the rest was read.
        var opened: Opened?
    }

    static let name = "outbox.journal"
    /// The first bytes of the file, with the version of its format.
    static let head = Data("Endpoints outbox 1\n".utf8)
    /// The system's code for a file whose format is of a later version.
    static let laterVersion = ENOTSUP
    /// A file with fewer bytes isn't replaced by a shorter one.
    static let leastCompaction = 256 << 10

    let folder: SharedFolder
    let url: URL
    private var opened: Opened?
    /// Where the records end.
    private(set) var end = 0
    /// Whether some bytes of the file are of no record. Replace it then by a shorter one.
    private(set) var isDamaged = false
    /// Such bytes, as long as they aren't in a file of their own.
    private var unkept: [(id: UUID, bytes: Data)] = []
    /// Bytes that couldn't be written as a whole, and couldn't be removed either.
    var failed: (bytes: Data, start: Int)?

    init(_ folder: SharedFolder, at url: URL) {
        self.folder = folder
        self.url = url
    }

    /// Reads what was appended, or makes the file. Call this in `SharedFolder.whileLocked(_:_:)`.
    mutating func catchUp() throws(FileError) -> News {
        if let opened, folder.isPresent(opened.file, as: Self.name) {
            try removeFailed(opened)
            let count = try opened.file.count
            if count == end { return News() }
            if count > end { return News(records: try read(opened, from: end, to: count)) }
        }
        let file: OpenFile
        do throws(FileError) { file = try folder.openFile(Self.name, making: false) } catch {
            guard error.kind == .missing else { throw error }
            try make()
            return try catchUpFromStart(try folder.openFile(Self.name, making: false))
        }
        return try catchUpFromStart(file)
    }

    /// Reads what was appended, and locks the file. The folder's lock alone isn't enough, as
    /// somebody may have removed its file.
    ///
    /// - Returns: The locked file, which the caller must unlock.
    mutating func lock(_ note: (News) -> Void) throws(FileError) -> Opened {
        for _ in 0..<100 {
            note(try catchUp())
            guard let opened else { continue }
            let code = opened.file.lock(waiting: 60)
            guard code == 0 else { throw FileError(url, code: code) }
            // The one who had the lock may have written, or replaced the file.
            if folder.isPresent(opened.file, as: Self.name) {
                do throws(FileError) { note(try catchUp()) } catch {
                    opened.file.unlock()
                    throw error
                }
            }
            if opened === self.opened, folder.isPresent(opened.file, as: Self.name) {
                return opened
            }
            opened.file.unlock()
        }
        throw FileError(url, code: EAGAIN)
    }

    /// Removes records whose callers know that they weren't added. If others have written there
    /// meanwhile, what is there is theirs.
    private mutating func removeFailed(_ opened: Opened) throws(FileError) {
        guard let failed else { return }
        let count = try opened.file.count
        if count > failed.start, count <= failed.start + failed.bytes.count {
            let present = try Self.bytes(of: opened.file, failed.start..<count, at: url)
            if present.dropFirst(4) == failed.bytes.prefix(present.count).dropFirst(4) {
                try cut(opened, to: failed.start)
            }
        }
        self.failed = nil
    }

    /// The bytes of a part of a file. A system may read fewer bytes at a time than it is asked for.
    ///
    /// - Throws: A ``FileError`` if the file has fewer.
    static func bytes(
        of file: OpenFile, _ range: Range<Int>, at url: URL
    ) throws(FileError) -> Data {
        var data = try file.read(upTo: range.count, from: range.lowerBound)
        while data.count < range.count {
            let next = range.lowerBound + data.count
            let rest = try file.read(upTo: range.upperBound - next, from: next)
            guard !rest.isEmpty else { throw FileError(url, code: EIO) }
            data.append(rest)
        }
        return data
    }

    private mutating func catchUpFromStart(_ file: OpenFile) throws(FileError) -> News {
        // What somebody else has written isn't sent with the user's tokens.
        guard SharedFolder.isOwn(file) else { throw FileError(.notPermitted, at: url) }
        let count = try file.count
        let head = try file.read(upTo: Self.head.count, from: 0)
        // A later version of the library has it. This one must not touch its entries.
        if head != Self.head, head.starts(with: Self.head.dropLast(2)) {
            throw FileError(url, code: Self.laterVersion)
        }
        (isDamaged, unkept) = (false, [])
        let opened = Opened(file)
        // The process that has replaced the file may have been killed before its name was on the
        // disk.
        try folder.synchronize()
        // If its beginning is damaged, there may be records after that all the same.
        let start = head == Self.head ? Self.head.count : 0
        let records = try read(opened, from: start, to: count)
        (self.opened, failed) = (opened, nil)
        return News(records: records, opened: opened)
    }

    private func make() throws(FileError) {
        try folder.write(Self.head, as: Self.name, isDurable: true)
    }

    private mutating func read(
        _ opened: Opened, from start: Int, to count: Int
    ) throws(FileError) -> [(record: OutboxRecord, size: Int)] {
        let bytes = try Self.bytes(of: opened.file, start..<count, at: url)
        let read = bytes.withUnsafeBytes {
            OutboxRecord.read($0, from: start, isCutOff: start > 0)
        }
        // The process that has written them may have been killed before they were on the disk.
        if !read.records.isEmpty { try synchronize(opened) }
        end = start + read.end
        unkept += read.lost
        if !read.lost.isEmpty {
            isDamaged = true
            // If this fails, as on a full disk, the file isn't replaced before it has succeeded.
            try? keepLost()
        }
        return read.records
    }

    /// The file with the bytes of a ``OutboxRecord/lost(_:_:count:)``.
    static func damagedName(_ id: UUID) -> String { "\(id.uuidString).damaged" }

    /// Keeps bytes that can't be read, before the file is replaced by one without them.
    private mutating func keepLost() throws(FileError) {
        while let (id, bytes) = unkept.last {
            let name = Self.damagedName(id)
            if !bytes.isEmpty, folder.file(name)?.size != bytes.count {
                try folder.write(bytes, as: name, isDurable: true)
            }
            unkept.removeLast()
        }
    }

    private func synchronize(_ opened: Opened) throws(FileError) {
        guard fsync(opened.file.descriptor) == 0 else { throw FileError(url, code: errno) }
    }

    /// Appends records. Call this after ``catchUp()``, while no other process writes.
    ///
    /// - Throws: A ``FileError``, such as for a full disk. The file is as before then.
    mutating func append(_ bytes: [UInt8]) throws(FileError) -> News {
        guard let opened, !bytes.isEmpty else { return News() }
        let start = end
        do throws(FileError) {
            // What is after the end was cut off when its process was killed.
            if try opened.file.count > start { try cut(opened, to: start) }
            try opened.file.write(Data(bytes), at: start)
            try synchronize(opened)
        } catch {
            if !removes(start, of: opened) { failed = (Data(bytes), start) }
            throw error
        }
        let read = bytes.withUnsafeBytes { OutboxRecord.read($0, from: start) }
        end = start + bytes.count
        return News(records: read.records)
    }

    /// Removes what couldn't be written. A full disk may refuse even that for a moment.
    private func removes(_ start: Int, of opened: Opened) -> Bool {
        for _ in 0..<20 {
            if (try? cut(opened, to: start)) != nil { return true }
            // Without its mark, the first record isn't read by others.
            try? opened.file.write(Data(count: 4), at: start)
            usleep(1000)
        }
        return false
    }

    private func cut(_ opened: Opened, to end: Int) throws(FileError) {
        guard ftruncate(opened.file.descriptor, off_t(end)) == 0
        else { throw FileError(url, code: errno) }
    }

    /// Replaces the file by one with the records of entries that haven't ended. If that fails, as
    /// on a full disk, the file is as before. Call this in `SharedFolder.whileLocked(_:_:)`.
    ///
    /// - Parameter entries: The entries in their order, with the place and the size of the record
    ///   that has added each, and with its later records.
    mutating func compact(
        _ entries: [(end: Int, size: Int, later: [UInt8])]
    ) throws(FileError) -> News {
        guard let opened else { return News() }
        try keepLost()
        var data = Self.head
        for entry in entries {
            let place = entry.end - entry.size..<entry.end
            data.append(try Self.bytes(of: opened.file, place, at: url))
            data.append(contentsOf: entry.later)
        }
        try folder.write(data, as: Self.name, isDurable: true)
        return try catchUp()
    }
}

extension SharedFolder {
    /// Runs a function while no other process writes in the folder.
    ///
    /// - Throws: What the function throws, and a ``FileError`` if others write for a minute.
    func whileLocked(_ url: URL, _ body: () throws(FileError) -> Void) throws(FileError) {
        var result: Result<Void, FileError> = .success(())
        let isLocked = change(waiting: 60) { _ in
            do throws(FileError) { try body() } catch { result = .failure(error) }
        }
        guard isLocked else { throw FileError(url, code: EAGAIN) }
        try result.get()
    }
}
