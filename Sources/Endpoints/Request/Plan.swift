import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An ``Endpoint``, prepared once: it is checked, and its names and literal text are escaped.
///
/// A plan isn't generic over the request type: generic code would run several times slower.
@usableFromInline
package final class Plan: Sendable {
    package let method: HTTPMethod
    /// Comparing the method in each request would take longer than reading this.
    private let isGet: Bool
    package let path: PathPlan
    package let query: ParameterPlan
    package let form: ParameterPlan
    package let parts: PartPlan
    /// Whether the body is made of form fields.
    package var sendsForm: Bool { !form.isEmpty }
    package let headers: HeaderPlan
    package let body: BodyPlan
    private let encodedBody: @Sendable (BorrowedValues) throws(FieldError) -> BodyPlan.EncodedBody?
    private let commonHeaders: (@Sendable (BorrowedValues) throws -> [HeaderText])?
    /// Whether the values of the environment's and the common headers are ``Credentials``.
    let hasSecretHeaders: (environment: Bool, common: Bool)
    /// The media type of an optional body, if its encoder alone determines it; otherwise `nil`.
    package let optionalContentType: MIMEType?
    /// The first error in the declaration. Making any request throws this error.
    private let firstError: FieldError?
    let requestType: any RequestType.Type
    /// Whether `pathComponents`, `parameters` and `headerValues` needn't be read, because the
    /// request is a ``FlatRequest``, or its endpoint has no parameters, no values in the path and
    /// no headers other than constants.
    let isFlat: Bool
    /// Whether the environment's type is `ServerEnvironment`, the usual one.
    let isForServerEnvironment: Bool

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
        encodedBody = hooks.encodedBody
        optionalContentType = hooks.optionalContentType
        self.headers = HeaderPlan(
            headers.headers.map { ($0.name, $0.field.source) }, headers.contents,
            accept: hooks.accept,
            contentType: !form.isEmpty ? .formURLEncoded : hooks.contentType)
        let hasValues = self.path.hasValues || self.headers.hasValues || !parameters.isEmpty
        isFlat = requestType is any FlatRequest.Type || !hasValues
        isForServerEnvironment = Request.Environment.self == ServerEnvironment.self
        firstError = Self.firstError(
            method, self.path, query, form, parts, self.headers, body, optionalContentType,
            [
                (self.path.sources, Request.PathComponents.self),
                (parameters.map(\.source), Request.Parameters.self),
                (self.headers.sources, Request.HeaderValues.self),
            ], requestType, Request.Response.self)
    }

    /// Makes the `URLRequest` as it is before `prepare(_:)` and `requestProcessor` change it.
    func urlRequest(
        of request: BorrowedRequest, at baseUrl: URL, _ environmentHeaders: [HeaderText]
    ) throws(EndpointError) -> URLRequest {
        do throws(FieldError) {
            if let firstError { throw firstError }
            var urlRequest = URLRequest(url: try url(of: request, baseUrl))
            // GET is the default. Setting it would double the time for a request whose
            // declaration has only constants.
            if !isGet { urlRequest.httpMethod = method.rawValue }
            if !form.isEmpty {
                let data = try formData(of: request)
                let type = headers.defaults.contentType
                try addFields(of: request, type, environmentHeaders, to: &urlRequest)
                urlRequest.httpBody = data
            } else if body.isDeclared || !parts.isEmpty {
                try addBody(of: request, environmentHeaders, to: &urlRequest)
            } else if !headers.isEmpty || commonHeaders != nil || !environmentHeaders.isEmpty {
                try addFields(of: request, nil, environmentHeaders, to: &urlRequest)
            }
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
            try addFields(of: request, type, environment, to: &urlRequest)
            try headers.checkBoundary(of: upload, urlRequest.allHTTPHeaderFields ?? [:])
            urlRequest.upload = upload
        case nil:
            try addFields(of: request, nil, environment, to: &urlRequest)
        }
    }

    private func addFields(
        of request: BorrowedRequest, _ contentType: MIMEType?, _ environment: [HeaderText],
        to urlRequest: inout URLRequest
    ) throws(FieldError) {
        var common: [HeaderText] = []
        if let commonHeaders {
            do { common = try commonHeaders(request.request) } catch {
                let field = EndpointError.Field.property("commonHeaders")
                throw error as? FieldError ?? FieldError(field, unrepresentableBecauseOf: error)
            }
        }
        let fields = try headers.fields(contentType, environment, common, request.headerValues)
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

    package func endpointError(_ error: FieldError) -> EndpointError {
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
        guard isForServerEnvironment else {
            return try requestType.urlRequest(of: request, in: environment, by: self)
        }
        return try environment.read(ServerEnvironment.self) { server throws(EndpointError) in
            try urlRequestBeforeHooks(of: request, in: server)
        }
    }

    @inline(__always)
    fileprivate func urlRequestBeforeHooks(
        of request: BorrowedValues, in environment: some EnvironmentType
    ) throws(EndpointError) -> URLRequest {
        let headers = try headerTexts(of: environment)
        guard !isFlat else {
            return try urlRequest(
                of: BorrowedRequest(isFlat: request), at: environment.baseUrl, headers)
        }
        return try requestType.urlRequest(of: request, at: environment.baseUrl, headers, by: self)
    }

    func prepare(
        _ urlRequest: inout URLRequest, by request: BorrowedValues
    ) throws(EndpointError) {
        do { try requestType.prepare(&urlRequest, by: request) } catch {
            throw refusal(by: .prepare, error)
        }
    }

    func process(
        _ urlRequest: inout URLRequest, by environment: BorrowedValues
    ) throws(EndpointError) {
        do {
            guard isForServerEnvironment else {
                return try requestType.process(&urlRequest, by: environment)
            }
            try environment.read(ServerEnvironment.self) { try $0.process(&urlRequest) }
        } catch {
            throw refusal(by: .requestProcessor, error)
        }
    }

    @inline(__always)
    private func headerTexts(
        of environment: some EnvironmentType
    ) throws(EndpointError) -> [HeaderText] {
        do { return try environment.headerTexts } catch {
            let field = EndpointError.Field.environmentHeaders
            throw endpointError(
                error as? FieldError ?? FieldError(field, unrepresentableBecauseOf: error))
        }
    }

    private func refusal(by hook: EndpointError.Field, _ error: any Error) -> EndpointError {
        endpointError(
            FieldError(hook, "refused the request: \(error.safeReason)", cause: error))
    }
}

/// A ``Plan`` isn't generic, so it doesn't know the types of the values that it gets as
/// ``BorrowedValues``. These methods do: they read a request as a `Self`, and a server as an
/// `Environment`.
extension RequestType {
    fileprivate static func urlRequest(
        of request: BorrowedValues, in environment: BorrowedValues, by plan: Plan
    ) throws(EndpointError) -> URLRequest {
        try environment.read(Environment.self) { environment throws(EndpointError) in
            try plan.urlRequestBeforeHooks(of: request, in: environment)
        }
    }

    fileprivate static func urlRequest(
        of request: BorrowedValues, at baseUrl: URL, _ headers: [HeaderText], by plan: Plan
    ) throws(EndpointError) -> URLRequest {
        try request.read(Self.self) { values throws(EndpointError) in
            try BorrowedValues.borrow(values.pathComponents) { path throws(EndpointError) in
                try BorrowedValues.borrow(values.parameters) { parameters throws(EndpointError) in
                    try BorrowedValues.borrow(values.headerValues) {
                        headerValues throws(EndpointError) in
                        let borrowed = BorrowedRequest(
                            request: request, pathComponents: path, parameters: parameters,
                            headerValues: headerValues)
                        return try plan.urlRequest(of: borrowed, at: baseUrl, headers)
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
    /// The first error in a declaration. It isn't generic, so that it takes less machine code.
    ///
    /// - Parameters:
    ///   - values: The declared values, and the type whose properties they are.
    static func firstError(
        _ method: HTTPMethod, _ path: PathPlan, _ query: ParameterPlan, _ form: ParameterPlan,
        _ parts: PartPlan, _ headers: HeaderPlan, _ body: BodyPlan, _ bodyType: MIMEType?,
        _ values: [(sources: [ValueSource], root: Any.Type)], _ request: Any.Type,
        _ response: Any.Type
    ) -> FieldError? {
        do throws(FieldError) {
            try method.check()
            try path.check()
            try headers.check()
            try query.check()
            try form.check()
            try parts.check()
            if let error = errors(of: body, form, parts).first { throw error }
            try check(response: response)
            try headers.checkMultipart(parts, body)
            if let bodyType { _ = try Headers.contentType.checked(bodyType.rawValue) }
            for (sources, root) in values {
                try body.checkIsSentOnce(sources, of: root, in: request)
            }
            return nil
        } catch { return error }
    }

    /// The errors of a body, form fields and parts that don't go together.
    package static func errors(
        of body: BodyPlan, _ form: ParameterPlan, _ parts: PartPlan
    ) -> [FieldError] {
        var errors: [FieldError] = []
        if body.isDeclared, let name = parts.names.first {
            let reason = "can't be sent together with a Body; remove the part or the Body"
            errors.append(FieldError(.part(name), reason))
        }
        if !form.isEmpty, let name = parts.names.first {
            let reason = "can't be sent together with form fields; send them as parts"
            errors.append(FieldError(.part(name), reason))
        }
        if body.isDeclared, let field = form.fields.first {
            let reason = "can't be sent together with a Body; remove the one or the other"
            errors.append(FieldError(field, reason))
        }
        return errors
    }

    /// Throws for a request type that doesn't declare `Response`, but compiles because the type, or
    /// a protocol of yours that it conforms to, has a function `response(data:httpResponse:)` that
    /// is written as `-> Response`.
    package static func check(response: Any.Type) throws(FieldError) {
        guard response == UndeclaredResponse.self else { return }
        let reason = "has no type; write `typealias Response = …`, with Void if the body isn't read"
        throw FieldError(.response, reason)
    }
}

extension BodyPlan {
    /// Throws if a property `body` of the request is sent as the body and also as another value.
    ///
    /// - Parameters:
    ///   - values: Values that are declared to be read from `root`.
    package func checkIsSentOnce(
        _ values: [ValueSource], of root: Any.Type, in request: Any.Type
    ) throws(FieldError) {
        guard root == request, isDeclared else { return }
        for value in values where value.propertyName == "body" {
            let reason = """
                would be sent twice, because a parameter, a header or the path also reads \\.body; \
                remove it there, or rename the property if it isn't the body
                """
            throw FieldError(.body, reason)
        }
    }
}

/// How the library reads the body, the coders and the common headers of a request type. This type
/// has no public members.
public struct CheckedHooks<Request: RequestType>: Sendable {
    let body: BodyPlan
    /// The body's media type, if it is the same in every request; otherwise `nil`.
    let contentType: MIMEType?
    let encodedBody: @Sendable (BorrowedValues) throws(FieldError) -> BodyPlan.EncodedBody?
    let accept: MIMEType?
    /// Reads `commonHeaders`; `nil` if the request type doesn't declare them.
    let commonHeaders: (@Sendable (BorrowedValues) throws -> [HeaderText])?
    /// Whether the values of the environment's and the common headers are ``Credentials``.
    let hasSecretHeaders: (environment: Bool, common: Bool)
    let optionalContentType: MIMEType?
    /// The static body encoder, if it writes JSON.
    let jsonEncoder: @Sendable () -> JSONEncoder?
    let responseDecoder: @Sendable () -> any DecoderType
    let decodedError: @Sendable (Data) throws -> Request.ErrorResponse
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
            body: body, contentType: body.contentType(bodyEncoder),
            encodedBody: { values throws(FieldError) in
                try values.read(Self.self) { request throws(FieldError) in
                    try body.content(of: request.body, request.bodyEncoder)
                }
            },
            accept: defaultAccept,
            commonHeaders: CommonHeaders.self == NoValues.self ? nil : readCommonHeaders,
            hasSecretHeaders: (
                Environment.EnvironmentHeaders.self is any SecretValue.Type,
                CommonHeaders.self is any SecretValue.Type
            ),
            optionalContentType: body.optionalContentType(bodyEncoder),
            jsonEncoder: { bodyEncoder as? JSONEncoder },
            responseDecoder: { responseDecoder },
            decodedError: { try errorDecoder.located(ErrorResponse.self, from: $0) })
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
