import Endpoints
import Foundation

/// A folder in which several processes write files, one at a time.
package final class SharedFolder: Sendable {
    package struct File {
        package let name: String
        package let size: Int
        /// Seconds since 1970.
        package let lastUse: Double
    }

    package static let temporaryName = ".new"
    private static let lockName = ".lock"

    private let url: URL
    private let path: String
    private let lock: Locked<OpenFile>

    /// Makes the folder, if there is none, and opens its lock. Only its owner can read the files.
    ///
    /// - Throws: A ``FolderError``, such as for a missing permission, and for a lock that is a
    ///   link.
    package init(_ url: URL) throws(FolderError) {
        guard url.isFileURL else { throw FolderError(.notAFolder, at: url, code: ENOTDIR) }
        self.url = url
        path = url.path
        var file: OpenFile?
        // Somebody may delete the folder at the same time.
        for attempt in 1...10 where file == nil {
            let code = NewFolder.make(path)
            guard code == 0 else {
                throw FolderError(code == ENOTDIR ? .notAFolder : .notMade, at: url, code: code)
            }
            do throws(FileError) { file = try Self.openLock(in: url) } catch {
                if error.kind == .missing, attempt < 10 { continue }
                guard access(path, W_OK | X_OK) == 0
                else { throw FolderError(.notWritable, at: url, code: errno) }
                throw FolderError(.lock(Self.kind(of: "\(path)/\(Self.lockName)")), error)
            }
        }
        guard access(path, W_OK | X_OK) == 0, let file
        else { throw FolderError(.notWritable, at: url, code: errno) }
        lock = Locked(file)
    }

    /// The lock of a folder, which is made if there is none.
    private static func openLock(in url: URL) throws(FileError) -> OpenFile {
        try openFile(lockName, in: url, O_CREAT)
    }

    /// Opens a file to read and write it. A pipe, or another name of a file elsewhere, isn't
    /// opened.
    private static func openFile(
        _ name: String, in url: URL, _ flag: Int32
    ) throws(FileError) -> OpenFile {
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flag
        let file = try OpenFile(open("\(url.path)/\(name)", flags, 0o600), at: url)
        var status = stat()
        let isFile = fstat(file.descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        guard isFile, status.st_nlink <= 1 else { throw FileError(url, code: EINVAL) }
        return file
    }

    /// Opens a file to read and write it, which is kept open for long. A link, a pipe, and another
    /// name of a file elsewhere aren't opened.
    ///
    /// - Throws: A ``FileError``, such as `.missing` if there is no such file, and none is made.
    package func openFile(_ name: String, making isMade: Bool) throws(FileError) -> OpenFile {
        try Self.openFile(name, in: url, isMade ? O_CREAT : 0)
    }

    /// Whether a file that was opened is still the one of its name: nobody has removed or replaced
    /// it.
    package func isPresent(_ file: OpenFile, as name: String) -> Bool {
        file.isAt("\(path)/\(name)")
    }

    /// What is at a path, if that isn't a file with one name; otherwise `nil`.
    private static func kind(of path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: status.st_nlink > 1 ? "another name of a file elsewhere" : nil
        case S_IFLNK: "a link"
        case S_IFIFO: "a pipe"
        case S_IFDIR: "a folder"
        default: "a socket or a device"
        }
    }

    /// A number that grows with each change that a process begins in this folder. `nil` if it isn't
    /// known: before the first change, and if somebody has deleted the folder or its lock, as a
    /// system does that needs space. There may be others in their places.
    package var changes: UInt64? {
        lock.withLock { lock in
            var changes: UInt64 = 0
            guard !isDeleted(lock), pread(lock.descriptor, &changes, 8, 0) == 8, changes > 0
            else { return nil }
            return changes
        }
    }

    private func isDeleted(_ lock: OpenFile) -> Bool { !isPresent(lock, as: Self.lockName) }

    /// Runs a change while no other process, and no other ``SharedFolder``, runs one. Makes the
    /// folder again if it was deleted. `false` if that fails, or if others hold the lock for so
    /// many seconds.
    package func change(
        waiting seconds: TimeInterval, _ body: (_ changes: UInt64) -> Void
    ) -> Bool {
        let own = lock.withLock { lock -> OpenFile? in
            // It may be deleted, and made again by others, while this waits.
            for _ in 0..<10 {
                if isDeleted(lock) {
                    guard NewFolder.make(path) == 0, let new = try? Self.openLock(in: url)
                    else { return nil }
                    lock = new
                }
                guard lock.lock(waiting: seconds) == 0 else { return nil }
                if !isDeleted(lock) { return lock }
                lock.unlock()
            }
            return nil
        }
        guard let own else { return false }
        defer { own.unlock() }
        // Those who knew a lock that was deleted must not take a new one for it.
        if changes == nil { setChanges(.random(in: 1 ... .max / 2)) }
        body(changes ?? 0)
        return true
    }

    /// Sets the number of changes. It is set before the change, so that a process that is killed
    /// meanwhile leaves the new number.
    package func setChanges(_ number: UInt64) {
        var number = number
        _ = lock.withLock { pwrite($0.descriptor, &number, 8, 0) }
    }

    /// The files whose names have an ending; `nil` if the folder can't be read.
    package func files(_ suffix: String) -> [File]? {
        guard let directory = opendir(path) else { return errno == ENOENT ? [] : nil }
        defer { closedir(directory) }
        var files: [File] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasSuffix(suffix), let file = file(name) else { continue }
            files.append(file)
        }
        return files
    }

    package func file(_ name: String) -> File? {
        var status = stat()
        guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return File(name: name, size: Int(clamping: status.st_size), lastUse: status.lastUse)
    }

    /// The content of a file; `nil` if it has more bytes than `limit`, or isn't a file.
    ///
    /// - Parameter isOwn: Whether it must be a file that only this user can have written.
    package func read(_ name: String, limit: Int, isOwn: Bool = false) -> Data? {
        // A pipe must not be waited for.
        let descriptor = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard let file = try? OpenFile(descriptor, at: url), let count = try? file.count,
            !isOwn || Self.isOwn(file), count > 0, count <= limit,
            let data = try? file.read(upTo: count, from: 0),
            data.count == count
        else { return nil }
        return data
    }

    /// Whether only this user can have written a file: it is one of this user, with no other name,
    /// and not writable by others.
    package static func isOwn(_ file: OpenFile) -> Bool {
        var status = stat()
        return fstat(file.descriptor, &status) == 0 && status.st_uid == geteuid()
            && status.st_nlink == 1 && status.st_mode & 0o022 == 0
    }

    /// Writes a file beside the one that it replaces, and then gives it that one's name. Call this
    /// in a ``change(waiting:_:)``, as there is one name for the file beside it.
    ///
    /// - Parameter isDurable: Whether the file's bytes and name are on the disk when this returns,
    ///   so that a loss of power doesn't undo it.
    /// - Throws: A ``FileError``, such as for a full disk. The file of the name is as it was.
    package func write(
        _ data: Data, as name: String, isDurable: Bool = false
    ) throws(FileError) {
        try OpenFile.replace(
            "\(path)/\(name)", with: data, beside: "\(path)/\(Self.temporaryName)", at: url,
            isDurable: isDurable)
    }

    /// Returns when the names of the files are on the disk.
    package func synchronize() throws(FileError) {
        try OpenFile.synchronizeFolder(path, at: url)
    }

    /// Removes a file; empties it if the folder can't be written.
    package func remove(_ name: String) {
        guard unlink("\(path)/\(name)") != 0, errno != ENOENT else { return }
        let flags = O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        _ = try? OpenFile(open("\(path)/\(name)", flags), at: url)
    }

    /// Sets a file's time of last use to now.
    package func use(_ name: String) { utimes("\(path)/\(name)", nil) }
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

/// Why a folder can't be used.
package struct FolderError: Error {
    package enum Kind {
        case notAFolder, notMade, notWritable
        /// What the lock is, if it isn't a file.
        case lock(String?)
    }

    package let kind: Kind
    package let cause: FileError

    init(_ kind: Kind, _ cause: FileError) {
        self.kind = kind
        self.cause = cause
    }

    init(_ kind: Kind, at url: URL, code: Int32) {
        self.init(kind, FileError(url, code: code))
    }

    /// What is wrong, and what to do.
    package var reason: String {
        let advice = "choose a folder that the program may make and write"
        return switch (kind, cause.kind) {
        case (.notAFolder, _): "it isn't the URL of a folder; \(advice)"
        case (.notMade, .notPermitted):
            "it can't be made, as the folder that it would be in is protected; \(advice)"
        case (.notMade, .missing): "the system makes no folder there; \(advice)"
        case (.notMade, .other(let code)): "it can't be made (errno \(code)); \(advice)"
        case (.notWritable, _): "it is protected; \(advice)"
        case (.lock(let kind?), _):
            "the file `.lock` in it is \(kind); remove that, or choose another folder"
        case (.lock(nil), .notPermitted):
            """
            the file `.lock` in it is protected; change its permissions, or choose another \
            folder
            """
        case (.lock(nil), .other(let code)):
            "the file `.lock` in it can't be opened (errno \(code)); \(advice)"
        case (.notMade, _), (.lock(nil), _): "\(cause)"
        }
    }
}
