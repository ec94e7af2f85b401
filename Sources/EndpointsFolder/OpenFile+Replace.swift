import Endpoints
import Foundation

extension OpenFile {
    /// Writes a file beside the one that it replaces, and then gives it that one's name. Only one
    /// process and task at a time may do so, as there is one name for the file beside it.
    ///
    /// - Parameters:
    ///   - new: The path of the file beside it. Whatever is there is removed.
    ///   - isDurable: Whether the file's bytes and name are on the disk when this returns, so that
    ///     a loss of power doesn't undo it.
    /// - Throws: A ``FileError``, such as for a full disk. The file of the path is as it was.
    package static func replace(
        _ path: String, with data: Data, beside new: String, at url: URL, isDurable: Bool
    ) throws(FileError) {
        // A link of this name would lead to another file.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        var descriptor = open(new, flags, 0o600)
        if descriptor < 0, errno == EEXIST, unlink(new) == 0 {
            descriptor = open(new, flags, 0o600)
        }
        let file = try OpenFile(descriptor, at: url)
        do throws(FileError) {
            try file.write(data, at: 0)
            guard !isDurable || fsync(file.descriptor) == 0, rename(new, path) == 0
            else { throw FileError(url, code: errno) }
        } catch {
            unlink(new)
            throw error
        }
        guard isDurable else { return }
        try synchronizeFolder((path as NSString).deletingLastPathComponent, at: url)
    }

    /// Returns when the names of the files in a folder are on the disk.
    package static func synchronizeFolder(_ path: String, at url: URL) throws(FileError) {
        let folder = try OpenFile(open(path, O_RDONLY | O_CLOEXEC), at: url)
        guard fsync(folder.descriptor) == 0 else { throw FileError(url, code: errno) }
    }
}
