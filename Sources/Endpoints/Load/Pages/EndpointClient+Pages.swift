extension EndpointClient {
    /// The pages of a request.
    ///
    ///     for try await page in api.pages(of: ListUsers()) { print(page.users.count) }
    ///
    /// A page is loaded when the loop gets to it. Leaving the loop or cancelling its task cancels the
    /// load. A next page on another origin gets no credentials, and is an ``EndpointError`` where
    /// the request's policy doesn't follow redirects to another origin
    /// (``RequestType/urlRequest(in:at:)``). A next page that was loaded before is a
    /// ``RepeatedPageError``.
    ///
    /// - Parameter isPrefetching: Whether the next page is loaded while the loop works on a page.
    public func pages<Request: PagedRequest>(
        of request: Request, prefetching isPrefetching: Bool = false
    ) -> Pages<Request> where Request.Environment == Environment {
        Pages(client: self, request: request, isPrefetching: isPrefetching)
    }

    /// The items of a request's pages, one after another.
    ///
    ///     for try await user in api.items(of: ListUsers()) { print(user.name) }
    ///
    /// Everything else is as with ``pages(of:prefetching:)``.
    public func items<Request: PagedRequest>(
        of request: Request, prefetching isPrefetching: Bool = false
    ) -> PageItems<Request> where Request.Environment == Environment {
        PageItems(pages: pages(of: request, prefetching: isPrefetching))
    }
}
