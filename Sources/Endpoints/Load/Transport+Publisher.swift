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

    extension Transport {
        /// Makes a publisher of a request's typed response.
        ///
        ///     session.endpointPublisher(in: .production, with: GetUser(id: 42))
        ///         .sink { completion in print(completion) } receiveValue: { user in print(user) }
        ///         .store(in: &cancellables)
        ///
        /// Each subscription makes and loads a new `URLRequest`, so `retry` sends a new request. If
        /// no valid `URLRequest` can be made, or `Response` is a stream, the publisher fails with
        /// `.endpointError`, and nothing is sent. Cancelling the subscription cancels the load. The
        /// response of a `URLSession` arrives on the session's delegate queue, and that of any
        /// other transport on any thread.
        public func endpointPublisher<Request: RequestType>(
            in environment: Request.Environment, with request: Request
        ) -> EndpointPublisher<Request> {
            EndpointPublisher(transport: self, environment: environment, request: request)
        }
    }

    /// Publishes one response or one error of a request.
    public struct EndpointPublisher<Request: RequestType>: Publisher {
        /// The type of the response.
        public typealias Output = Request.Response
        /// The type of the error.
        public typealias Failure = Request.TaskError

        let transport: any Transport
        let environment: Request.Environment
        let request: Request

        /// Makes the `URLRequest`, and loads it when the subscriber requests a value.
        public func receive<Downstream: Subscriber>(
            subscriber: Downstream
        ) where Downstream.Input == Output, Downstream.Failure == Failure {
            do throws(EndpointError) {
                let urlRequest = try request.urlRequest(in: environment)
                try Request.checkIsWhole()
                let message = try TransportRequest(urlRequest, of: request, in: environment)
                subscriber.receive(
                    subscription: EndpointLoad<Request>(subscriber, transport, message))
            } catch {
                subscriber.receive(subscription: Subscriptions.empty)
                subscriber.receive(completion: .failure(.endpointError(error)))
            }
        }
    }

    /// One load for one subscriber. It begins with the first demand, and ends with the response, an
    /// error or `cancel()`. (A `Future` would begin without a demand, and not end with `cancel()`.)
    ///
    /// This class is `@unchecked` because subscribers aren't `Sendable`. Its state changes only
    /// under the lock, and only one thread calls the subscriber.
    private final class EndpointLoad<Request: RequestType>: Subscription, @unchecked Sendable {
        private let lock = NSLock()
        private let transport: any Transport
        private let message: TransportRequest
        /// `nil` after the end.
        private var subscriber: AnySubscriber<Request.Response, Request.TaskError>?
        private var task: Task<Void, Never>?

        init(
            _ subscriber: some Subscriber<Request.Response, Request.TaskError>,
            _ transport: any Transport, _ message: TransportRequest
        ) {
            self.subscriber = AnySubscriber(subscriber)
            self.transport = transport
            self.message = message
        }

        func request(_ demand: Subscribers.Demand) {
            lock.withLock {
                guard demand > 0, task == nil, subscriber != nil else { return }
                task = Task { await load() }
            }
        }

        func cancel() {
            _ = take()
            lock.withLock { task }?.cancel()
        }

        private func load() async {
            // Only one thread has the result.
            nonisolated(unsafe) let result: Result<Request.Response, Request.TaskError>
            do throws(Request.TaskError) {
                result = .success(try await transport.response(to: message, as: Request.self))
            } catch { result = .failure(error) }
            guard let session = transport as? URLSession else { return receive(result) }
            session.delegateQueue.addOperation { self.receive(result) }
        }

        private func receive(_ result: Result<Request.Response, Request.TaskError>) {
            switch result {
            case .success(let response):
                _ = lock.withLock { subscriber }?.receive(response)
                // The subscriber may have called `cancel()` when it received the response.
                take()?.receive(completion: .finished)
            case .failure(let error):
                take()?.receive(completion: .failure(error))
            }
        }

        private func take() -> AnySubscriber<Request.Response, Request.TaskError>? {
            lock.withLock {
                defer { subscriber = nil }
                return subscriber
            }
        }
    }
#endif
