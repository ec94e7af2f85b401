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
/// ``problems`` lists what is wrong, and making a request throws an ``EndpointError``.
public struct Endpoint<Request: RequestType>: Sendable {
    @usableFromInline package let plan: Plan

    /// The method of the requests.
    public var method: HTTPMethod { plan.method }

    /// The problems of the declaration; empty if there are none.
    ///
    ///     #expect(GetUser.endpoint.problems.isEmpty)   // in your tests, for each request
    ///
    /// With some problems, such as a `?` in the path, no `URLRequest` can be made. Others are
    /// probably not what you mean, such as the same query name twice, a `Host` header, a body with
    /// GET (which `URLSession` doesn't send), or a HEAD whose `Response` needs content. To check a
    /// HEAD, this property calls the request type's `response(data:httpResponse:)` with empty data.
    public var problems: [EndpointError] {
        (plan.problems + Request.contentProblems(of: method)).map {
            plan.endpointError($0.fieldError)
        }
    }

    /// Makes an endpoint from its parts.
    public init(
        method: HTTPMethod,
        path: PathTemplate<Request.PathComponents>,
        parameters: ParameterList<Request.Parameters> = [],
        headers: HeaderList<Request.HeaderValues> = [:]
    ) where Request.Body: Encodable {
        plan = Plan(
            Request.self, method: method, path: path, parameters: parameters, headers: headers,
            streamsResponse: DeclaredStream(Request.Response.self) != nil)
    }
}

extension Endpoint: CustomReflectable {
    /// Shows only the method. Other parts may have a secret constant, which `dump(_:)` would print.
    public var customMirror: Mirror { Mirror(self, children: ["method": method]) }
}
