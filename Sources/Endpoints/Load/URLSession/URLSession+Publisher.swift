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

    extension URLSession {
        /// Makes a publisher of a request's typed response.
        ///
        ///     session.endpointPublisher(in: .production, with: GetUser(id: 42))
        ///         .sink { completion in print(completion) } receiveValue: { user in print(user) }
        ///         .store(in: &cancellables)
        ///
        /// Each subscription makes and loads a new `URLRequest`, so `retry` sends a new request. If
        /// no valid `URLRequest` can be made, or `Response` is a stream, the publisher fails with
        /// `.endpointError`, and nothing is sent. Cancelling the subscription cancels the load. The
        /// response arrives on the session's delegate queue.
        public func endpointPublisher<Request: RequestType>(
            in environment: Request.Environment, with request: Request
        ) -> EndpointPublisher<Request> {
            EndpointPublisher(session: self, environment: environment, request: request)
        }
    }

    /// Publishes one response or one error of a request.
    public struct EndpointPublisher<Request: RequestType>: Publisher {
        /// The type of the response.
        public typealias Output = Request.Response
        /// The type of the error.
        public typealias Failure = Request.TaskError

        let session: URLSession
        let environment: Request.Environment
        let request: Request

        /// Makes the `URLRequest`, and loads it when the subscriber requests a value.
        public func receive<Downstream: Subscriber>(
            subscriber: Downstream
        ) where Downstream.Input == Output, Downstream.Failure == Failure {
            do throws(EndpointError) {
                let urlRequest = try request.urlRequest(in: environment)
                try Request.check(urlRequest)
                let load = Load(of: urlRequest, by: session, under: request.policy(in: environment))
                let subscription = EndpointSubscription<Request>(subscriber, load)
                subscriber.receive(subscription: subscription)
            } catch {
                subscriber.receive(subscription: Subscriptions.empty)
                subscriber.receive(completion: .failure(.endpointError(error)))
            }
        }
    }
#endif
