#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLSessionTask {
        /// Begins to cancel a task that its load doesn't need any more.
        ///
        /// A task starts by reading the session's `URLCache` on the background queue, and a
        /// `cancel()` meanwhile can end the process ("Trying to access a behaviour for a task that
        /// in not in the registry", Swift 6.3.1). So in a load's first half second, this
        /// cancels on that queue, after 50 ms. When `cancel()` is always safe, this can go.
        func stop(startedAt start: DispatchTime) {
            let isYoung = .now() < start + 0.5
            let queue = DispatchQueue.global(qos: isYoung ? .background : .userInitiated)
            queue.asyncAfter(deadline: .now() + (isYoung ? 0.05 : 0)) {
                Self.challenges.withLock { self.cancel() }
            }
        }

        /// A lock that is held while a challenge gets a credential, and while
        /// `stop(startedAt:)` cancels a task. A caller's own `cancel()` doesn't take it.
        ///
        /// `URLSession` suspends a task that gets a credential, and then resumes it. A `cancel()`
        /// between the two can end the process ("NativeProtocol.swift: Fatal error", Swift 6.3.1).
        /// When a task can be cancelled at any time, this can go.
        static let challenges = NSRecursiveLock()
    }
#endif
