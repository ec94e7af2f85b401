/// A request whose values are its own properties.
///
///     struct Repo: FlatRequest {
///         let owner: String
///         let page: Int
///
///         static let endpoint = Endpoint<Repo>(
///             method: .get,
///             path: "repos/\(path: \.owner)",
///             parameters: [.query("page", path: \.page)])
///         typealias Response = [Commit]
///     }
///     // Repo(owner: "a", page: 2)  ->  GET /repos/a?page=2
///
/// `body`, `pathComponents`, `parameters` and `headerValues` are names that ``RequestType`` has
/// taken: a stored property that a parameter reads needs another name, while the name on the wire
/// stays. So are the nested type names `Body`, `PathComponents`, `Parameters`, `HeaderValues`,
/// `Environment`, `Response` and `ErrorResponse`.
public protocol FlatRequest: RequestType
where PathComponents == Self, Parameters == Self, HeaderValues == Self {}

/// What a flat request's key paths lead to is the request itself, always: a `pathComponents`,
/// `parameters` or `headerValues` of its own is not asked.
extension FlatRequest {
    /// The request itself.
    public var pathComponents: Self { self }
    /// The request itself.
    public var parameters: Self { self }
    /// The request itself.
    public var headerValues: Self { self }
}
