import Endpoints

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
    /// `.transportError` that holds a ``RepeatedPageError``. Contents of pages aren't compared.
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
