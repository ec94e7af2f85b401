#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLSessionTask {
        /// Makes `cancel()` harmless for a task that has completed. Call this at the end of the
        /// completion handler, after which `URLSession` forgets the task.
        ///
        /// If a `cancel()` begins while the task runs, but is carried out after the task has been
        /// forgotten, the process ends ("Trying to access a behaviour for a task that in not in the
        /// registry", Swift 6.3.1). So this function cancels the task, and waits at most a second
        /// until the task is cancelled. Any other `cancel()` then does nothing. When a forgotten
        /// task can be cancelled, this can go.
        func makeCancelHarmless() {
            cancel()
            let end = DispatchTime.now() + 1
            while DispatchTime.now() < end {
                // Reading `priority` waits for the work that is already in the task's queue.
                _ = priority
                if (error as? URLError)?.code == .cancelled { return }
                Thread.sleep(forTimeInterval: 0.001)
            }
        }
    }
#endif
