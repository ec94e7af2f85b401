import Endpoints
import EndpointsFolder
import EndpointsShared
import Foundation

/// What is kept of an upload on disk: where the server takes it, and of which file it is. How much
/// of it the server has is asked of the server.
struct UploadState: Codable, Equatable, Sendable {
    /// The protocol's name, such as `tus`.
    var uploading: String
    var file: UploadedFile.Identity
    /// The URL that the server has named for the upload; `nil` until it has.
    var url: String?
    /// The digest with which the server of tus checks the pieces.
    var checksum: String?
    /// The server's name for an upload of S3, and how many bytes its parts have.
    var id: String?
    var partSize: Int64?
    /// The parts of an upload of S3 whose end was asked for.
    var tags: [String]?
    /// The parts of the file that tus joins, in order.
    var parts: [Part]?

    /// A part of the file, which is an upload of its own.
    struct Part: Codable, Equatable, Sendable {
        /// The first byte after it.
        var end: Int64
        /// The URL that the server has named for it; `nil` until it has.
        var url: String?
    }
}

extension UploadState {
    /// Whether the server may know the upload.
    var isBegun: Bool {
        url != nil || id != nil || parts?.contains { $0.url != nil } == true
    }

    private static let format = "Endpoints upload 1"

    /// A line that names the format, a line with a checksum, and JSON.
    var data: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let json = try encoder.encode(self)
            return Data("\(Self.format)\n\(SHA256.hash(json).hex)\n".utf8) + json
        }
    }

    /// `nil` if the bytes aren't a whole state of this format.
    init?(_ data: Data) {
        let lines = data.split(separator: .lineFeed, maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3, lines[0].elementsEqual(Self.format.utf8),
            lines[1].elementsEqual(SHA256.hash(Data(lines[2])).hex.utf8),
            let state = try? JSONDecoder().decode(UploadState.self, from: Data(lines[2])),
            state.file.size >= 0
        else { return nil }
        self = state
    }
}

/// The state of one upload in a folder. As long as this exists, no other call and no other process
/// has it.
final class UploadStore: Sendable {
    private static let suffix = ".upload"
    private static let limit = 1 << 20
    /// The seconds after which a state that nobody asks for is removed: 30 days.
    private static let longestAge: TimeInterval = 30 * 86_400

    private let folder: SharedFolder
    private let url: URL
    private let name: String
    private let lock: Locked<OpenFile>

    private var fileName: String { name + Self.suffix }
    private static let lockSuffix = ".upload-lock"
    private static func lockPath(_ name: String, in url: URL) -> String {
        "\(url.path)/\(name)\(lockSuffix)"
    }

    /// Opens a state that may not be there yet.
    /// - Throws: A `FolderError` for a folder that can't be used, a ``Endpoints/FileError`` for a
    ///   lock that can't be, and an ``UploadError`` if others have the state.
    init(named name: String, in url: URL) throws {
        folder = try SharedFolder(url)
        self.url = url
        self.name = name
        lock = Locked(try Self.locked(name, in: url))
    }

    deinit {
        // A lock without a state is of no use.
        let path = Self.lockPath(name, in: url)
        guard folder.file(fileName) == nil, lock.withLock({ $0.isAt(path) }) else { return }
        unlink(path)
    }

    private static func locked(_ name: String, in url: URL) throws -> OpenFile {
        let path = lockPath(name, in: url)
        // The one who had the lock removes it at the end of an upload.
        for _ in 0..<100 {
            let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
            let file = try OpenFile(open(path, flags, 0o600), at: url)
            var own = stat()
            guard fstat(file.descriptor, &own) == 0 else { throw FileError(url, code: errno) }
            guard own.st_mode & S_IFMT == S_IFREG, own.st_nlink <= 1
            else { throw FileError(url, code: EINVAL) }
            // Another user could keep it locked for ever.
            guard own.st_uid == geteuid() else {
                guard unlink(path) == 0 else { throw FileError(url, code: errno) }
                continue
            }
            let code = file.lock(waiting: 0)
            guard code == 0 else {
                throw code == EWOULDBLOCK ? UploadError(.inUse) : FileError(url, code: code)
            }
            if file.isAt(path) { return file }
        }
        throw UploadError(.inUse)
    }

    /// The state; `nil` if there is none that can be read, or others may have written it. It is in
    /// use from now on.
    func read() -> UploadState? {
        guard let data = folder.read(fileName, limit: Self.limit, isOwn: true) else { return nil }
        folder.use(fileName)
        return UploadState(data)
    }

    /// Writes the state, so that it is on the disk when this returns.
    func write(_ state: UploadState) throws {
        let data = try state.data
        try change { () throws(FileError) in
            try folder.write(data, as: fileName, isDurable: true)
        }
    }

    /// Removes the state.
    func remove() throws {
        try change { () throws(FileError) in
            folder.remove(fileName)
            try folder.synchronize()
        }
    }

    /// Removes the states that nobody has asked for in a long time, and the locks of processes that
    /// were killed before they had a state.
    func removeOld(at date: Date) {
        let limit = date.timeIntervalSince1970 - Self.longestAge
        for file in folder.files(Self.suffix) ?? [] where file.lastUse < limit {
            remove(file.name.dropLast(Self.suffix.count))
        }
        for file in folder.files(Self.lockSuffix) ?? [] {
            let name = file.name.dropLast(Self.lockSuffix.count)
            if folder.file(name + Self.suffix) == nil { remove(name) }
        }
    }

    /// Removes the state of another upload, unless others have it. A file of another name is
    /// somebody's own.
    private func remove(_ stem: Substring) {
        let (name, digits) = (String(stem), Set("0123456789abcdef"))
        guard name.utf8.count == 64, name.allSatisfy(digits.contains), name != self.name,
            let lock = try? Self.locked(name, in: url)
        else { return }
        folder.remove(name + Self.suffix)
        unlink(Self.lockPath(name, in: url))
        withExtendedLifetime(lock) {}
    }

    /// - Throws: An ``UploadError`` if another upload or process changes the folder just now, or
    ///   has the state, as somebody has removed the lock's file.
    private func change(_ body: () throws(FileError) -> Void) throws {
        try lock.withLock { lock in
            guard !lock.isAt(Self.lockPath(name, in: url)) else { return }
            lock = try Self.locked(name, in: url)
        }
        var failure: FileError?
        let hasChanged = folder.change(waiting: 0) { _ in
            do throws(FileError) { try body() } catch { failure = error }
        }
        if let failure { throw failure }
        guard hasChanged else { throw UploadError(.inUse) }
    }
}
