import Endpoints
import Foundation

/// A folder in which several processes write files, one at a time. The calls of the system are
/// here.
final class Folder: Sendable {
    struct File {
        let name: String
        let size: Int
        /// Seconds since 1970.
        let lastUse: Double
    }

    static let temporaryName = ".new"
    private static let lockName = ".lock"

    private let path: String
    private let lock: Int32

    /// Makes the folder, if there is none, and opens its lock. Only its owner can read the files.
    ///
    /// - Throws: A ``FileError``, such as for a missing permission, and for a lock that is a link.
    init(_ url: URL) throws(FileError) {
        guard url.isFileURL else { throw FileError(.notAFile, at: url) }
        path = url.path
        lock = Self.openLock(in: path)
        guard lock >= 0, access(path, W_OK | X_OK) == 0
        else { throw FileError(url, code: errno) }
    }

    private static func openLock(in path: String) -> Int32 {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: attributes)
        return open("\(path)/\(lockName)", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    /// Whether somebody has deleted the folder or its lock, as a system does that needs space.
    /// There may be others in their places.
    var isDeleted: Bool {
        var (own, present) = (stat(), stat())
        guard fstat(lock, &own) == 0 else { return false }
        return lstat("\(path)/\(Self.lockName)", &present) != 0
            || (own.st_ino, own.st_dev) != (present.st_ino, present.st_dev)
    }

    /// Makes the folder and its lock again. The lock keeps its number, as other threads use it.
    private func makeAgain() {
        let new = Self.openLock(in: path)
        guard new >= 0 else { return }
        if dup2(new, lock) == lock { _ = fcntl(lock, F_SETFD, FD_CLOEXEC) }
        close(new)
    }

    deinit { close(lock) }

    /// A number that grows with each change that a process begins in this folder; 0 if there was
    /// none yet.
    var changes: UInt64 {
        var changes: UInt64 = 0
        return pread(lock, &changes, 8, 0) == 8 ? changes : 0
    }

    /// Runs a change while no other process, and no other ``Folder``, runs one. The number of
    /// changes grows before, so that a process that is killed meanwhile leaves the new number.
    func change(_ body: (_ changes: UInt64) -> Void) {
        if isDeleted { makeAgain() }
        while flock(lock, LOCK_EX) != 0 { guard errno == EINTR else { return } }
        defer { _ = flock(lock, LOCK_UN) }
        // Those who knew a lock that was deleted must not take a new one for it.
        if changes == 0 { setChanges(.random(in: 1 ... .max / 2)) }
        body(changes)
    }

    func setChanges(_ number: UInt64) {
        var number = number
        _ = pwrite(lock, &number, 8, 0)
    }

    func files() -> [File] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var files: [File] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasSuffix(EntryName.suffix), let file = file(name) else { continue }
            files.append(file)
        }
        return files
    }

    func file(_ name: String) -> File? {
        var status = stat()
        guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return File(name: name, size: Int(clamping: status.st_size), lastUse: status.lastUse)
    }

    /// The content of a file; `nil` if it has more bytes than `limit`, or isn't a file.
    func read(_ name: String, limit: Int) -> Data? {
        // A pipe must not be waited for.
        let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size > 0, status.st_size <= limit
        else { return nil }
        var data = Data(count: Int(status.st_size))
        let count = data.withUnsafeMutableBytes { buffer in
            var count = 0
            while count < buffer.count {
                let part = pread(
                    file, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(count))
                if part < 0 && errno == EINTR { continue }
                guard part > 0 else { break }
                count += part
            }
            return count
        }
        return count == data.count ? data : nil
    }

    /// Writes a file beside the one that it replaces, and then gives it that one's name. `false` if
    /// that fails, such as because the disk is full.
    func write(_ data: Data, as name: String) -> Bool {
        let new = "\(path)/\(Self.temporaryName)"
        // A link of this name would lead to another file.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        var file = open(new, flags, 0o600)
        if file < 0, errno == EEXIST, unlink(new) == 0 { file = open(new, flags, 0o600) }
        guard file >= 0 else { return false }
        let isWritten = data.withUnsafeBytes { bytes in
            var count = 0
            while count < bytes.count {
                let part = Foundation.write(
                    file, bytes.baseAddress.map { $0 + count }, bytes.count - count)
                if part < 0 && errno == EINTR { continue }
                guard part > 0 else { return false }
                count += part
            }
            return true
        }
        guard close(file) == 0, isWritten, rename(new, "\(path)/\(name)") == 0 else {
            unlink(new)
            return false
        }
        return true
    }

    func remove(_ name: String) { unlink("\(path)/\(name)") }

    /// Sets a file's time of last use to now.
    func use(_ name: String) { utimes("\(path)/\(name)", nil) }
}

extension stat {
    fileprivate var lastUse: Double {
        #if canImport(Darwin)
            let time = st_mtimespec
        #else
            let time = st_mtim
        #endif
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
