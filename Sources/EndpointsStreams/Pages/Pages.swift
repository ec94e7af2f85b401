import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension EndpointClient {
    /// The pages of a request.
    ///
    ///     for try await page in api.pages(of: ListUsers()) { print(page.users.count) }
    ///
    /// A page is loaded when the loop gets to it, or with `prefetching` while the loop works on the
    /// page before it. Leaving the loop or cancelling its task cancels the load. If the URL of the
    /// next page has another origin than the environment, the request is sent without credentials,
    /// or the loop throws an `.endpointError`, as ``RequestType/urlRequest(in:at:)`` explains. If
    /// the next page was requested before, by the same cursor or URL for example, the loop throws a
    /// `.transportError` that holds a ``RepeatedPageError``. So it does if the endpoint doesn't
    /// send the cursor, the page or the offset. Contents of pages aren't compared, as two pages may
    /// be equal, and requests with a file or parts as their body neither. With
    /// ``Transport/authorized(by:header:clock:)``, all pages are of the account for which the first
    /// one is loaded: if another one signs in meanwhile, the loop throws a `.transportError` that
    /// holds a ``SignInError``.
    public func pages<Request: PagedRequest>(
        of request: Request, prefetching isPrefetching: Bool = false
    ) -> Pages<Request> where Request.Environment == Environment {
        Pages(client: self, request: request, isPrefetching: isPrefetching)
    }

    /// The items of a request's pages, one after another.
    ///
    ///     for try await user in api.items(of: ListUsers()) { print(user.name) }
    ///
    /// The pages are loaded as ``pages(of:prefetching:)`` says.
    public func items<Request: PagedRequest>(
        of request: Request, prefetching isPrefetching: Bool = false
    ) -> PageItems<Request> where Request.Environment == Environment {
        PageItems(pages: pages(of: request, prefetching: isPrefetching))
    }
}

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
        /// The request of the last page.
        private var last: TransportRequest?

        fileprivate init(
            _ client: EndpointClient<Request.Environment>, _ request: Request,
            _ isPrefetching: Bool
        ) {
            self.client = client
            self.isPrefetching = isPrefetching
            keys = []
            prepare(request, at: nil, key: nil)
            if let key = Request.paging.firstKey(request) { keys.insert(key) }
            if case .loading(_, let load) = state { keys.insert(load.url?.beforeFragment) }
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
                        request: request, response: response, data: data,
                        httpResponse: httpResponse))
                return response
            }
        }

        private mutating func prepare(after page: Paging<Request>.Page) {
            switch Request.paging.next(page) {
            case .request(let request, let key): prepare(request, at: nil, key: key)
            case .url(let url): prepare(page.request, at: url, key: nil)
            case .wrong(let error): state = .failed(.endpointError(error))
            case .none: break
            }
            if isPrefetching, case .loading(_, let load) = state { load.start() }
        }

        /// Makes the request for a page. If that fails, or the page was requested before, `next()`
        /// will throw.
        private mutating func prepare(_ request: Request, at url: URL?, key: AnyHashable?) {
            do throws(EndpointError) {
                if let wrong = Request.paging.wrong { throw wrong.error(Request.self) }
                var message = try TransportRequest(
                    of: request, in: client.environment, at: url, addingQuery: false)
                if let last { message = message.continuing(last) }
                last = message
                let urlRequest = message.urlRequest
                let ownKey: AnyHashable =
                    url == nil ? RequestKey(urlRequest) : urlRequest.url?.beforeFragment
                // A cursor that is new, but isn't sent, makes the same request again.
                let isNew = keys.insert(ownKey).inserted
                guard key.map({ keys.insert($0).inserted }) ?? true, isNew else {
                    let error = TransportError(cause: RepeatedPageError())
                    state = .failed(.transportError(error).traced(by: message))
                    return
                }
                state = .loading(request, PageLoad(of: message, by: client.transport))
            } catch {
                state = .failed(.endpointError(error))
            }
        }
    }
}

/// Tells requests apart. It keeps a hash of each, because many bodies would need much memory.
private struct RequestKey: Hashable {
    let hash: Int

    init(_ urlRequest: URLRequest) {
        var hasher = Hasher()
        hasher.combine(urlRequest.httpMethod)
        hasher.combine(urlRequest.url?.beforeFragment)
        hasher.combine(urlRequest.allHTTPHeaderFields)
        // The hash of `Data` itself is only that of its first bytes.
        urlRequest.httpBody?.withUnsafeBytes { hasher.combine(bytes: $0) }
        // The bytes of a file aren't known here, so each such request counts as another one.
        if urlRequest.httpBodyStream != nil { hasher.combine(UUID()) }
        hash = hasher.finalize()
    }
}

/// The items of a request's pages, one after another; see
/// ``EndpointClient/items(of:prefetching:)``.
public struct PageItems<Request: PagedRequest>: AsyncSequence {
    let pages: Pages<Request>

    /// An iterator that begins at the first item.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator())
    }

    /// An iterator that goes on to the next page when it has returned all items of a page.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var pages: Pages<Request>.AsyncIterator
        private var items: ArraySlice<Request.Item> = []

        fileprivate init(pages: Pages<Request>.AsyncIterator) {
            self.pages = pages
        }

        /// The next item; `nil` after the last one.
        ///
        /// - Throws: A ``RequestType/TaskError``.
        public mutating func next() async throws(Request.TaskError) -> Request.Item? {
            while items.isEmpty {
                guard let page = try await pages.next() else { return nil }
                items = Request.items(in: page)[...]
            }
            return items.popFirst()
        }
    }
}

/// Why a loop over pages ends with a `transportError`: the next page was loaded before, or its
/// request is the same as one before.
public struct RepeatedPageError: Error, Sendable {}

extension RepeatedPageError: CustomStringConvertible, LocalizedError {
    /// One sentence, without anything that was received.
    public var description: String {
        "the next page is one that was loaded before, so the pages would never end; check the "
            + "request's `paging`, and that its endpoint sends the cursor, page or offset"
    }
    /// The same text as `description`.
    public var errorDescription: String? { description }
}

extension RepeatedPageError: CustomNSError {
    /// `Endpoints.RepeatedPageError`.
    public static var errorDomain: String { "Endpoints.RepeatedPageError" }

    /// The texts of an `NSError` made from this error.
    public var errorUserInfo: [String: Any] { localizedTexts }
}

extension URL {
    fileprivate var beforeFragment: URL? {
        URL(string: String(absoluteString.prefix { $0 != "#" }))
    }
}

// Without these mirrors, `dump(_:)` would print the request and the client.

extension Pages: CustomReflectable {
    /// No children, because `dump(_:)` would print the request.
    public var customMirror: Mirror { .hidden(self) }
}

extension Pages.AsyncIterator: CustomReflectable {
    /// No children, because `dump(_:)` would print the request.
    public var customMirror: Mirror { .hidden(self) }
}

extension PageItems: CustomReflectable {
    /// No children, because `dump(_:)` would print the request.
    public var customMirror: Mirror { .hidden(self) }
}

extension PageItems.AsyncIterator: CustomReflectable {
    /// No children, because `dump(_:)` would print the request.
    public var customMirror: Mirror { .hidden(self) }
}
