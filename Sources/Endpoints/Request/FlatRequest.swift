/// A request whose values are its own properties.
///
///     struct Repo: FlatRequest {
///         let owner: String
///         let page: Int
///
///         static let endpoint = Endpoint<Self>(
///             method: .get,
///             path: "repos/\(path: \.owner)",
///             parameters: [.query("page", path: \.page)])
///         typealias Response = [Commit]
///     }
///     // Repo(owner: "a", page: 2)  ->  GET /repos/a?page=2
///
/// A property named like one that ``RequestType`` has, such as `body` or `commonHeaders`, is used
/// as that one. Only `pathComponents`, `parameters` and `headerValues` are ordinary names here. A
/// type named like an associated type of ``RequestType``, such as `Body` or `Environment`, is used
/// as that type. To send a query item named `body`, give the property another name, as in
/// `.query("body", path: \.text)`.
public protocol FlatRequest: RequestType
where PathComponents == Self, Parameters == Self, HeaderValues == Self {}

extension FlatRequest {
    /// The request itself.
    public var pathComponents: Self { self }
    /// The request itself.
    public var parameters: Self { self }
    /// The request itself.
    public var headerValues: Self { self }
}
