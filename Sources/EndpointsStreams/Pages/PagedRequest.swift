import Endpoints

/// A request whose response is one page of several.
///
///     struct ListRepos: FlatRequest, PagedRequest {
///         let owner: String
///         static let endpoint = Endpoint<Self>(
///             method: .get, path: "users/\(path: \.owner)/repos")
///         static let paging = Paging<Self>.link()    // Link: <…>; rel="next"
///         typealias Response = [Repo]
///     }
///
///     for try await repo in api.items(of: ListRepos(owner: "ann")) { print(repo) }
public protocol PagedRequest<Item>: RequestType {
    /// The type of the items on a page.
    associatedtype Item

    /// How the next page is requested.
    static var paging: Paging<Self> { get }

    /// The items of a page; by default, the elements of a response that is a sequence.
    static func items(in response: Response) -> [Item]
}

extension PagedRequest where Response: Sequence {
    /// The elements of the response.
    public static func items(in response: Response) -> [Response.Element] { Array(response) }
}
