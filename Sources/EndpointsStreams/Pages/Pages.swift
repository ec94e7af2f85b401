import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The pages of a request, loaded one after another; see
/// ``EndpointClient/pages(of:prefetching:)``.
public struct Pages<Request: PagedRequest>: AsyncSequence {
    let client: EndpointClient<Request.Environment>
    let request: Request
    let isPrefetching: Bool

    /// An iterator that begins at the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(client, request, isPrefetching)
    }
}

extension Pages {
    /// An iterator that loads one page after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case loading(Request, PageLoad)
            case failed(Request.TaskError)
            case ended
        }

        private let client: EndpointClient<Request.Environment>
        private let isPrefetching: Bool
        private var state = State.ended
        private var keys: Set<AnyHashable>

        fileprivate init(
            _ client: EndpointClient<Request.Environment>, _ request: Request,
            _ isPrefetching: Bool
        ) {
            self.client = client
            self.isPrefetching = isPrefetching
            keys = []
            prepare(request, at: nil, key: nil)
            if let key = Request.paging.firstKey(request) { keys.insert(key) }
            if case .loading(_, let load) = state { keys.insert(load.url) }
        }

        /// The next page; `nil` after the last one.
        ///
        /// - Throws: A ``RequestType/TaskError``, such as a `transportError` that holds a
        ///   ``RepeatedPageError``. After an error there are no more pages.
        public mutating func next() async throws(Request.TaskError) -> Request.Response? {
            switch state {
            case .ended:
                return nil
            case .failed(let error):
                state = .ended
                throw error
            case .loading(let request, let load):
                state = .ended
                let (sent, data, httpResponse) = try await load.result(Request.self)
                let response = try Request.decode(data, httpResponse, of: sent)
                prepare(
                    after: Paging.Page(
                        request: request, response: response, httpResponse: httpResponse))
                return response
            }
        }

        private mutating func prepare(after page: Paging<Request>.Page) {
            switch Request.paging.next(page) {
            case .request(let request, let key): prepare(request, at: nil, key: key)
            case .url(let url): prepare(page.request, at: url, key: nil)
            case .none: break
            }
            if isPrefetching, case .loading(_, let load) = state { load.start() }
        }

        /// Makes the request for a page. If that fails, or the page was requested before, `next()`
        /// will throw.
        private mutating func prepare(_ request: Request, at url: URL?, key: AnyHashable?) {
            do throws(EndpointError) {
                let urlRequest =
                    if let url {
                        try request.urlRequest(in: client.environment, at: url)
                    } else {
                        try request.urlRequest(in: client.environment)
                    }
                let ownKey = url == nil ? AnyHashable(RequestKey(urlRequest)) : urlRequest.url
                guard keys.insert(key ?? ownKey).inserted else {
                    let error = TransportError(cause: RepeatedPageError())
                    let page = SentRequest(urlRequest, under: .default)
                    state = .failed(.transportError(error).traced(page.trace()))
                    return
                }
                let message = TransportRequest(
                    urlRequest, of: request, in: client.environment)
                state = .loading(request, PageLoad(of: message, by: client.transport))
            } catch {
                state = .failed(.endpointError(error))
            }
        }
    }
}

/// A request with its headers and `httpBody`, for comparing requests. On Linux, `==` of two
/// `URLRequest`s ignores both.
private struct RequestKey: Hashable {
    let urlRequest: URLRequest
    let headers: [String: String]?
    let body: Data?

    init(_ urlRequest: URLRequest) {
        self.urlRequest = urlRequest
        headers = urlRequest.allHTTPHeaderFields
        body = urlRequest.httpBody
    }
}
