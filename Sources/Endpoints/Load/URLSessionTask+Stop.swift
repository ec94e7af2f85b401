import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    extension URLSessionTask {
        /// Cancels a task of a load that began at a time, without waiting for it.
        ///
        /// A task begins with a lookup in the session's `URLCache` on the background queue, and
        /// `cancel()` during that may end the process ("Trying to access a behaviour for a task
        /// that in not in the registry", Swift 6.3.1). So a young task is cancelled a little
        /// later, on the same queue, behind the lookup.
        func stop(begunAt begun: DispatchTime) {
            let isYoung = .now() < begun + 0.5
            let queue = DispatchQueue.global(qos: isYoung ? .background : .userInitiated)
            queue.asyncAfter(deadline: .now() + (isYoung ? 0.05 : 0)) { self.cancel() }
        }
    }
#else
    extension URLSessionTask {
        /// Cancels a task of a load that began at a time.
        func stop(begunAt _: DispatchTime) {
            cancel()
        }
    }
#endif
