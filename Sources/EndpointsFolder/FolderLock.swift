import Endpoints
import Foundation

/// A lock that one process has for long, while others write in the folder.
///
/// The folder itself is locked, so that nobody gets the lock by removing a file. Some file systems
/// have no locks of folders, such as NFS: there a file in it is locked.
package final class FolderLock: Sendable {
    private let file: Locked<OpenFile>
    private let path: String

    /// Takes the lock. `nil` if another ``FolderLock`` has it, in any process.
    ///
    /// - Parameters:
    ///   - name: The name of the file that is locked if the folder can't be.
    ///   - locksFolders: Whether the folder's file system has locks of folders.
    /// - Throws: A ``FileError``, such as for a file system that has no locks at all.
    package init?(
        _ folder: URL, orFile name: String, locksFolders: Bool = true
    ) throws(FileError) {
        // The folder may be a link, which `/.` follows.
        var (path, flags) = ("\(folder.path)/.", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        var isFolder = locksFolders
        // Somebody may remove what is locked between its opening and its lock. Then others may lock
        // what is in its place.
        for _ in 0..<100 {
            if !isFolder {
                path = "\(folder.path)/\(name)"
                flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
            }
            let file = try OpenFile(open(path, flags, 0o600), at: folder)
            let code = file.lock(waiting: 0)
            if code == EWOULDBLOCK { return nil }
            if code != 0, isFolder {
                isFolder = false
            } else if code != 0 {
                throw FileError(folder, code: code)
            } else if file.isAt(path) {
                (self.file, self.path) = (Locked(file), path)
                return
            }
        }
        throw FileError(folder, code: EAGAIN)
    }

    /// Whether what is locked is still there: nobody has removed or replaced it.
    package var isPresent: Bool { file.withLock { $0.isAt(path) } }
}
