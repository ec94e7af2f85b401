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

    package func unlock() { flock(descriptor, LOCK_UN) }
}
