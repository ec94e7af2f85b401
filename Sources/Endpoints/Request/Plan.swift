import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestType {
    /// Makes the `URLRequest` for a server.
    ///
    ///     try GetUser(id: 42).urlRequest(in: .production)
    ///     // GET https://api.example.com/users/42
    ///
    /// Nothing is sent. The request's own ``prepare(_:)`` and then the environment's
    /// `requestProcessor` can change the `URLRequest`.
    /// - Throws: An ``EndpointError`` that names the field and, in most cases, says what to change.
    @inlinable
    public func urlRequest(in environment: Environment) throws(EndpointError) -> URLRequest {
        try BorrowedValues.borrow(self) { request throws(EndpointError) in
            try BorrowedValues.borrow(environment) { server throws(EndpointError) in
                // A plan in a variable would be reference-counted, and threads that use the same
                // declaration would wait for each other to change the count.
                try Self.endpoint.plan.urlRequest(of: request, in: server)
            }
        }
    }
}

/// An ``Endpoint``, prepared once: it is checked, and its names and literal text are escaped.
///
/// A plan isn't generic over the request type: generic code would run several times slower.
@usableFromInline
final class Plan: Sendable {
    let method: HTTPMethod
    /// Comparing the method in each request would take longer than reading this.
    private let isGet: Bool
    let path: PathPlan
    let query: ParameterPlan
    let form: ParameterPlan
    let parts: PartPlan
    let headers: HeaderPlan
    let body: BodyPlan
    /// Whether a request has a `body` or parts.
    private let hasBody: Bool
    private let encodedBody: @Sendable (BorrowedValues) throws(FieldError) -> BodyPlan.EncodedBody?
    private let commonHeaders: (@Sendable (BorrowedValues) throws -> [HeaderText])?
    /// Whether the values of the environment's and the common headers are ``Credentials``.
    let hasSecretHeaders: (environment: Bool, common: Bool)
    /// The media type of an optional body, if its encoder alone determines it; otherwise `nil`.
    private let optionalMediaType: MIMEType?
    /// What is wrong with the declaration. Making a request throws the first error.
    private let errors: [FieldError]
    let requestType: any RequestType.Type
    /// Makes the `URLRequest` for a server of the request's own type of environment; `nil` if that
    /// is `ServerEnvironment`, the usual one, which needs no function to be read.
    private let ownServer: OwnServer?
    /// Whether `pathComponents`, `parameters` and `headerValues` needn't be read, because the
    /// request is a ``FlatRequest``, or its endpoint has no parameters, no values in the path and
    /// no headers other than constants.
    let isFlat: Bool
    /// Whether the declaration says `Cookie: nil`, so that the session adds no cookies either.
    private let leavesOutCookies: Bool

    private typealias OwnServer =
        @Sendable (Plan, BorrowedValues, BorrowedValues) throws(EndpointError) -> URLRequest

    init<Request: RequestType>(
        _ requestType: Request.Type, method: HTTPMethod,
        path: PathTemplate<Request.PathComponents>, parameters: ParameterList<Request.Parameters>,
        headers: HeaderList<Request.HeaderValues>
    ) {
        let hooks = Request.checkedHooks
        let parameters = parameters.declared.map { $0.written(by: hooks.jsonEncoder) }
        self.requestType = requestType
        self.method = method
        isGet = method == .get
        self.path = PathPlan(path.pieces, method)
        query = ParameterPlan(queryItemsOf: parameters)
        form = ParameterPlan(formFieldsOf: parameters)
        parts = PartPlan(parameters)
        commonHeaders = hooks.commonHeaders
        hasSecretHeaders = hooks.hasSecretHeaders
        body = hooks.body
        hasBody = body.isDeclared || !parts.isEmpty
        encodedBody = hooks.encodedBody
        let mediaType = body.isInEveryRequest ? hooks.mediaType() : nil
        optionalMediaType = body.isInEveryRequest ? nil : hooks.mediaType()
        self.headers = HeaderPlan(
            headers.headers.map { ($0.name, $0.field.source) }, headers.contents,
            accept: hooks.accept(),
            contentType: form.isEmpty ? mediaType : .formURLEncoded)
        leavesOutCookies = self.headers.leavesOut(.cookie)
        let hasValues = self.path.hasValues || self.headers.hasValues || !parameters.isEmpty
        isFlat = requestType is any FlatRequest.Type || !hasValues
        let ownServer: OwnServer = { plan, request, environment throws(EndpointError) in
            try environment.read(Request.Environment.self) { server throws(EndpointError) in
                try plan.urlRequest(of: request, at: server)
            }
        }
        self.ownServer = Request.Environment.self == ServerEnvironment.self ? nil : ownServer
        errors = Self.errors(
            method, self.path, query, form, parts, self.headers, body, optionalMediaType,
            [
                (self.path.sources, Request.PathComponents.self),
                (parameters.map(\.source), Request.Parameters.self),
                (self.headers.sources, Request.HeaderValues.self),
            ], requestType, Request.Response.self)
    }

    /// Makes the `URLRequest` as it is before `prepare(_:)` and `requestProcessor` change it.
    fileprivate func urlRequest(
        of request: BorrowedRequest, at baseUrl: URL, _ environment: [HeaderText]
    ) throws(EndpointError) -> URLRequest {
        do throws(FieldError) {
            if let error = errors.first { throw error }
            var urlRequest = URLRequest(url: try url(of: request, baseUrl))
            // GET is the default. Setting it would double the time for a request whose
            // declaration has only constants.
            if !isGet { urlRequest.httpMethod = method.rawValue }
            if !form.isEmpty {
                let data = try formData(of: request)
                let type = headers.defaults.contentType
                try addFields(of: request, type, environment, to: &urlRequest)
                urlRequest.httpBody = data
            } else if hasBody {
                try addBody(of: request, environment, to: &urlRequest)
            } else if !headers.isEmpty || commonHeaders != nil || !environment.isEmpty {
                try addFields(of: request, nil, environment, to: &urlRequest)
            }
            if leavesOutCookies { urlRequest.httpShouldHandleCookies = false }
            return urlRequest
        } catch { throw endpointError(error) }
    }

    private func addBody(
        of request: BorrowedRequest, _ environment: [HeaderText], to urlRequest: inout URLRequest
    ) throws(FieldError) {
        let body =
            parts.isEmpty
            ? try encodedBody(request.request)
            : BodyPlan.EncodedBody(try parts.form(of: request.parameters))
        switch body {
        case .data(let data, let type):
            try addFields(of: request, type, environment, to: &urlRequest)
            urlRequest.httpBody = data
        case .upload(let upload, let type):
            try addFields(of: request, type, environment, upload, to: &urlRequest)
            urlRequest.upload = upload
        case nil:
            try addFields(of: request, nil, environment, to: &urlRequest)
        }
    }

    private func addFields(
        of request: BorrowedRequest, _ contentType: MIMEType?, _ environment: [HeaderText],
        _ upload: Upload? = nil, to urlRequest: inout URLRequest
    ) throws(FieldError) {
        var common: [HeaderText] = []
        if let commonHeaders {
            do { common = try commonHeaders(request.request) } catch {
                let field = EndpointError.Field.property("commonHeaders")
                throw error as? FieldError ?? FieldError(field, unrepresentableBecauseOf: error)
            }
        }
        let fields = try headers.fields(contentType, environment, common, request.headerValues)
        if let upload { try headers.checkBoundary(of: upload, fields, environment, common) }
        if !fields.isEmpty { urlRequest.allHTTPHeaderFields = fields }
    }

    @inline(__always)
    private func url(
        of request: BorrowedRequest, _ baseUrl: URL
    ) throws(FieldError) -> URL {
        let baseUrl = baseUrl.absoluteString
        let capacity = baseUrl.utf8.count + path.capacity + query.capacity
        let text = try String(capacity: capacity) { url throws(FieldError) in
            url.append(baseUrl)
            let base = try BaseURL(cutting: &url)
            let start = url.count
            try path.append(request.pathComponents, to: &url)
            if base.hasTrailingSlash && url.count == start { url.append(.slash) }
            let end = url.count
            if let base = base.query, !base.isEmpty {
                url.append(UInt8(ascii: "&"))
                url.append(0..<base.count, of: base)
            }
            if !query.isEmpty { try query.append(request.parameters, to: &url) }
            if url.count > end { url[end] = UInt8(ascii: "?") }
        }
        if let url = URL.checked(text) { return url }
        throw FieldError(.baseUrl, "is not a valid URL; check its host and port")
    }

    private func formData(of request: BorrowedRequest) throws(FieldError) -> Data {
        try Bytes.writeTemporarily(capacity: form.capacity) { bytes throws(FieldError) in
            try form.append(request.parameters, to: &bytes)
            return bytes.withBytes { Data(buffer: UnsafeBufferPointer(rebasing: $0.dropFirst())) }
        }
    }

    func endpointError(_ error: FieldError) -> EndpointError {
        EndpointError(requestType: "\(requestType)", error)
    }
}

extension URL {
    /// Makes a URL of a text that is already escaped.
    @inline(__always)
    fileprivate static func checked(_ text: String) -> URL? {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) {
            return URL(string: text, encodingInvalidCharacters: false)
        }
        return URL(string: text)
    }
}

extension Plan {
    /// The arguments must point to a value of the request type that the plan was made for, and to a
    /// value of that type's `Environment`.
    @usableFromInline
    func urlRequest(
        of request: BorrowedValues, in environment: BorrowedValues
    ) throws(EndpointError) -> URLRequest {
        var urlRequest = try urlRequestBeforeHooks(of: request, in: environment)
        try prepare(&urlRequest, by: request)
        try process(&urlRequest, by: environment)
        return urlRequest
    }

    /// Makes the `URLRequest` as it is before `prepare(_:)` and `requestProcessor` change it.
    @inline(__always)
    func urlRequestBeforeHooks(
        of request: BorrowedValues, in environment: BorrowedValues
    ) throws(EndpointError) -> URLRequest {
        if let ownServer { return try ownServer(self, request, environment) }
        return try environment.read(ServerEnvironment.self) { server throws(EndpointError) in
            try urlRequest(of: request, at: server)
        }
    }

    /// Gets the base URL as it lies in the server: a copy would count references.
    @inline(__always)
    private func urlRequest(
        of request: BorrowedValues, at server: some EnvironmentType
    ) throws(EndpointError) -> URLRequest {
        let headers: [HeaderText]
        do { headers = try server.headerTexts } catch {
            let field = EndpointError.Field.environmentHeaders
            throw endpointError(
                error as? FieldError ?? FieldError(field, unrepresentableBecauseOf: error))
        }
        guard !isFlat else {
            let values = BorrowedRequest(isFlat: request)
            return try urlRequest(of: values, at: server.baseUrl, headers)
        }
        return try requestType.urlRequest(of: request, at: server.baseUrl, headers, by: self)
    }

    func prepare(
        _ urlRequest: inout URLRequest, by request: BorrowedValues
    ) throws(EndpointError) {
        do { try requestType.prepare(&urlRequest, by: request) } catch {
            throw refusal(by: .prepare, error)
        }
        urlRequest.refuseCompressedRange()
    }

    func process(
        _ urlRequest: inout URLRequest, by environment: BorrowedValues
    ) throws(EndpointError) {
        do {
            guard case .none = ownServer else {
                return try requestType.process(&urlRequest, by: environment)
            }
            try environment.read(ServerEnvironment.self) { try $0.process(&urlRequest) }
        } catch {
            throw refusal(by: .requestProcessor, error)
        }
    }

    private func refusal(by hook: EndpointError.Field, _ error: any Error) -> EndpointError {
        endpointError(
            FieldError(hook, "refused the request: \(error.safeReason)", cause: error))
    }
}

extension URLRequest {
    /// Adds `Accept-Encoding: identity` to a request with a `Range` and without an
    /// `Accept-Encoding`: a range of a compressed body can't be unpacked (Fetch Standard, “HTTP
    /// network or cache fetch”).
    fileprivate mutating func refuseCompressedRange() {
        guard let names = allHTTPHeaderFields?.keys,
            names.contains(where: { $0.utf8.count == 5 && $0.lowercased() == "range" }),
            !names.contains(where: { $0.lowercased() == "accept-encoding" })
        else { return }
        setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
}

/// A ``Plan`` isn't generic, so it doesn't know the types of the values that it gets as
/// ``BorrowedValues``. These methods do: they read a request as a `Self`, and a server as an
/// `Environment`.
extension RequestType {
    fileprivate static func urlRequest(
        of request: BorrowedValues, at baseUrl: URL, _ environment: [HeaderText], by plan: Plan
    ) throws(EndpointError) -> URLRequest {
        try request.read(Self.self) { values throws(EndpointError) in
            try BorrowedValues.borrow(values.pathComponents) { path throws(EndpointError) in
                try BorrowedValues.borrow(values.parameters) { parameters throws(EndpointError) in
                    try BorrowedValues.borrow(values.headerValues) {
                        headerValues throws(EndpointError) in
                        let borrowed = BorrowedRequest(
                            request: request, pathComponents: path, parameters: parameters,
                            headerValues: headerValues)
                        return try plan.urlRequest(of: borrowed, at: baseUrl, environment)
                    }
                }
            }
        }
    }

    fileprivate static func prepare(
        _ urlRequest: inout URLRequest, by request: BorrowedValues
    ) throws {
        try request.read(Self.self) { request in
            try request.prepare(request: &urlRequest)
            try request.prepare(&urlRequest)
        }
    }

    fileprivate static func process(
        _ urlRequest: inout URLRequest, by environment: BorrowedValues
    ) throws {
        try environment.read(Environment.self) { try $0.process(&urlRequest) }
    }
}

struct BorrowedRequest {
    let request: BorrowedValues
    let pathComponents: BorrowedValues
    let parameters: BorrowedValues
    let headerValues: BorrowedValues
}

extension BorrowedRequest {
    /// A request whose values are the request itself, or whose declaration reads no values.
    init(isFlat request: BorrowedValues) {
        self.init(
            request: request, pathComponents: request, parameters: request, headerValues: request)
    }
}

extension Plan {
    /// The errors in a declaration. It isn't generic, so that it takes less machine code. A new
    /// rule for declarations is checked here, and a warning in `Problems` of EndpointsTesting.
    ///
    /// - Parameters:
    ///   - values: The declared values, and the type whose properties they are.
    private static func errors(
        _ method: HTTPMethod, _ path: PathPlan, _ query: ParameterPlan, _ form: ParameterPlan,
        _ parts: PartPlan, _ headers: HeaderPlan, _ body: BodyPlan, _ optionalMediaType: MIMEType?,
        _ values: [(sources: [ValueSource], root: Any.Type)], _ request: Any.Type,
        _ response: Any.Type
    ) -> [FieldError] {
        var errors = DeclarationErrors()
        errors.check { () throws(FieldError) in try method.check() }
        path.check(&errors)
        headers.check(&errors)
        query.check(&errors)
        form.check(&errors)
        parts.check(&errors)
        body.check(form, parts, &errors)
        errors.check { () throws(FieldError) in try check(response: response) }
        errors.check { () throws(FieldError) in try headers.checkMultipart(parts, body) }
        errors.check { () throws(FieldError) in
            try headers.checkContentType(headers.defaults.contentType ?? optionalMediaType)
        }
        if let type = optionalMediaType {
            errors.check { () throws(FieldError) in
                _ = try Headers.contentType.checked(type.rawValue)
            }
        }
        for (sources, root) in values where root == request && body.isDeclared {
            errors.check { () throws(FieldError) in try body.checkIsSentOnce(sources) }
        }
        return errors.list
    }

    /// Throws for a request type that doesn't declare `Response`, but compiles because the type, or
    /// a protocol of yours that it conforms to, has a function `response(data:httpResponse:)` that
    /// is written as `-> Response`.
    private static func check(response: Any.Type) throws(FieldError) {
        guard response == UndeclaredResponse.self else { return }
        let reason = "has no type; write `typealias Response = …`, with Void if the body isn't read"
        throw FieldError(.response, reason)
    }
}

extension BodyPlan {
    /// Finds a body, form fields and parts that don't go together.
    fileprivate func check(
        _ form: ParameterPlan, _ parts: PartPlan, _ errors: inout DeclarationErrors
    ) {
        if isDeclared, let name = parts.names.first {
            errors.add(
                .part(name), "can't be sent together with a Body; remove the part or the Body")
        }
        if !form.isEmpty, let name = parts.names.first {
            errors.add(
                .part(name), "can't be sent together with form fields; send them as parts")
        }
        if isDeclared, let field = form.fields.first {
            errors.add(field, "can't be sent together with a Body; remove the one or the other")
        }
    }

    /// Throws if a property `body` of the request is sent as the body and also as another value.
    fileprivate func checkIsSentOnce(_ values: [ValueSource]) throws(FieldError) {
        guard values.contains(where: { $0.propertyName == "body" }) else { return }
        let reason = """
            would be sent twice, because a parameter, a header or the path also reads \\.body; \
            remove it there, or rename the property if it isn't the body
            """
        throw FieldError(.body, reason)
    }
}

extension RequestType {
    /// The request type's static encoder.
    @inlinable public var bodyEncoder: BodyEncoder { Self.bodyEncoder }
    /// Changes nothing.
    @inlinable public func prepare(_ request: inout URLRequest) throws {}
    /// Changes nothing.
    @inlinable public func prepare(request: inout URLRequest) throws {}
    /// A policy that sets nothing.
    public static var commonLoadPolicy: LoadPolicy { .default }
    /// `LoadPolicy.default`.
    public var commonLoadPolicy: LoadPolicy { .default }
    /// A policy that sets nothing.
    public static var loadPolicy: LoadPolicy { .default }
    /// The request type's static policy.
    public var loadPolicy: LoadPolicy { Self.loadPolicy }
}

extension RequestType {
    /// The policy of a load of this request: all layers, with the headers that are
    /// ``Credentials`` added to ``LoadPolicy/sensitiveHeaders``.
    func policy(in environment: Environment) -> LoadPolicy {
        var policy = environment.checkedLoadPolicy.replaced(by: Self.commonLoadPolicy)
            .replaced(by: commonLoadPolicy).replaced(by: Self.loadPolicy).replaced(by: loadPolicy)
        let plan = Self.endpoint.plan
        var secrets = plan.headers.secrets
        if plan.hasSecretHeaders.environment { secrets += namesOfHeaders(environment.headers) }
        if plan.hasSecretHeaders.common { secrets += namesOfHeaders(commonHeaders) }
        for source in plan.headers.contents where source.isSecret {
            secrets += source.headerNames(in: headerValues)
        }
        if !secrets.isEmpty { policy.sensitiveHeaders.formUnion(secrets) }
        if !plan.path.secrets.isEmpty {
            policy.pathSecrets = plan.path.secrets.compactMap { $0.secret(in: pathComponents) }
        }
        return policy
    }
}

extension RequestType {
    /// The policy of a load of this request.
    /// - Throws: An ``EndpointError`` if the policy has a setting that can't be meant.
    func checkedPolicy(in environment: Environment) throws(EndpointError) -> LoadPolicy {
        let policy = policy(in: environment)
        do throws(FieldError) { try policy.check() } catch {
            throw Self.endpoint.plan.endpointError(error)
        }
        return policy
    }

    /// The layers that all requests of the type have in common.
    static var sharedLoadPolicy: LoadPolicy { commonLoadPolicy.replaced(by: loadPolicy) }
}

extension ValueSource {
    /// The secret in the property; `nil` if it has none.
    fileprivate func secret(in values: some Any) -> Secret? {
        keyPath.flatMap { values[keyPath: $0] as? Secret }
    }

    /// The names of the headers in the property.
    func headerNames(in values: some Any) -> [Headers] {
        keyPath.flatMap { values[keyPath: $0] }.map(namesOfHeaders) ?? []
    }
}

/// The names of the headers; empty if `headerTexts` throws, because then nothing is sent.
private func namesOfHeaders(_ fields: Any) -> [Headers] {
    (try? (fields as? any HeaderFields)?.headerTexts.map(\.name)) ?? []
}

/// How the library reads the body, the coders and the common headers of a request type. This type
/// has no public members.
public struct CheckedHooks<Request: RequestType>: Sendable {
    let body: BodyPlan
    /// The body's media type, if its type and the static encoder determine it; otherwise `nil`.
    let mediaType: @Sendable () -> MIMEType?
    let encodedBody: @Sendable (BorrowedValues) throws(FieldError) -> BodyPlan.EncodedBody?
    let accept: @Sendable () -> MIMEType?
    /// Reads `commonHeaders`; `nil` if the request type doesn't declare them.
    let commonHeaders: (@Sendable (BorrowedValues) throws -> [HeaderText])?
    /// Whether the values of the environment's and the common headers are ``Credentials``.
    let hasSecretHeaders: (environment: Bool, common: Bool)
    /// The static body encoder, if it writes JSON.
    let jsonEncoder: @Sendable () -> JSONEncoder?
    let responseDecoder: @Sendable () -> any DecoderType
    let errorDecoder: @Sendable () -> any DecoderType
}

extension RequestType
where
    Body: Encodable, BodyEncoder: EncoderType, ResponseDecoder: DecoderType,
    ErrorDecoder: DecoderType, CommonHeaders: HeaderFields
{
    /// The default. It exists if the body, the coders, the items and the headers have valid types.
    public static var checkedHooks: CheckedHooks<Self> {
        let body = BodyPlan(Body.self)
        let readCommonHeaders: @Sendable (BorrowedValues) throws -> [HeaderText] = { values in
            try values.read(Self.self) { request in try request.commonHeaders.headerTexts }
        }
        return CheckedHooks(
            body: body, mediaType: { body.mediaType(bodyEncoder) },
            encodedBody: { values throws(FieldError) in
                try values.read(Self.self) { request throws(FieldError) in
                    try body.content(of: request.body, request.bodyEncoder)
                }
            },
            accept: { defaultAccept },
            commonHeaders: CommonHeaders.self == NoValues.self ? nil : readCommonHeaders,
            hasSecretHeaders: (
                Environment.EnvironmentHeaders.self is any SecretValue.Type,
                CommonHeaders.self is any SecretValue.Type
            ),
            jsonEncoder: { bodyEncoder as? JSONEncoder },
            responseDecoder: { responseDecoder },
            errorDecoder: { errorDecoder })
    }
}

extension RequestType where ResponseDecoder: DecoderType, ErrorDecoder: DecoderType {
    /// The `Accept` header that is sent unless the environment or the request sets one (RFC 9110,
    /// section 12.5.1). With `nil`, the library adds none, and `URLSession` sends `*/*`.
    ///
    /// - An ``AcceptingResponse``, such as a stream, accepts the media type that it declares.
    /// - A `Decodable` response accepts the response decoder's media type. (Your own
    ///   ``response(data:httpResponse:)`` may not use that decoder, but the library can't know.)
    /// - `Void` and ``EmptyResponse`` accept the error decoder's media type, if `ErrorResponse` is
    ///   decoded. Without an `Accept`, some servers send errors as web pages.
    /// - `Data`, `String` and any other type accept any media type: `nil`.
    static var defaultAccept: MIMEType? {
        let carrier = Response.self as? any HTTPResponseCarrier.Type
        if let type = (carrier?.valueType ?? Response.self) as? any AcceptingResponse.Type {
            return type.acceptedType
        }
        if ResponseKind.isDecoded(Response.self) { return responseDecoder.contentType }
        guard
            ResponseKind.isIgnored(Response.self)
                && ResponseKind.isDecoded(ErrorResponse.self)
        else { return nil }
        return errorDecoder.contentType
    }
}

/// Reads a declaration, so that `EndpointsTesting` can find problems in it, and `EndpointsOpenAPI`
/// can write a document of it.
package protocol DeclarationReader {
    mutating func path(literal: String)
    mutating func path(value: DeclaredSource, includesSlash: Bool)
    mutating func path(segments: DeclaredSource)
    mutating func parameter(
        _ kind: ParameterKind, _ name: String, _ source: DeclaredSource, _ style: ParameterStyle)
    /// A declared header.
    mutating func header(_ name: Headers, _ source: DeclaredSource)
    /// A property that has headers whose names are known only at run time.
    mutating func headers(contentsOf source: DeclaredSource)
    /// A header that a request has by default: a media type, or what comes with it.
    mutating func header(_ name: String, defaultText: String)
    mutating func body(_ plan: BodyPlan)
    /// What is wrong. Making a request throws the first error.
    mutating func error(_ error: EndpointError)
}

extension Endpoint {
    /// Reports the whole declaration, part by part.
    package func describe(to reader: inout some DeclarationReader) {
        plan.describe(to: &reader)
    }
}

extension Plan {
    fileprivate func describe(to reader: inout some DeclarationReader) {
        for piece in path.template {
            switch piece {
            case .literal(let text): reader.path(literal: text)
            case .value(let source, let includesSlash):
                reader.path(value: source.declared, includesSlash: includesSlash)
            case .segments(let source): reader.path(segments: source.declared)
            }
        }
        for parameter in query.parameters + form.parameters + parts.items {
            reader.parameter(
                parameter.kind, parameter.name, parameter.source.declared, parameter.style)
        }
        for (name, source) in headers.declared { reader.header(name, source.declared) }
        for source in headers.contents { reader.headers(contentsOf: source.declared) }
        for (name, text) in headers.defaultTexts { reader.header(name, defaultText: text) }
        if let type = optionalMediaType {
            reader.header(Headers.contentType.name, defaultText: type.rawValue)
        }
        reader.body(body)
        for error in errors { reader.error(endpointError(error)) }
    }
}
