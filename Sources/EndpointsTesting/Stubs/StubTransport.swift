import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that responds without a network, with a stub for each request type.
///
///     let stub = StubTransport()
///     stub.on(GetUser.self) { request in .value(User(id: request.id, name: "Ann")) }
///     stub.on(GetArchive.self, .status(503), .data(Data()))   // first 503, then 200
///
///     let api = EndpointClient(stub, in: .production)
///     let user = try await api(GetUser(id: 42))
///     #expect(stub.sent(GetUser.self).map(\.id) == [42])
///
/// Requests are encoded and responses decoded as with a server. The files of an upload are read,
/// and a file that can't be read ends the load with a ``FileError``. A response that comes later
/// than the policy's ``LoadPolicy/timeLimit`` ends the load with `URLError.timedOut`. Each
/// `StubTransport` has its own stubs, so tests may run in parallel.
public final class StubTransport: Transport {
    private struct Stub: Sendable {
        let name: String
        let respond: @Sendable (TransportRequest, _ count: Int) async throws -> TransportResponse
        var count = 0
    }

    private struct State {
        var stubs: [ObjectIdentifier: Stub] = [:]
        var sent: [TransportRequest] = []
    }

    private let state = Locked(State())

    /// A transport without stubs.
    public init() {}

    /// Responds to each request of a type with what a function returns for the request.
    ///
    /// A stub that is already there for the type is replaced. If the function throws, the load
    /// fails with that error.
    public func on<Request: RequestType & Sendable>(
        _ type: Request.Type,
        respond: @escaping @Sendable (Request) async throws -> StubResponse<Request>
    ) {
        on(type) { request, _ in try await respond(request) }
    }

    /// Responds to each request of a type with what a function returns for the request and for the
    /// `URLRequest` made of it, which has the headers and the body.
    ///
    ///     let stub = StubTransport()
    ///     stub.on(GetUser.self) { request, urlRequest in
    ///         let token = urlRequest.value(forHTTPHeaderField: "Authorization")
    ///         return token == nil ? .status(401) : .value(User(id: request.id, name: "Ann"))
    ///     }
    ///
    /// A stub that is already there for the type is replaced. If the function throws, the load
    /// fails with that error.
    public func on<Request: RequestType & Sendable>(
        _ type: Request.Type,
        respond: @escaping @Sendable (Request, URLRequest) async throws -> StubResponse<Request>
    ) {
        add(type) { transportRequest, _ in
            guard let request = transportRequest.request(as: type) else {
                throw StubError.valueMissing(type)
            }
            let (response, rest) = try await transportRequest.withinTimeLimit {
                try await respond(request, transportRequest.urlRequest)
            }
            return try await response.respond(rest)
        }
    }

    /// Responds to the requests of a type with these responses, one after the other.
    ///
    /// The last response is repeated. A stub that is already there for the type is replaced.
    public func on<Request: RequestType>(
        _ type: Request.Type, _ first: StubResponse<Request>, _ more: StubResponse<Request>...
    ) {
        let responses = [first] + more
        add(type) { transportRequest, count in
            try await responses[min(count, responses.count - 1)].respond(transportRequest)
        }
    }

    /// The request values of a type, in the order in which they were sent. A ``TransportRequest``
    /// that was made from a `URLRequest` alone has no value, so it is left out.
    public func sent<Request: RequestType & Sendable>(_ type: Request.Type) -> [Request] {
        state.withLock(\.sent).compactMap { $0.request(as: type) }
    }

    /// All requests, in the order in which they were sent.
    public var sent: [TransportRequest] { state.withLock(\.sent) }

    /// The names of the request types with a stub that no request has used.
    ///
    ///     let stub = StubTransport()
    ///     #expect(stub.unused.isEmpty)
    public var unused: [String] {
        state.withLock { $0.stubs.values.filter { $0.count == 0 }.map(\.name).sorted() }
    }

    /// Responds with the stub of the request's type.
    /// - Throws: A ``StubError`` if there is no stub; a ``FileError`` if a file of the body can't
    ///   be read; `CancellationError` if the `Progress` of an ``UploadProgress`` was cancelled;
    ///   `URLError.timedOut` after the policy's ``LoadPolicy/timeLimit``, before anything is sent
    ///   if that is zero or less; `URLError.cancelled` if the task is cancelled; or what the stub
    ///   throws.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try request.checkTime()
        // This notes the request for errors; a stub also takes what a session refuses.
        try? request.check()
        if Task.isCancelled { throw URLError(.cancelled) }
        let key = ObjectIdentifier(request.requestType)
        let stub = state.withLock { state in
            state.sent.append(request)
            defer { state.stubs[key]?.count += 1 }
            return state.stubs[key]
        }
        if let upload = request.upload {
            for try await _ in try upload.chunks() {}
        }
        guard let stub else {
            let names = state.withLock { $0.stubs.values.map(\.name).sorted() }
            throw StubError.noStub(for: request, among: names)
        }
        return try await stub.respond(request, stub.count).heedingCancellation(of: request)
    }

    private func add(
        _ type: any RequestType.Type,
        _ respond: @escaping @Sendable (TransportRequest, Int) async throws -> TransportResponse
    ) {
        state.withLock { state in
            state.stubs[ObjectIdentifier(type)] = Stub(name: "\(type)", respond: respond)
        }
    }
}

extension TransportResponse {
    /// This response, whose body can't be read in a cancelled task if it is a stream: as with a
    /// server, it is read once, chunk by chunk.
    func heedingCancellation(of request: TransportRequest) throws -> TransportResponse {
        if Task.isCancelled { throw URLError(.cancelled) }
        guard request.streamsResponse else { return self }
        var response = self
        let chunks = Locked(body.makeAsyncIterator())
        response.body = ResponseBody {
            if Task.isCancelled { throw URLError(.cancelled) }
            var iterator = chunks.withLock(\.self)
            return try await iterator.next()
        }
        return response
    }
}

/// Why a ``StubTransport`` has no response to a request.
///
/// A load throws this error as ``EndpointTaskError/transportError(_:)``. If the stub is missing,
/// the text names the request type, the URL and the stubs there are.
public struct StubError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// `EndpointsTesting.StubError`.
    public static var errorDomain: String { "EndpointsTesting.StubError" }

    /// What is wrong and what to do.
    public let description: String
    /// The same text as `description`.
    public var errorDescription: String? { description }
    /// The `description`, for an `NSError` made from this error. On Linux, such an `NSError` gets
    /// its texts only from this property.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

    static func noStub(for request: TransportRequest, among names: [String]) -> StubError {
        let method = request.urlRequest.method
        let policy = request.policy
        var masking = policy.masking(
            .usual,
            request.notedSecrets(.usual) + request.urlRequest.secrets(under: policy, .usual)
        )
        let url = masking.url(request.urlRequest.url)
        let stubs = names.isEmpty ? "no stubs" : "stubs for \(names.joined(separator: ", "))"
        return StubError(
            description: """
                \(request.requestType) has no stub, so there is no response to \(method) \(url). \
                There are \(stubs). Add stub.on(\(request.requestType).self, …)
                """)
    }

    static func valueMissing(_ type: any RequestType.Type) -> StubError {
        StubError(
            description: """
                the stub of \(type) is a closure that takes a \(type), but this \
                TransportRequest was made of a URLRequest alone. Send the \(type) with \
                response(in:with:). If a Transport of yours made the TransportRequest, let it \
                change a copy of the one that it got. Or stub a fixed response, as in \
                stub.on(\(type).self, .status(503))
                """)
    }

    static func notAStatus(_ status: Int, _ type: any RequestType.Type) -> StubError {
        StubError(
            description: """
                the stub of \(type) has the status \(status), but a status is a number of three \
                digits; write one, as in .status(404)
                """)
    }

    static func isSuccess(_ status: Int, _ type: any RequestType.Type) -> StubError {
        StubError(
            description: """
                the stub of \(type) has `.error(\(status), …)`, but the request takes this status \
                for a success; write that of an error, such as 404
                """)
    }

    static func isError(_ status: Int, _ type: any RequestType.Type) -> StubError {
        StubError(
            description: """
                the stub of \(type) has `.value(…, status: \(status))`, but the request takes this \
                status for an error; write .error(\(status), …), or a status such as 200
                """)
    }

    static func notADelay(_ seconds: TimeInterval, _ type: any RequestType.Type) -> StubError {
        StubError(
            description: """
                the stub of \(type) has `delayed(by: \(seconds))`, which can't be meant; write 0 or \
                more seconds
                """)
    }

    static func notAHeader(_ name: String, _ type: any RequestType.Type) -> StubError {
        StubError(
            description: """
                the stub of \(type) has the header \(name.quoted), which no server can send; use \
                letters, digits and `-` in the name, and no line break in the value
                """)
    }

    static func notALink(_ type: any RequestType.Type) -> StubError {
        StubError(
            description: """
                the stub of \(type) has the header "Link" without a link; write one such as \
                `<https://api.example.com/users?page=2>; rel="next"`
                """)
    }

    static func notTheLength(_ text: String, _ count: Int, _ type: any RequestType.Type)
        -> StubError
    {
        StubError(
            description: """
                the stub of \(type) has the header "Content-Length" \(text.quoted), but a body of \
                \(count) bytes; remove the header, or write .throwing(…) for a body that is cut off
                """)
    }

    static func isLoadError(_ type: any RequestType.Type) -> StubError {
        StubError(
            description: """
                the stub of \(type) has `.throwing(…)` of a TaskError, which a load makes itself; \
                write what leads to it, such as .error(404, …), .status(503), \
                .throwing(URLError(.timedOut)) or .throwing(CancellationError())
                """)
    }

    static func notEncodable(_ type: any RequestType.Type, by decoder: Any) -> StubError {
        StubError(
            description: """
                the stub's value can't be encoded: \(type) decodes with its own \
                \(Swift.type(of: decoder)), and the stub doesn't know what encoder writes for \
                it. Pass the encoder, as in .value(user, encoder: MyEncoder()), or the bytes, as \
                in .data(bytes, status: 200). Only a PropertyListDecoder, and a JSONDecoder \
                without custom strategies and date formatters, need no encoder
                """)
    }
}

extension TransportRequest {
    /// Throws `URLError.timedOut` if the time limit leaves no time.
    func checkTime() throws(URLError) {
        _ = try Deadline(of: self, .system).limited(self)
    }

    /// What a function returns, and this request with the time that is left.
    ///
    /// - Throws: What the function throws; `URLError.timedOut` if it takes longer than the time
    ///   limit, even if it goes on after it is cancelled.
    func withinTimeLimit<Value: Sendable>(
        _ make: @escaping @Sendable () async throws -> Value
    ) async throws -> (Value, TransportRequest) {
        guard policy.timeLimit != nil else { return (try await make(), self) }
        let (deadline, waiter) = (Deadline(of: self, .system), Waiter<Value>())
        let call = Task {
            do { waiter.resume(with: .success(try await make())) } catch {
                waiter.resume(with: .failure(error))
            }
        }
        defer { call.cancel() }
        let value = try await waiter.value(until: deadline)
        return (value, try deadline.limited(self))
    }
}

extension StubTransport: CustomReflectable {
    /// No children, because `dump(_:)` would print the requests.
    public var customMirror: Mirror { .hidden(self) }
}
