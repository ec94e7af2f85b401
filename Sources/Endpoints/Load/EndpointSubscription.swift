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

    /// One load for one subscriber: it begins with the first demand and ends with the answer or by
    /// `cancel`.
    ///
    /// It is unchecked, as subscribers are not `Sendable`: all that changes does so under the lock,
    /// and whoever takes the subscriber out, once, is the one that may call it.
    final class EndpointSubscription<Request: RequestType>: Subscription, @unchecked Sendable {
        typealias Downstream = AnySubscriber<Request.Response, Request.TaskError>

        private let lock = NSLock()
        private let load: Load
        private var subscriber: Downstream?
        private var isLoading = false
        private var isCancelled = false

        init(_ subscriber: some Subscriber<Request.Response, Request.TaskError>, _ load: Load) {
            self.subscriber = Downstream(subscriber)
            self.load = load
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > 0 else { return }
            let isFirst = lock.withLock {
                defer { isLoading = true }
                return !isLoading
            }
            if isFirst { load.start { self.receive(Request.result(of: $0)) } }
        }

        func cancel() {
            lock.withLock { isCancelled = true }
            if take() != nil { load.cancel() }
        }

        /// Ends the subscription with what the load came to.
        private func receive(_ result: Result<Request.Response, Request.TaskError>) {
            guard let subscriber = take() else { return }
            switch result {
            case .success(let response):
                _ = subscriber.receive(response)
                // The subscriber may have cancelled when it had its value.
                if !lock.withLock({ isCancelled }) { subscriber.receive(completion: .finished) }
            case .failure(let error):
                subscriber.receive(completion: .failure(error))
            }
        }

        /// The subscriber, for whoever ends the subscription first.
        private func take() -> Downstream? {
            lock.withLock {
                defer { subscriber = nil }
                return subscriber
            }
        }
    }
#endif
