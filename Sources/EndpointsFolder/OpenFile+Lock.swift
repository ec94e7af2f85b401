import Endpoints
import Foundation

extension OpenFile {
    /// Locks the file against other processes and other ``OpenFile``s, until ``unlock()`` or until
    /// it is closed. Waits at most so many seconds for others to unlock it.
    ///
    /// - Returns: 0, or the system's code: `EWOULDBLOCK` if others still have the lock, and another
    ///   code if the file system has no locks.
    package func lock(waiting seconds: TimeInterval) -> Int32 {
        let end = ProcessInfo.processInfo.systemUptime + seconds
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            guard code == EWOULDBLOCK, ProcessInfo.processInfo.systemUptime < end
            else { return code }
            usleep(1000)
        }
        return 0
    }

    /// Whether the file is still the one at a path: nobody has removed or replaced it since it was
    /// opened. Others may lock a new one in its place.
    package func isAt(_ path: String) -> Bool {
        var (own, present) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && lstat(path, &present) == 0
            && (own.st_ino, own.st_dev) == (present.st_ino, present.st_dev)
    }

    package func unlock() { flock(descriptor, LOCK_UN) }
}
