import Endpoints
import Foundation

/// A file that is written beside its destination, and moved there when it is complete. It gets the
/// permissions of the file that it replaces. If the destination is a symbolic link, the file that
/// the link leads to is replaced.
///
/// A file that isn't moved is deleted with this object. Only one task at a time may use the object.
final class PartFile {
    private let destination: URL
    private let part: URL
    private let file: OpenFile
    private var count = 0
    private var isMoved = false

    /// - Throws: A ``FileError``, such as for a missing directory.
    init(for destination: URL) throws(FileError) {
        self.destination = try destination.followingLink()
        part = self.destination.deletingLastPathComponent()
            .appendingPathComponent(".\(UUID().uuidString).part")
        let descriptor = open(part.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        file = try OpenFile(descriptor, at: destination)
        takePermissions()
    }

    /// A file that is open already, and isn't deleted; for tests.
    init(_ file: OpenFile, destination: URL) {
        self.destination = destination
        self.file = file
        part = destination
        isMoved = true
    }

    deinit {
        if !isMoved { unlink(part.path) }
    }

    /// Gives the file the permissions of the one at the destination, if there is one.
    private func takePermissions() {
        var status = stat()
        guard stat(destination.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return }
        _ = fchmod(file.descriptor, status.st_mode & 0o777)
    }

    func checkRoom(for count: Int64) throws(FileError) {
        let directory = destination.deletingLastPathComponent().path
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory)
        guard let room = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value, room < count
        else { return }
        throw FileError(.outOfSpace, at: destination)
    }

    func append(_ chunk: Data) throws(FileError) {
        try file.write(chunk, at: count)
        count += chunk.count
    }

    func removeAll() throws(FileError) {
        guard ftruncate(file.descriptor, 0) == 0
        else { throw FileError(destination, code: errno) }
        count = 0
    }

    /// Moves the file to its destination, after its bytes are on the disk.
    func move(replacing: Bool) async throws(FileError) {
        try await synchronize()
        if replacing {
            takePermissions()
            guard rename(part.path, destination.path) == 0
            else { throw FileError(destination, code: errno) }
            isMoved = true
        } else if link(part.path, destination.path) != 0 {
            // `link` also fails if the file system has no hard links. Then the file is renamed, if
            // nothing is at the destination. A file that another program makes there between the
            // calls of `access` and `rename` is lost.
            guard errno != EEXIST, access(destination.path, F_OK) != 0
            else { throw FileError(.exists, at: destination) }
            try await move(replacing: true)
        }
    }

    private func synchronize() async throws(FileError) {
        let descriptor = file.descriptor
        let code = await withCheckedContinuation { continuation in
            // `fsync` may take seconds, and a task shouldn't block its thread for so long.
            DispatchQueue.global().async {
                continuation.resume(returning: fsync(descriptor) == 0 ? 0 : errno)
            }
        }
        if code != 0 { throw FileError(destination, code: code) }
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
