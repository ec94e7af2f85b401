#if canImport(FoundationNetworking)
    import Foundation

    /// A queue for a session's delegate that lets a session wait when there is too much on it.
    ///
    /// `URLSession` puts each piece of a body on its delegate's queue and goes on, so that on an
    /// `OperationQueue` all of a large body may wait in memory (Swift 6.3.1). While this queue is
    /// full, the session waits, and every other session of the process with it. So what runs here
    /// must never wait for `URLSession`. When a session itself counts what waits, this can go.
    ///
    /// It is `@unchecked` like its superclass; it adds only constants.
    final class BoundedQueue: OperationQueue, @unchecked Sendable {
        private let queue = DispatchQueue(label: "Endpoints.BoundedQueue")
        private let room = DispatchSemaphore(value: 32)

        override func addOperation(_ work: @escaping @Sendable () -> Void) {
            room.wait()
            queue.async { [room] in
                work()
                room.signal()
            }
        }
    }
#endif
