import Endpoints
import EndpointsFolder
import EndpointsShared
import Foundation

/// Keeps tokens in a file that only its owner can read (mode 0600). Several processes may use it.
///
///     let store = FileOAuthStore(folder.appendingPathComponent("tokens.json"))
///
/// Missing folders are made, for their owner only. A file is replaced as a whole, so that a crash
/// leaves the old or the new tokens. Beside it are `.lock` and `.write` files of the same name,
/// which are empty, and a `.new` one while tokens are written. While one process refreshes the
/// tokens, others wait, and then use its tokens. Don't remove the lock meanwhile: another process
/// would send the same refresh token, which ends the sign-in at some servers.
///
/// A file is refused with an ``OAuthStoreError`` if it is a symbolic link, has a second name (a
/// hard link), belongs to another user, or can be read or written by others. Don't put it on a
/// network file system that has no locks.
public struct FileOAuthStore: OAuthStore {
    private let url: URL
    private let patience: TimeInterval

    /// Makes a store of a file, which need not be there yet.
    /// - Parameters:
    ///   - url: The file's URL.
    ///   - patience: How many seconds to wait while another process refreshes the tokens. After
    ///     that, the call ends with an ``OAuthStoreError``.
    public init(_ url: URL, patience: TimeInterval = 120) {
        self.url = url
        self.patience = patience
    }

    /// The tokens; `nil` if there is no file.
    /// - Throws: An ``OAuthStoreError``.
    public func load() throws -> OAuthTokens? { try read().map(tokens) }

    /// Replaces the file; `nil` removes it.
    /// - Throws: An ``OAuthStoreError``.
    public func save(_ tokens: OAuthTokens?) throws {
        try writing { try write(tokens) }
    }

    /// Replaces the file if its tokens are still `old`.
    /// - Throws: An ``OAuthStoreError``.
    public func replace(_ old: OAuthTokens?, with new: OAuthTokens?) throws -> Bool {
        try writing {
            guard try load() == old else { return false }
            try write(new)
            return true
        }
    }

    /// Runs a function while no other process, and nobody else in this one, runs one for this file.
    public func exclusively<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        var file = try openLock("lock")
        let end = ProcessInfo.processInfo.systemUptime + patience
        while true {
            let code = file.lock(waiting: 0)
            if code == 0, !isRemoved(file, "lock") { break }
            guard code == 0 || code == EWOULDBLOCK else { throw error(.other(code)) }
            if isRemoved(file, "lock") { file = try openLock("lock") }
            guard ProcessInfo.processInfo.systemUptime < end else { throw error(.busy) }
            try await TransportClock.system.sleep(0.02)
        }
        defer { file.unlock() }
        return try await body()
    }

    // MARK: The file

    private static let limit = 1 << 20

    private func error(_ kind: OAuthStoreError.Kind) -> OAuthStoreError {
        OAuthStoreError(kind, at: url)
    }

    private func writing<Value>(_ body: () throws -> Value) throws -> Value {
        for _ in 0..<10 {
            let file = try openLock("write")
            // What is done meanwhile takes no longer than writing a file.
            guard file.lock(waiting: 10) == 0 else { throw error(.busy) }
            defer { file.unlock() }
            if !isRemoved(file, "write") { return try body() }
        }
        throw error(.busy)
    }

    /// Whether somebody has removed a lock file. Others may use a new one in its place.
    private func isRemoved(_ file: OpenFile, _ suffix: String) -> Bool {
        !file.isAt("\(url.path).\(suffix)")
    }

    private func openLock(_ suffix: String) throws -> OpenFile {
        guard url.isFileURL, !url.lastPathComponent.isEmpty else { throw error(.notAFile) }
        let folder = (url.path as NSString).deletingLastPathComponent
        let code = folder.isEmpty ? 0 : NewFolder.make(folder)
        guard code == 0 else { throw error(.other(code)) }
        // Whoever may rename the file could bring back one whose refresh token was used.
        var status = stat()
        guard stat(folder.isEmpty ? "." : folder, &status) == 0 else { throw error(.other(errno)) }
        guard status.st_mode & 0o002 == 0 || status.st_mode & 0o1000 != 0
        else { throw error(.openFolder) }
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = try opened(open("\(url.path).\(suffix)", flags, 0o600))
        try check(file)
        return file
    }

    private func read() throws -> Data? {
        guard url.isFileURL else { throw error(.notAFile) }
        // A pipe must not be waited for.
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        let file = try opened(descriptor)
        try check(file)
        guard let count = try? file.count, count <= Self.limit,
            let data = try? file.read(upTo: count, from: 0), data.count == count
        else { throw error(.damaged) }
        return data
    }

    private func tokens(_ data: Data) throws -> OAuthTokens {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        do { return try decoder.decode(OAuthTokens.self, from: data) } catch {
            throw self.error(.damaged)
        }
    }

    private func opened(_ descriptor: Int32) throws -> OpenFile {
        if descriptor < 0 {
            switch errno {
            case ELOOP, EMLINK: throw error(.link)
            case EISDIR, ENXIO, ENOTDIR: throw error(.notAFile)
            case EACCES, EPERM, EROFS: throw error(.notPermitted)
            case let code: throw error(.other(code))
            }
        }
        return try OpenFile(descriptor, at: url)
    }

    private func check(_ file: OpenFile) throws {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { throw error(.notAFile) }
        guard status.st_nlink <= 1 else { throw error(.link) }
        guard status.st_uid == geteuid() else { throw error(.othersFile) }
        guard status.st_mode & 0o077 == 0 else { throw error(.readableByOthers) }
    }

    /// Writes a file beside the one that it replaces, and then gives it that one's name.
    private func write(_ tokens: OAuthTokens?) throws {
        // What is there and can't be trusted isn't replaced either.
        _ = try read()
        let new = "\(url.path).new"
        guard let tokens else {
            // A crash may have left the second one, with tokens.
            for path in [url.path, new] where unlink(path) != 0 && errno != ENOENT {
                throw error(.other(errno))
            }
            return syncFolder()
        }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(tokens)
        guard data.count <= Self.limit else { throw error(.notWritten) }
        // A link of this name would lead to another file.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        var descriptor = open(new, flags, 0o600)
        if descriptor < 0, errno == EEXIST, unlink(new) == 0 {
            descriptor = open(new, flags, 0o600)
        }
        let file = try opened(descriptor)
        do {
            try file.write(data, at: 0)
            guard fsync(file.descriptor) == 0, rename(new, url.path) == 0
            else { throw error(.other(errno)) }
        } catch {
            unlink(new)
            throw (error as? OAuthStoreError) ?? self.error(.notWritten)
        }
        syncFolder()
    }

    /// Makes a rename survive a crash of the system. Not every file system can.
    private func syncFolder() {
        let folder = (url.path as NSString).deletingLastPathComponent
        if let file = try? OpenFile(open(folder, O_RDONLY | O_CLOEXEC), at: url) {
            _ = fsync(file.descriptor)
        }
    }
}

/// Why a ``FileOAuthStore`` can't use its file.
public struct OAuthStoreError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// The file, or a lock beside it, is a link, or has another name elsewhere.
        case link
        /// There is something else than a file, or the URL isn't that of a file.
        case notAFile
        /// The file belongs to another user.
        case othersFile
        /// Others may read or write the file.
        case readableByOthers
        /// Others may write to the folder.
        case openFolder
        /// The process may not read or write there.
        case notPermitted
        /// The file has no tokens that this version can read.
        case damaged
        /// The new tokens can't be written, such as because the disk is full.
        case notWritten
        /// Another process has refreshed the tokens for too long.
        case busy
        /// Anything else, by the system's `errno`.
        case other(Int32)
    }

    /// What is wrong.
    public let kind: Kind
    /// The file.
    public let url: URL

    init(_ kind: Kind, at url: URL) {
        self.kind = kind
        self.url = url
    }
}

extension OAuthStoreError: CustomStringConvertible, LocalizedError {
    /// What is wrong and what to do, without the file's name.
    public var description: String {
        switch kind {
        case .link: "the file of tokens is a symbolic link or has a second name; remove it"
        case .notAFile: "the file of tokens isn't a file; choose another URL"
        case .othersFile: "the file of tokens belongs to another user; choose another URL"
        case .readableByOthers:
            "the file of tokens can be read or written by others; set its mode to 600, or remove it"
        case .openFolder:
            """
            others may write to the folder of the file of tokens; take that right from them, or \
            choose another URL
            """
        case .notPermitted: "the file of tokens is protected; change its permissions"
        case .damaged: "the file of tokens can't be understood; remove it and sign in again"
        case .notWritten: "the new tokens can't be written; make space on the disk"
        case .busy: "another process keeps the file of tokens locked; try again later"
        case .other(let code): "the file of tokens can't be used (errno \(code))"
        }
    }
    /// The same text as `description`.
    public var errorDescription: String? { description }
}

extension OAuthStoreError: TransientError {
    /// Whether the same may succeed later: another process has used the file.
    public var isTransient: Bool { kind == .busy }
}
