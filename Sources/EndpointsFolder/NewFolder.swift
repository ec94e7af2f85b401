import Foundation

/// Folders that are made for files which only the user may read.
package enum NewFolder {
    /// Makes a folder, if there is none, and those in which it is. The system's code for what is
    /// wrong; 0 if nothing is.
    package static func make(_ path: String) -> Int32 {
        var status = stat()
        if stat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR ? 0 : ENOTDIR }
        guard errno == ENOENT else { return errno }
        let parent = (path as NSString).deletingLastPathComponent
        if !parent.isEmpty, parent != path {
            let code = make(parent)
            guard code == 0 else { return code }
        }
        if mkdir(path, 0o700) == 0 { return 0 }
        let code = errno
        // Another process may have made it meanwhile. A link that leads nowhere is in the way.
        guard code == EEXIST else { return code }
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR ? 0 : ENOTDIR
    }
}
