import Endpoints

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
