/// The declaration of a request: its method, path, parameters and headers.
///
///     static let endpoint = Endpoint<Search>(
///         method: .get,
///         path: "users/\(path: \.id)/posts",
///         parameters: [.query("page", path: \.page)],
///         headers: [.accept: .fieldValue(value: MIMEType.json)]
///     )
///
/// The declaration is prepared once, when the endpoint is made. A wrong declaration doesn't trap:
/// making a request throws an ``EndpointError``, and in a test, `problems` of `EndpointsTesting`
/// lists all that is wrong.
public struct Endpoint<Request: RequestType>: Sendable {
    @usableFromInline let plan: Plan

    /// The method of the requests.
    public var method: HTTPMethod { plan.method }

    /// Makes an endpoint from its parts.
    public init(
        method: HTTPMethod,
        path: PathTemplate<Request.PathComponents>,
        parameters: ParameterList<Request.Parameters> = [],
        headers: HeaderList<Request.HeaderValues> = [:]
    ) where Request.Body: Encodable {
        plan = Plan(
            Request.self, method: method, path: path, parameters: parameters, headers: headers)
    }
}

extension Endpoint: CustomReflectable {
    /// Shows only the method. Other parts may have a secret constant, which `dump(_:)` would print.
    public var customMirror: Mirror { Mirror(self, children: ["method": method]) }
}

extension Endpoint {
    /// Makes the endpoint of a generic request type once for each concrete type.
    ///
    ///     struct Page<Item: Decodable>: FlatRequest {
    ///         let number: Int
    ///         static var endpoint: Endpoint<Self> {
    ///             .once(Endpoint(method: .get, path: "pages/\(path: \.number)"))
    ///         }
    ///         typealias Response = [Item]
    ///     }
    ///     // Page<User>.endpoint and Page<Post>.endpoint are each made when first used
    ///
    /// A generic type can't have a stored static property. A computed property without `once` would
    /// make the endpoint again for each request. Types that aren't generic use `static let`.
    public static func once(_ endpoint: @autoclosure () -> Endpoint) -> Endpoint {
        let type = ObjectIdentifier(Request.self)
        if let plan = plans.withLock({ $0[type] }) { return Endpoint(plan: plan) }
        let plan = endpoint().plan
        // Another thread may have stored its plan since the check above. The first plan is kept.
        return Endpoint(
            plan: plans.withLock { plans in
                let first = plans[type] ?? plan
                plans[type] = first
                return first
            })
    }

    private init(plan: Plan) {
        self.plan = plan
    }
}

/// The plans (prepared declarations) that ``Endpoint/once(_:)`` has made, by request type.
private let plans = Locked<[ObjectIdentifier: Plan]>([:])

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
