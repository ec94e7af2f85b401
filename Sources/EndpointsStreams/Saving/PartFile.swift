import Endpoints
import EndpointsFolder
import Foundation

/// A file that is written beside its destination, and moved there when it is complete. It gets the
/// permissions of the file that it replaces. If the destination is a symbolic link, the file that
/// the link leads to is replaced.
///
/// While this object lives, the part is locked against other processes and tasks. A part without a
/// key is deleted with this object, if it isn't moved. A part with a key is found again by it; see
/// ``keep()``.
///
/// It is `@unchecked Sendable` because of `file`, whose descriptor is a constant. Several tasks may
/// write, each at another place (`pwrite`). What changes is in `state`.
final class PartFile: @unchecked Sendable {
    private struct State {
        /// What a later process needs to go on; `nil` if it can't.
        var record: PartRecord?
        var ranges = ByteRanges()
        /// Grows when the bytes are no longer those that an earlier record is of.
        var version = 0
        /// Whether the part was moved, removed or left to a later download.
        var hasEnded = false
        var saving = Saving()
        var days = KeptPart.part.days

        /// What a later process needs to go on with the bytes that are in the file now.
        var currentRecord: PartRecord? {
            var record = record
            record?.ranges = ranges
            record?.days = days
            return record
        }
    }

    /// When the record was saved.
    private struct Saving {
        var isRunning = false
        /// By the system's uptime, in seconds.
        var lastTime = ProcessInfo.processInfo.systemUptime
        /// How many records were made, and the number of the last one that was written.
        var count = 0
        var written = 0
        /// Why bytes didn't get to the disk, after which they may be lost (`fsync(2)`).
        var failure: FileError?
    }

    /// Where the file is to be; not a symbolic link.
    let destination: URL
    private let name: PartName
    let file: OpenFile
    private let isKept: Bool
    private let state = Locked(State())
    /// Held while the file's bytes are brought to the disk.
    private let diskLock = Locked(())
    /// Held while the record is written or removed.
    private let recordLock = Locked(())

    /// A part that is deleted if it isn't moved.
    ///
    /// - Throws: A ``FileError``, such as for a missing directory.
    init(for destination: URL) throws(FileError) {
        self.destination = try destination.followingLink()
        let folder = self.destination.deletingLastPathComponent()
        PartFolder(folder).clean()
        while true {
            let name = PartName(.random, in: folder)
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
            let file = try OpenFile(open(name.part, flags, 0o666), at: destination)
            // Without locks, as in some network file systems, nobody removes parts of others.
            _ = file.lock(waiting: 1)
            // A process that removes what others have left may have been faster than the lock.
            guard file.isAt(name.part) else { continue }
            (self.name, self.file) = (name, file)
            break
        }
        isKept = false
        takePermissions(and: 0o600)
    }

    /// The part with a key, with what an earlier download has left in it; `nil` while another
    /// process or task has it.
    ///
    /// - Throws: A ``FileError``, such as for a missing directory.
    init?(for destination: URL, key: PartKey) throws(FileError) {
        self.destination = try destination.followingLink()
        let name = PartName(key, in: self.destination.deletingLastPathComponent())
        self.name = name
        isKept = true
        while true {
            let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
            let descriptor = open(name.part, flags, 0o666)
            // No download makes a link of this name.
            if descriptor < 0, errno == ELOOP, unlink(name.part) == 0 { continue }
            let file = try OpenFile(descriptor, at: destination)
            let code = file.lock(waiting: 0)
            if code == EWOULDBLOCK { return nil }
            guard code == 0 else { throw FileError(destination, code: code) }
            // The one who had the lock may have moved or removed the file meanwhile.
            guard file.isAt(name.part) else { continue }
            // Another name of a file elsewhere, or a file of another user, isn't written.
            guard file.isOwn else {
                guard unlink(name.part) == 0 else { throw FileError(destination, code: errno) }
                continue
            }
            self.file = file
            break
        }
        // Its age counts from now on, as it is asked for now.
        futimens(file.descriptor, nil)
        takePermissions(and: 0o600)
        if let record = name.record, record.ranges.end <= Int64((try? file.count) ?? 0) {
            state.withLock { state in
                state.record = record
                state.ranges = record.ranges
            }
        } else {
            try removeRecord()
        }
        // Bytes after those of the record may be of a process that was killed.
        guard ftruncate(file.descriptor, off_t(ranges.end)) == 0
        else { throw FileError(destination, code: errno) }
    }

    /// A file that is open already, and isn't deleted; for tests.
    init(_ file: OpenFile, destination: URL) {
        self.destination = destination
        self.file = file
        name = PartName(.random, in: destination.deletingLastPathComponent())
        isKept = false
        state.withLock { $0.hasEnded = true }
    }

    deinit {
        // A part without a record is of no use.
        guard !isKept, !state.withLock(\.hasEnded) else { return }
        unlink(name.part)
    }

    /// Gives the file the permissions of the one at the destination, if there is one.
    ///
    /// - Parameter own: Permissions that it has besides: a later process must be able to go on
    ///   with a part.
    private func takePermissions(and own: mode_t = 0) {
        var status = stat()
        guard stat(destination.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return }
        _ = fchmod(file.descriptor, status.st_mode & 0o777 | own)
    }

    /// Sets for how many days in which nobody asks for it the part is kept.
    func setDays(_ days: Double) { state.withLock { $0.days = days } }

    /// The bytes that are in the file.
    var ranges: ByteRanges { state.withLock(\.ranges) }

    /// What is known of the bytes that are in the file; `nil` if a download can't go on with them.
    var record: PartRecord? {
        state.withLock(\.currentRecord)
    }

    func checkRoom(for count: Int64) throws(FileError) {
        let directory = destination.deletingLastPathComponent().path
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory)
        guard let room = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value,
            room < count - ranges.count
        else { return }
        throw FileError(.outOfSpace, at: destination)
    }

    /// Writes bytes, and saves the record from time to time.
    func write(_ chunk: Data, at offset: Int64) throws(FileError) {
        if let failure = state.withLock(\.saving.failure) { throw failure }
        try file.write(chunk, at: Int(offset))
        let isDue = state.withLock { state in
            state.ranges.insert(offset..<offset + Int64(chunk.count))
            guard isKept, state.record != nil, !state.saving.isRunning else { return false }
            let time = ProcessInfo.processInfo.systemUptime
            guard time - state.saving.lastTime >= Self.seconds else { return false }
            state.saving.lastTime = time
            state.saving.isRunning = true
            return true
        }
        guard isDue else { return }
        DispatchQueue.global(qos: .utility).async { self.saveRecord() }
    }

    /// How often the record is saved. What a killed process has loaded since then is loaded again.
    private static let seconds = 0.5

    /// Removes all bytes, and what was known of them. The next ones are those of a file with this
    /// record, or of one that can't be gone on with.
    func removeAll(for record: PartRecord?) async throws(FileError) {
        try await inBackground { () throws(FileError) in
            self.state.withLock { state in
                state.version += 1
                state.record = nil
                state.ranges = ByteRanges()
            }
            // It must never be that of other bytes, not even after a loss of power.
            if self.isKept { try self.removeRecord() }
            guard ftruncate(self.file.descriptor, 0) == 0
            else { throw FileError(self.destination, code: errno) }
        }
        setRecord(record)
    }

    /// Sets what a later process needs to go on, for a file that has no bytes yet, or bytes of the
    /// same record.
    func setRecord(_ record: PartRecord?) {
        state.withLock { $0.record = record }
    }

    /// Sets how many bytes the whole file has, which a later response has said.
    func setTotal(_ total: Int64) { state.withLock { $0.record?.total = total } }

    /// Whether the part is still there. If somebody has deleted it, another download may have made
    /// one of the same name, which isn't this object's to move or to remove.
    private var isPresent: Bool { file.isAt(name.part) }

    /// Why a part can't be moved that somebody has deleted.
    private var deleted: FileError { FileError(.changed, at: destination) }

    private func removeRecord() throws(FileError) {
        guard isPresent || access(name.part, F_OK) != 0 else { return }
        let code = recordLock.withLock { _ in
            unlink(name.newState)
            return unlink(name.state) == 0 ? 0 : errno
        }
        guard code == 0 || code == ENOENT else { throw FileError(destination, code: code) }
        // Even if there is none: a process that was killed may have removed it only in memory.
        try OpenFile.synchronizeFolder(name.folder, at: destination)
    }

    /// Saves which bytes are on the disk. A record that can't be written is as it was.
    private func saveRecord() {
        let (record, version, number) = state.withLock { state in
            state.saving.count += 1
            return (state.currentRecord, state.version, state.saving.count)
        }
        defer { state.withLock { $0.saving.isRunning = false } }
        guard let data = record?.data, synchronize() == nil else { return }
        recordLock.withLock { _ in
            let isCurrent = state.withLock { state in
                guard state.version == version, state.saving.written < number
                else { return false }
                state.saving.written = number
                return true
            }
            guard isCurrent else { return }
            // Its bytes are of no use to anybody.
            guard isPresent else { return state.withLock { $0.saving.failure = deleted } }
            try? OpenFile.replace(
                name.state, with: data, beside: name.newState, at: destination, isDurable: true)
        }
    }

    /// Returns when the bytes are on the disk, or why they may be lost. The system says that once:
    /// its next `fsync` succeeds, though the bytes are lost. So one runs at a time, and what it has
    /// said counts from then on.
    private func synchronize() -> FileError? {
        diskLock.withLock { _ in
            if let failure = state.withLock(\.saving.failure) { return failure }
            guard fsync(file.descriptor) != 0 else { return nil }
            let failure = FileError(destination, code: errno)
            state.withLock { $0.saving.failure = failure }
            return failure
        }
    }

    /// Saves which bytes there are, so that a later download can go on with them, and unlocks the
    /// part. If nobody can go on with it, it is removed.
    func keep() async {
        try? await inBackground {
            guard self.isKept, !self.state.withLock(\.hasEnded) else { return }
            guard self.record.map({ !$0.ranges.all.isEmpty }) ?? false
            else { return self.remove() }
            self.saveRecord()
            // On a full disk, there may be no record. It is read under the lock, as one that is
            // replaced meanwhile would look like one of somebody else.
            let isSaved = self.recordLock.withLock { _ in self.name.record != nil }
            guard isSaved else { return self.remove() }
            self.end()
        }
    }

    /// Makes no more records, and doesn't write one that is being made.
    private func endSaving() {
        state.withLock { state in
            state.version += 1
            state.record = nil
        }
    }

    /// Unlocks the part. From now on, this object changes nothing.
    private func end() {
        recordLock.withLock { _ in
            endSaving()
            state.withLock { $0.hasEnded = true }
            file.unlock()
        }
    }

    /// Removes the part and its record.
    func remove() {
        guard !state.withLock(\.hasEnded) else { return }
        endSaving()
        // The part is the last one, as from then on these names may be those of a new part.
        try? removeRecord()
        if isPresent { unlink(name.part) }
        end()
    }

    /// Moves the file to its destination, after its bytes are on the disk.
    func move(replacing: Bool) async throws(FileError) {
        try await inBackground { () throws(FileError) in
            if let failure = self.synchronize() { throw failure }
            try self.moveNow(replacing: replacing)
        }
    }

    private func moveNow(replacing: Bool) throws(FileError) {
        guard isPresent else { throw deleted }
        if replacing {
            takePermissions()
            guard rename(name.part, destination.path) == 0 else {
                let code = errno
                takePermissions(and: 0o600)
                throw FileError(destination, code: code)
            }
        } else if link(name.part, destination.path) == 0 {
            unlink(name.part)
        } else {
            // `link` also fails if the file system has no hard links. Then the file is renamed, if
            // nothing is at the destination. A file that another program makes there between the
            // calls of `access` and `rename` is lost.
            guard errno != EEXIST, access(destination.path, F_OK) != 0
            else { throw FileError(.exists, at: destination) }
            return try moveNow(replacing: true)
        }
        // The record is of no use without the part, and the file must be there after a loss of
        // power. A file system that can't do that now has the file nevertheless.
        endSaving()
        if isKept { try? removeRecord() }
        try? OpenFile.synchronizeFolder(name.folder, at: destination)
        end()
    }

    /// Reads bytes of the file.
    func read(upTo count: Int, from offset: Int64) throws(FileError) -> Data {
        try file.read(upTo: count, from: Int(offset))
    }
}

/// Runs calls that may take seconds, such as `fsync`. A task shouldn't block its thread for so
/// long.
func inBackground<Value: Sendable>(
    _ work: @escaping @Sendable () throws(FileError) -> Value
) async throws(FileError) -> Value {
    let result = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            continuation.resume(returning: Result { () throws(FileError) in try work() })
        }
    }
    return try result.get()
}

extension OpenFile {
    /// Whether it is a file of this user with no other name.
    var isOwn: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_nlink == 1 && status.st_uid == geteuid()
    }
}

extension URL {
    /// The file that a symbolic link at this URL leads to, which need not exist; this URL if there
    /// is no link.
    func followingLink() throws(FileError) -> URL {
        var url = self
        // As many as Linux follows.
        for _ in 0..<40 {
            var target = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(url.path, &target, target.count)
            guard count > 0 else { return url }
            let bytes = target.prefix(count).map { UInt8(bitPattern: $0) }
            let path = String(decoding: bytes, as: UTF8.self)
            let folder = path.hasPrefix("/") ? "" : url.deletingLastPathComponent().path + "/"
            url = URL(fileURLWithPath: folder + path)
        }
        throw FileError(self, code: ELOOP)
    }
}
