#if canImport(Combine)
    import Combine
#elseif canImport(OpenCombine)
    import OpenCombine
#endif

#if canImport(Combine) || canImport(OpenCombine)
    import Foundation

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// One load for one subscriber: it begins with the first demand and ends with the answer or by `cancel`.
    ///
    /// It is unchecked, as subscribers are not `Sendable`: both states change under the lock only, and
    /// whoever takes the subscriber out, once, is the one that may call it.
    final class EndpointSubscription<Request: RequestType>: Subscription, @unchecked Sendable {
        typealias Downstream = AnySubscriber<Request.Response, Request.TaskError>

        private let lock = NSLock()
        private var subscriber: Downstream?
        private var task: URLSessionTask?
        private var isLoading = false

        init(_ subscriber: some Subscriber<Request.Response, Request.TaskError>) {
            self.subscriber = Downstream(subscriber)
        }

        /// Loads this task when the subscriber asks for a value.
        func prepare(_ task: URLSessionTask) {
            lock.withLock { self.task = task }
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > 0 else { return }
            let waiting = lock.withLock {
                defer { isLoading = true }
                return isLoading ? nil : task
            }
            // Only once: on Linux, resuming a running task makes its protocol start again.
            waiting?.resume()
        }

        func cancel() {
            take()?.task?.cancel()
        }

        /// Ends the subscription with what the task came to.
        func receive(_ result: Result<Request.Response, Request.TaskError>) {
            guard let subscriber = take()?.subscriber else { return }
            switch result {
            case .success(let response):
                _ = subscriber.receive(response)
                subscriber.receive(completion: .finished)
            case .failure(let error):
                subscriber.receive(completion: .failure(error))
            }
        }

        /// The subscriber, for whoever ends the subscription first.
        private func take() -> (subscriber: Downstream, task: URLSessionTask?)? {
            lock.withLock {
                guard let taken = subscriber else { return nil }
                defer { (subscriber, task) = (nil, nil) }
                return (taken, task)
            }
        }
    }
#endif
