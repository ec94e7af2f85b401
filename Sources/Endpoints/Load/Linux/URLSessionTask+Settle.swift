#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLSessionTask {
        /// Makes `cancel()` harmless for a task that has completed. Call it at the end of the
        /// completion handler; after that, `URLSession` forgets the task.
        ///
        /// A `cancel()` that begins while the task runs, and is carried out after it is forgotten,
        /// ends the process ("Trying to access a behaviour for a task that in not in the registry",
        /// Swift 6.3.1). This cancels the task itself and waits until that has been carried out: a
        /// second `cancel()` then does nothing. When a forgotten task can be cancelled, this can
        /// go.
        func settle() {
            cancel()
            let end = DispatchTime.now() + 1
            while DispatchTime.now() < end {
                // The getter runs on the task's queue, after what is queued there.
                _ = priority
                if (error as? URLError)?.code == .cancelled { return }
                Thread.sleep(forTimeInterval: 0.001)
            }
        }
    }
#endif
