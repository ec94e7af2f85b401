import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests and returns their responses. `URLSession` is a transport.
///
///     struct Timed<Base: Transport>: Transport {
///         let base: Base
///         func send(_ request: TransportRequest) async throws -> TransportResponse {
///             let start = Date()
///             let response = try await base.send(request)
///             print(request.requestType, -start.timeIntervalSinceNow)
///             return response
///         }
///     }
///
/// Another HTTP client, a stub in a test and a middleware that changes requests can be transports.
public protocol Transport: Sendable {
    /// Sends a request and returns the response, whatever its status.
    ///
    /// - Throws: Any error. ``Transport/response(in:with:)`` makes an ``EndpointTaskError`` of it.
    ///   That type has cases for a `URLError` (or an `NSError` in the domain of `URLError`), a
    ///   `CancellationError`, an ``EndpointError`` and a ``FileError``. Any other error becomes a
    ///   `transportError`.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// A request on its way to a server.
public struct TransportRequest: Sendable {
    /// The request as it is sent.
    public var urlRequest: URLRequest
    /// How the request is loaded: its redirects, its limits, and whether it may be sent again.
    public var policy: LoadPolicy
    /// Whether the response's body is read while it arrives.
    ///
    /// If so, a transport should return before the body has arrived.
    public var streamsResponse = false
    /// The type that declares the request, for logs, stubs and middleware that treat types
    /// differently.
    public let requestType: any RequestType.Type
    /// The number of this attempt, counted from 1. A middleware that sends a request again adds 1.
    public var attempt = 1
    /// What the transport tells the steps of the load to, such as a monitor; `nil` if nothing asks
    /// for them.
    ///
    /// The function is called where the transport is at work. So it must be short, and must not
    /// wait for another load. A middleware that sets it must call the one that was there before.
    public var onStep: (@Sendable (TransportStep) -> Void)?
    /// Whether a server has named the URL, and its origin isn't the environment's. A `URLSession`
    /// then doesn't add its own sensitive headers, as after a redirect.
    package internal(set) var leavesOrigin = false
    /// What a middleware keeps of the request for its later attempts. All copies of the request,
    /// such as one for each attempt, share it.
    package let memory = Locked<[ObjectIdentifier: any Sendable]>([:])
    /// When the call began that sends this request, before any wait.
    package private(set) var begun: DispatchTime
    /// When the load of this copy began, for the time in a trace, and for the time that the
    /// policy's `timeLimit` leaves to a stream.
    private var start = DispatchTime.now()
    private let declared: DeclaredRequest?
    /// The environment's base URL; `nil` if only a `URLRequest` was given, or if a server has named
    /// the URL.
    private var baseUrl: URL?

    /// Whether the declaration leaves a header out: `headers: [.authorization: nil]`.
    package func leavesOut(_ header: Headers) -> Bool { requestType.leavesOut(header) }

    /// Makes a transport request from a `URLRequest` and the type that declares the request.
    public init(
        _ urlRequest: URLRequest, policy: LoadPolicy = .default,
        requestType: any RequestType.Type
    ) {
        self.urlRequest = urlRequest
        self.policy = policy
        self.requestType = requestType
        declared = nil
        begun = start
    }

    /// Makes a transport request from a request value and the `URLRequest` made of it.
    init<Request: RequestType>(
        _ urlRequest: URLRequest, of request: Request, in environment: Request.Environment
    ) throws(EndpointError) {
        self.urlRequest = urlRequest
        policy = try request.checkedPolicy(in: environment)
        requestType = Request.self
        streamsResponse = DeclaredStream(Request.Response.self) != nil
        declared = DeclaredRequest(value: request)
        baseUrl = environment.baseUrl
        begun = start
    }

    /// Makes a transport request from a request value, at a URL that a server has named if there is
    /// one.
    package init<Request: RequestType>(
        of request: Request, in environment: Request.Environment, at url: URL? = nil,
        addingQuery addsQuery: Bool = true
    ) throws(EndpointError) {
        let urlRequest =
            if let url {
                try request.urlRequest(in: environment, at: url, addingQuery: addsQuery)
            } else {
                try request.urlRequest(in: environment)
            }
        try self.init(urlRequest, of: request, in: environment)
        if url != nil { baseUrl = nil }
        leavesOrigin =
            url != nil
            && urlRequest.url.flatMap(Origin.init) != Origin(of: environment.baseUrl)
    }

    /// This request as a later one of the same call as another request, such as for the next page
    /// of a list. It belongs to the account for which the call began.
    package func continuing(_ first: TransportRequest) -> TransportRequest {
        var request = self
        request.begun = first.begun
        let kept = first.memory.withLock { $0.filter { $0.value is any KeptForCall } }
        memory.withLock { $0.merge(kept) { $1 } }
        return request
    }

    /// The request's body, if it is an ``Upload``, such as a file, which is read while it is sent.
    ///
    /// A transport that can't send `urlRequest.httpBodyStream` must send the ``Upload/chunks()``.
    public var upload: Upload? {
        get { urlRequest.upload }
        set { urlRequest.upload = newValue }
    }

    /// The path as it is declared: the base URL's path, then the declaration's literal text, with
    /// the name of each value's property in braces. It is the same for all requests of a type in an
    /// environment, so that traces and metrics can be grouped by it (`url.template` of
    /// OpenTelemetry).
    ///
    ///     path: "users/\(path: \.id)"   // in https://api.example.com/v1  ->  /v1/users/{id}
    ///
    /// A value that may be left out is always there. A value that is the same in every request is
    /// written as it is. A property without a name in its key path, such as a computed one, has its
    /// number among the values: `{1}`. What ``RequestType/prepare(_:)``, a request processor or
    /// middleware changes is not seen. `nil` if a server has named the URL, as for the next page of
    /// a list, or if only a `URLRequest` was given.
    public var pathTemplate: String? {
        guard let baseUrl else { return nil }
        let path = requestType.pathTemplate
        var masking = policy.masking()
        let base = Array(masking.url(baseUrl).utf8)
        let end = base.first(of: "?")
        var text = base.part(base.endOfAuthority, end).string
        if text.hasSuffix("/"), !path.isEmpty { text.removeLast() }
        text += path
        return text.isEmpty ? "/" : text
    }

    /// The URL as the texts of the library show it: without user info and fragment, and with `…`
    /// for the values of secret names, for a ``Secret`` in the path, and for what the request sends
    /// as a secret elsewhere. For a middleware of yours that writes URLs into logs or traces.
    ///
    ///     let urlRequest = try GetUser(id: 42).urlRequest(in: .production)
    ///     let request = TransportRequest(urlRequest, requestType: GetUser.self)
    ///     print(request.maskedURL())   // https://api.example.com/users/42
    ///
    /// - Parameter names: Changes to ``SecretNames/usual``, before those of the policy.
    public func maskedURL(masking names: SecretNames = []) -> String {
        let names = SecretNames.usual.union(names)
        let secrets = names == .nothing ? [] : urlRequest.secrets(under: policy, names)
        var masking = policy.masking(names, secrets)
        return masking.url(urlRequest.url)
    }

    /// Throws if the request can't be sent as it is.
    ///
    /// A request that the library makes is already checked, but ``RequestType/prepare(_:)``, an
    /// environment's `requestProcessor` and middleware may have changed it. A transport of your own
    /// should call this before it sends. What it then sends as a secret, such as an `Authorization`
    /// that a transport has added, is hidden in the texts of the load, too.
    /// - Throws: An ``EndpointError`` about the method, a header, or a body with GET or HEAD.
    public func check() throws(EndpointError) {
        let sent = LastSent(urlRequest: urlRequest, policy: policy)
        memory.withLock { $0[ObjectIdentifier(LastSent.self)] = sent }
        guard let refusal = urlRequest.refusal else { return }
        throw EndpointError(requestType: "\(requestType)", refusal)
    }

    /// The request as a transport has sent it last; `nil` if none has called ``check()``.
    package var lastSent: URLRequest? {
        memory.withLock { ($0[ObjectIdentifier(LastSent.self)] as? LastSent)?.urlRequest }
    }

    /// Sets a header that a middleware adds.
    ///
    /// - Returns: The value as it is sent.
    /// - Throws: An ``EndpointError`` if the name isn't valid, or the value can't be sent.
    package mutating func set(
        _ header: Headers, to value: some PathRepresentable
    ) throws(EndpointError) -> String {
        do throws(FieldError) {
            let text = try header.checked(try header.text(of: value) ?? "")
            urlRequest.setValue(text, forHTTPHeaderField: header.name)
            return text
        } catch { throw EndpointError(requestType: "\(requestType)", error) }
    }

    /// The request as the caller made it, such as `GetUser(id: 42)`, for a stub that reads its
    /// properties; `nil` if the request is of another type, or if only a `URLRequest` was given.
    public func request<Request: RequestType & Sendable>(as type: Request.Type) -> Request? {
        declared?.value as? Request
    }
}

/// What the middleware keeps of a request.
typealias RequestMemory = Locked<[ObjectIdentifier: any Sendable]>

/// A request as a transport has sent it last. Its secrets are looked for only when a text is made.
private struct LastSent: Sendable {
    let urlRequest: URLRequest
    let policy: LoadPolicy

    fileprivate var parts: SentParts { SentParts(urlRequest, policy) }
}

/// What the middleware keeps for all requests of a call, and not only for the attempts of one.
package protocol KeptForCall: Sendable {
    /// What no text about the call's loads may show.
    var secrets: [String] { get }
}

extension RequestType {
    fileprivate static func leavesOut(_ header: Headers) -> Bool {
        endpoint.plan.headers.leavesOut(header)
    }

    fileprivate static var pathTemplate: String { endpoint.plan.path.text }
}

/// Holds a request that need not be `Sendable`.
///
/// `@unchecked` is safe because the value is returned only as a `Sendable` type.
private struct DeclaredRequest: @unchecked Sendable {
    let value: any RequestType
}

/// A response from a server: status, headers, and the body, whole or in chunks.
public struct TransportResponse: Sendable {
    /// The status and headers.
    public var httpResponse: HTTPURLResponse
    /// The body of the response.
    public var body: ResponseBody

    /// A response whose body is in memory.
    public init(_ data: Data, _ httpResponse: HTTPURLResponse) {
        self.init(body: ResponseBody(data), httpResponse)
    }

    /// A response whose body may still be arriving.
    public init(body: ResponseBody, _ httpResponse: HTTPURLResponse) {
        self.body = body
        self.httpResponse = httpResponse
    }
}

extension Transport {
    /// Loads a request and returns its typed response.
    ///
    ///     let user = try await session.response(in: .production, with: GetUser(id: 42))
    ///
    /// The `URLRequest` is made on the caller's actor. The response is loaded and decoded off that
    /// actor, and then handed to it. So neither the request nor the response needs to be
    /// `Sendable`. Cancelling the task cancels the load.
    /// - Throws: A ``RequestType/TaskError``.
    public nonisolated(nonsending) func response<Request: RequestType>(
        in environment: Request.Environment, with request: Request
    ) async throws(Request.TaskError) -> Request.Response {
        let message: TransportRequest
        do {
            let urlRequest = try request.urlRequest(in: environment)
            message = try TransportRequest(urlRequest, of: request, in: environment)
        } catch { throw .endpointError(error) }
        return try await response(to: message, as: Request.self)
    }

    @concurrent
    package func response<Request: RequestType>(
        to request: TransportRequest, as type: Request.Type
    ) async throws(Request.TaskError) -> sending Request.Response {
        if request.streamsResponse { return try await stream(request, as: type) }
        let sent = request.startingNow()
        let (data, httpResponse): (Data, HTTPURLResponse)
        do { (data, httpResponse) = try await load(request) } catch {
            throw Request.TaskError(loading: error, Request.self).traced(sent.trace())
        }
        return try Request.decode(data, httpResponse, of: sent)
    }

    @concurrent
    package func load(_ request: TransportRequest) async throws -> (Data, HTTPURLResponse) {
        let response = try await send(request)
        let data = try await response.body.data(upTo: request.policy.wholeBodyLimit)
        return (data, response.httpResponse)
    }
}

extension Transport {
    /// Loads a request at a URL that a server has named, such as an upload URL or a `Location`.
    ///
    ///     let user = try await session.response(
    ///         in: .production, with: GetUser(id: 42), at: location)
    ///
    /// If the URL has another origin than the environment, the request is sent without its secret
    /// headers, or isn't sent, as ``RequestType/urlRequest(in:at:)`` explains.
    /// - Throws: A ``RequestType/TaskError``.
    public nonisolated(nonsending) func response<Request: RequestType>(
        in environment: Request.Environment, with request: Request, at url: URL
    ) async throws(Request.TaskError) -> Request.Response {
        let message: TransportRequest
        do { message = try TransportRequest(of: request, in: environment, at: url) } catch {
            throw .endpointError(error)
        }
        return try await response(to: message, as: Request.self)
    }
}

extension EndpointClient {
    /// Loads a request at a URL that a server has named, such as an upload URL or a `Location`.
    ///
    ///     let user = try await api.response(to: GetUser(id: 42), at: location)
    ///
    /// If the URL has another origin than the environment, the request is sent without its secret
    /// headers, or isn't sent, as ``RequestType/urlRequest(in:at:)`` explains.
    /// - Throws: A ``RequestType/TaskError``.
    public nonisolated(nonsending) func response<Request: RequestType>(
        to request: Request, at url: URL
    ) async throws(Request.TaskError) -> Request.Response
    where Request.Environment == Environment {
        try await transport.response(in: environment, with: request, at: url)
    }
}

extension RequestType {
    /// Throws if the response is a stream, which a callback and a publisher can't return.
    static func checkIsWhole() throws(EndpointError) {
        guard DeclaredStream(Response.self) != nil else { return }
        throw endpoint.plan.endpointError(
            FieldError(
                .response,
                "is a stream, which only async functions return; use `response(in:with:)`"))
    }

    /// Throws if a session can't send the `URLRequest` as it is, or if the response is a stream.
    static func check(_ urlRequest: URLRequest) throws(EndpointError) {
        try checkIsWhole()
        if let refusal = urlRequest.refusal {
            let sent = TransportRequest(urlRequest, requestType: Self.self)
            throw EndpointError(requestType: "\(Self.self)", refusal).traced(sent.trace())
        }
    }

    static func result(
        of load: Result<(Data, HTTPURLResponse), any Error>, of sent: TransportRequest
    ) -> Result<Response, TaskError> {
        Result { () throws(TaskError) in
            switch load {
            case .success(let (data, httpResponse)):
                try decode(data, httpResponse, of: sent)
            case .failure(let error):
                throw TaskError(loading: error, Self.self).traced(sent.trace())
            }
        }
    }

    /// Decodes a response. An error gets a trace of the load.
    package static func decode(
        _ data: Data, _ httpResponse: HTTPURLResponse, of sent: TransportRequest
    ) throws(TaskError) -> Response {
        do throws(TaskError) { return try decode(data, httpResponse, under: sent.policy) } catch {
            throw error.traced(sent.trace(data, of: httpResponse))
        }
    }
}

/// The body of a response: whole in memory, or in chunks that are read once, as they arrive.
///
///     let urlRequest = try GetUser(id: 42).urlRequest(in: .production)
///     var request = TransportRequest(urlRequest, requestType: GetUser.self)
///     request.streamsResponse = true   // or else the whole body is one chunk
///     for try await chunk in try await session.send(request).body {
///         print(chunk.count)   // 1 or more
///     }
///
/// Leaving the loop releases the iterator. With a `URLSession`, this cancels a load that hasn't
/// ended.
public struct ResponseBody: Sendable {
    private enum Storage: Sendable {
        case whole(Data)
        case chunks(Locked<Source?>)
    }

    /// Returns the next chunk, or `nil` after the last one.
    typealias Source = @Sendable () async throws -> Data?

    private let storage: Storage

    /// A body that is in memory.
    public init(_ data: Data) {
        storage = .whole(data)
    }

    /// A body that is read in chunks.
    ///
    /// - Parameter next: Returns the next chunk, or `nil` after the last one. One task at a time
    ///   calls this function. The function is released when nobody reads the body any more, so the
    ///   `deinit` of an object that it captures can cancel the load.
    public init(chunks next: @escaping @Sendable () async throws -> Data?) {
        storage = .chunks(Locked(next))
    }

    /// The bytes of a body that is in memory; `nil` for any other body.
    package var whole: Data? {
        if case .whole(let data) = storage { data } else { nil }
    }

    /// How many bytes the body has; `nil` if it isn't in memory.
    public var count: Int? {
        if case .whole(let data) = storage { data.count } else { nil }
    }

    /// The whole body, once it has arrived.
    ///
    /// - Parameter limit: The most bytes that are read.
    /// - Throws: `URLError.dataLengthExceedsMaximum` for a longer body; an ``EndpointError`` for a
    ///   body that isn't in memory and was read before; and the error of the load.
    public func data(upTo limit: Int) async throws -> Data {
        if case .whole(let data) = storage {
            guard data.count <= limit else { throw URLError.isLonger(than: limit) }
            return data
        }
        var data = Data()
        for try await chunk in self {
            guard data.count + chunk.count <= limit else { throw URLError.isLonger(than: limit) }
            // Most bodies are one chunk, which isn't copied.
            if data.isEmpty, chunk.startIndex == 0 { data = chunk } else { data.append(chunk) }
        }
        return data
    }
}

extension ResponseBody {
    /// The same body, which can be read only once, even if it is in memory: a stream is read so,
    /// whatever transport it comes from.
    var readOnce: ResponseBody {
        guard case .whole(let data) = storage else { return self }
        let rest = Locked<Data?>(data)
        return ResponseBody { rest.take() }
    }

    /// The beginning of a body that can't be used, for the text of an error: 512 bytes or more,
    /// unless the body is shorter, can't be read, or takes longer than a second.
    package func beginning() async -> Data {
        let data = Locked(Data())
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var chunks = makeAsyncIterator()
                while data.withLock(\.count) < 512, let chunk = try? await chunks.next() {
                    data.withLock { $0.append(chunk) }
                }
            }
            group.addTask { try? await Task.sleep(nanoseconds: 1_000_000_000) }
            await group.next()
            group.cancelAll()
        }
        return data.withLock { $0 }
    }
}

extension ResponseBody: AsyncSequence {
    /// An iterator over the chunks. Its copies share them: each chunk is given to one of them.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        package fileprivate(set) var next: (@Sendable () async throws -> Data?)?

        /// The next chunk, which is never empty; `nil` after the last one.
        public mutating func next() async throws -> Data? {
            try await next(isolation: nil)
        }

        /// Like `next()`, but runs on the caller's actor.
        public nonisolated(nonsending) mutating func next(
            isolation actor: (any Actor)?
        ) async throws -> Data? {
            while let chunk = try await next?() {
                if !chunk.isEmpty { return chunk }
            }
            next = nil
            return nil
        }
    }

    /// An iterator over the chunks. If the body is in memory, each iterator gets it as one chunk.
    /// Otherwise only the first iterator gets any chunks. Any other throws an ``EndpointError``.
    public func makeAsyncIterator() -> AsyncIterator {
        switch storage {
        case .whole(let data):
            let rest = Locked<Data?>(data)
            return AsyncIterator(next: { rest.take() })
        case .chunks(let source):
            return AsyncIterator(next: source.take() ?? { throw EndpointError.bodyWasRead })
        }
    }
}

extension EndpointError {
    fileprivate static var bodyWasRead: EndpointError {
        EndpointError(
            requestType: "ResponseBody", field: .response,
            reason: "has been read before, and can be read only once while it arrives; "
                + "load it again, or keep what you read")
    }
}

extension TransportRequest {
    /// This request, whose load begins now.
    package func startingNow() -> TransportRequest {
        var request = self
        request.start = .now()
        return request
    }

    /// The seconds since the load began. For an `endpointTask`, that is when the task was made,
    /// even if the caller resumes it later.
    package var seconds: TimeInterval {
        TimeInterval(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
    }

    /// A trace of the load: what was sent, what has arrived, and the time until now.
    ///
    /// - Parameters:
    ///   - data: The body of the response.
    ///   - head: The response that `data` is of.
    ///   - status: The status of the response, if one arrived. An error that holds the response
    ///     doesn't need it.
    ///   - name: What `data` is, if it is neither the body nor a part of a stream.
    func trace(
        _ data: Data = Data(), of head: HTTPURLResponse? = nil, status: Int? = nil,
        isOfStream: Bool = false, as name: String? = nil
    ) -> LoadTrace {
        // What middleware keeps may change before the text is made, which reads the beginning of a
        // body; an error keeps no more of it.
        let kept = memory.withLock(\.self)
        let noted = Self.secrets(in: kept)
        let last = (kept[ObjectIdentifier(LastSent.self)] as? LastSent)?.parts
        let parts = SentParts(urlRequest, policy)
        return LoadTrace(
            requestType: "\(requestType)", method: urlRequest.method, url: urlRequest.url,
            status: status, seconds: seconds,
            received: head.map {
                LoadTrace.Received(
                    data, of: $0,
                    as: name ?? (isOfStream ? "the unreadable part" : "the body"))
            },
            isOfStream: isOfStream,
            masking: {
                let sent = parts.secrets(.usual) + (last?.secrets(.usual) ?? [])
                return parts.policy.masking(.usual, noted + sent)
            })
    }

    /// A function that finds the secrets which middleware has added to copies of this request until
    /// now, and those of the copy that was sent last.
    package var notedSecrets: @Sendable (SecretNames) -> [String] {
        let kept = memory.withLock(\.self)
        // A function that captures something is allocated, and there is often nothing to find.
        guard kept.values.contains(where: { $0 is LastSent || $0 is any KeptForCall })
        else { return { _ in [] } }
        return { names in
            let last = kept[ObjectIdentifier(LastSent.self)] as? LastSent
            return Self.secrets(in: kept) + (last?.parts.secrets(names) ?? [])
        }
    }

    fileprivate static func secrets(in kept: [ObjectIdentifier: any Sendable]) -> [String] {
        kept.values.compactMap { $0 as? any KeptForCall }.flatMap(\.secrets)
    }
}

extension URLRequest {
    /// The secrets in the URL, in the secret headers, and in the first 64 KB of the body that are
    /// in memory.
    package func secrets(under policy: LoadPolicy, _ names: SecretNames) -> [String] {
        SentParts(self, policy).secrets(names)
    }
}

/// The parts of a request that may have secrets, without the rest of a long body, for an error that
/// may be kept for long.
private struct SentParts: Sendable {
    let url: URL?
    let fields: [String: String]
    let body: [UInt8]
    let policy: LoadPolicy

    init(_ request: URLRequest, _ policy: LoadPolicy) {
        url = request.url
        fields = request.allHTTPHeaderFields ?? [:]
        body =
            request.httpBodyStream.flatMap { _ in request.upload?.beginning }
            ?? Array((request.httpBody ?? Data()).prefix(Masking.window))
        self.policy = policy
    }

    func secrets(_ names: SecretNames) -> [String] {
        var masking = policy.masking(names)
        _ = masking.url(url)
        let type = fields.first { Headers(name: $0.key) == .contentType }?.value ?? ""
        _ = masking.masked(body, type, isCutOff: true)
        var secrets = masking.found.map(\.value)
        for (name, value) in fields where policy.hides(name, among: masking.names) {
            secrets += Masking.secrets(inHeader: name, value)
        }
        return secrets
    }
}

extension EndpointTaskError {
    /// This error with a trace of its load, which ``debugDescription`` shows.
    ///
    /// - Parameters:
    ///   - data: The part of a stream that can't be read.
    ///   - stream: The response whose stream has failed.
    ///   - name: What `data` is, if it isn't a part of a stream.
    package func traced(
        by sent: TransportRequest, _ data: Data = Data(), of stream: HTTPURLResponse? = nil,
        as name: String? = nil
    ) -> EndpointTaskError {
        traced(
            sent.trace(
                data, of: stream, status: stream?.statusCode, isOfStream: stream != nil, as: name))
    }
}
