#if canImport(Combine)
    import Combine
#elseif canImport(OpenCombine)
    import OpenCombine
#endif

#if canImport(Combine) || canImport(OpenCombine)
    import Foundation

    /// One load for one subscriber. The load begins with the first demand, and ends with the
    /// response, an error or `cancel()`.
    ///
    /// This class is `@unchecked` because subscribers aren't `Sendable`. Its state changes only
    /// under the lock. `take()` returns the subscriber only the first time, so at most one thread
    /// sends the result to the subscriber.
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
            guard isFirst else { return }
            let sent = SentRequest(load.request, under: load.policy)
            load.start { self.receive(Request.result(of: $0, of: sent)) }
        }

        func cancel() {
            lock.withLock { isCancelled = true }
            if take() != nil { load.cancel() }
        }

        private func receive(_ result: Result<Request.Response, Request.TaskError>) {
            guard let subscriber = take() else { return }
            switch result {
            case .success(let response):
                _ = subscriber.receive(response)
                // The subscriber may have called `cancel()` when it received the response.
                if !lock.withLock({ isCancelled }) { subscriber.receive(completion: .finished) }
            case .failure(let error):
                subscriber.receive(completion: .failure(error))
            }
        }

        private func take() -> Downstream? {
            lock.withLock {
                defer { subscriber = nil }
                return subscriber
            }
        }
    }
#endif
