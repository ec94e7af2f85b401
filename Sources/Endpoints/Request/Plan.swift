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
