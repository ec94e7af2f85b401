#if canImport(FoundationNetworking)
    import Foundation

    /// A delegate queue that runs its operations at once, so that none waits in it.
    ///
    /// `URLSession` adds an operation for each chunk of a body, without waiting for the previous
    /// operation. So an ordinary queue may hold a whole large body in memory (Swift 6.3.1). When a
    /// session limits how many operations wait for its delegate, this class can go.
    ///
    /// The operations run on the internal queue of `URLSession`, which all sessions of the process
    /// share. So they must be short. They must not call `cancel()` of a task: it waits for the
    /// internal queue, which would be a deadlock (Swift 6.3.1). Other threads may call `cancel()`,
    /// also while the task completes: the call waits until the delegate has returned. By then the
    /// task is marked as completed, so the call does nothing.
    ///
    /// The class is `@unchecked` because its superclass is. It adds no state.
    final class InlineQueue: OperationQueue, @unchecked Sendable {
        override func addOperation(_ work: @escaping @Sendable () -> Void) {
            work()
        }
    }
#endif
