/// Sends requests with one transport to one server, so that a call names only the request.
///
///     let api = EndpointClient(URLSession.shared, in: .production)
///     let user = try await api.response(to: GetUser(id: 42))
///     let same = try await api(GetUser(id: 42))
///
/// A call with a request whose `Environment` type is not the client's doesn't compile.
public struct EndpointClient<Environment: EnvironmentType>: Sendable {
    /// The transport that sends the requests.
    public var transport: any Transport
    /// The server that the requests are sent to.
    public var environment: Environment

    /// Makes a client that sends its requests with `transport` to `environment`.
    public init(_ transport: some Transport, in environment: Environment) {
        self.transport = transport
        self.environment = environment
    }

    /// Makes a client of a ``ServerEnvironment``, so that `in: .production` needs no type name.
    public init(
        _ transport: some Transport, in environment: ServerEnvironment
    ) where Environment == ServerEnvironment {
        self.transport = transport
        self.environment = environment
    }

    /// Loads a request and returns its typed response.
    ///
    /// - Throws: A ``RequestType/TaskError``.
    public nonisolated(nonsending) func response<Request: RequestType>(
        to request: Request
    ) async throws(Request.TaskError) -> Request.Response
    where Request.Environment == Environment {
        try await transport.response(in: environment, with: request)
    }

    /// Loads a request and returns its typed response: `try await api(GetUser(id: 42))`.
    ///
    /// - Throws: A ``RequestType/TaskError``.
    public nonisolated(nonsending) func callAsFunction<Request: RequestType>(
        _ request: Request
    ) async throws(Request.TaskError) -> Request.Response
    where Request.Environment == Environment {
        try await response(to: request)
    }
}
