import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    extension URLSessionTask {
        /// Makes a task that has completed deaf to `cancel()`; to be called at the end of its
        /// completion handler, behind which `URLSession` forgets the task.
        ///
        /// A `cancel()` that finds the task running, and is carried out when it is forgotten, ends
        /// the process ("Trying to access a behaviour for a task that in not in the registry",
        /// Swift 6.3.1). After this one there is no other, and one on its way has arrived: it
        /// leaves its error.
        func settle() {
            cancel()
            let end = DispatchTime.now() + 1
            while DispatchTime.now() < end {
                // Read on the task's queue, behind what waits there.
                _ = priority
                if (error as? URLError)?.code == .cancelled { return }
                Thread.sleep(forTimeInterval: 0.001)
            }
        }
    }
#else
    extension URLSessionTask {
        /// A task may be cancelled at any time.
        func settle() {}
    }
#endif
