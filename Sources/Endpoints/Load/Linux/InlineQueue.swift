#if canImport(FoundationNetworking)
    import Foundation

    /// A delegate's queue that has nothing waiting on it.
    ///
    /// `URLSession` puts each piece of a body on its delegate's queue and goes on, so that all of a
    /// large body may wait there in memory (Swift 6.3.1). This one does each piece of work at once, on
    /// the session's own queue, which every session of the process shares. So the work must be
    /// short, and it must never wait for `URLSession`, which `cancel()` does: that would be a
    /// deadlock. In return, a task that has completed is forgotten before anything else happens:
    /// it may be cancelled at any time. When a session limits what waits for its delegate, this can
    /// go.
    ///
    /// It is unchecked, as its superclass is; it adds nothing that changes.
    final class InlineQueue: OperationQueue, @unchecked Sendable {
        override func addOperation(_ work: @escaping @Sendable () -> Void) {
            work()
        }
    }
#endif
