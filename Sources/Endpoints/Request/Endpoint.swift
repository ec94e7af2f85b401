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
    @usableFromInline package let plan: Plan

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
