import Foundation

/// How the pieces of a request fit together: its method, path, parameters and headers.
///
///     static let endpoint = Endpoint<Search>(
///         method: .get,
///         path: "users/\(path: \.id)/posts",
///         parameters: [.query("page", path: \.page)],
///         headers: [.accept: .fieldValue(value: MIMEType.json)]
///     )
///
/// Making one compiles the declaration: text is escaped, names are checked, and each key path
/// becomes a reader, once. Nothing traps: what is wrong with it is in ``problems``, and an
/// ``EndpointError`` when a request is made.
public struct Endpoint<Request: RequestType>: Sendable {
    @usableFromInline let plan: Plan

    /// The method of the requests.
    public var method: HTTPMethod { plan.method }

    /// Everything that is wrong with the declaration; empty if nothing is.
    ///
    ///     #expect(GetUser.endpoint.problems.isEmpty)   // one line in your tests for each request
    ///
    /// It holds what refuses every request, such as a `?` in the path, and what is only suspicious:
    /// the same query name twice, a body on GET, a `Host` header.
    public var problems: [EndpointError] { plan.problems.map { plan.endpointError($0.fieldError) } }

    /// An endpoint.
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
    /// The method alone: a dump of an endpoint must not print a constant that is a secret.
    public var customMirror: Mirror { Mirror(self, children: ["method": method]) }
}
