import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A declaration, prepared once, so that a request only reads its values and appends them.
///
/// It isn't generic over the request type, because generic code would take several times as long.
@usableFromInline
final class Plan: Sendable {
    let method: HTTPMethod
    private let path: PathPlan
    private let query: ParameterPlan
    private let form: ParameterPlan
    private let headers: HeaderPlan
    private let body: BodyPlan
    private let bodyContent: @Sendable (BorrowedValues) throws(FieldError) -> BodyPlan.EncodedBody?
    /// The declaration's problems.
    let problems: [Problem]
    private let refusal: FieldError?
    private let requestType: any RequestType.Type
    /// Whether the response is read while it arrives.
    let streamsResponse: Bool
    /// Whether a request's values are the request itself, or no values are read.
    @usableFromInline let isFlat: Bool

    init<Request: RequestType>(
        _ requestType: Request.Type, method: HTTPMethod,
        path: PathTemplate<Request.PathComponents>, parameters: ParameterList<Request.Parameters>,
        headers: HeaderList<Request.HeaderValues>, streamsResponse: Bool
    ) where Request.Body: Encodable {
        self.requestType = requestType
        self.streamsResponse = streamsResponse
        self.method = method
        self.path = PathPlan(path)
        query = ParameterPlan(queryItemsOf: parameters)
        form = ParameterPlan(formFieldsOf: parameters)
        let body = BodyPlan(Request.Body.self)
        self.body = body
        bodyContent = { values throws(FieldError) in
            try body.content(of: values.read(Request.self) { $0.body }, Request.bodyEncoder)
        }
        let bodyType = form.isEmpty ? body.contentType(Request.bodyEncoder) : .formURLEncoded
        self.headers = HeaderPlan(
            headers, defaults: [.accept: Request.acceptedType, .contentType: bodyType])
        let hasValues =
            self.path.hasValues || self.headers.hasValues || !query.isEmpty || !form.isEmpty
        isFlat = requestType is any FlatRequest.Type || !hasValues
        let path = self.path.propertyNames
        let parameters = query.propertyNames + form.propertyNames
        let headers = self.headers.propertyNames
        problems =
            method.problems + self.path.problems + self.headers.problems
            + query.problems + form.problems
            + Self.problems(query, form, body, method)
            + body.problems(Request.bodyEncoder)
            + Self.problems(reading: path, of: Request.PathComponents.self, in: requestType)
            + Self.problems(reading: parameters, of: Request.Parameters.self, in: requestType)
            + Self.problems(reading: headers, of: Request.HeaderValues.self, in: requestType)
        refusal = problems.first(where: \.isError)?.fieldError
    }

    /// Makes the `URLRequest`, before the hooks run.
    @usableFromInline
    func urlRequest(
        of request: BorrowedRequest, at baseUrl: URL, _ items: [URLQueryItem],
        _ headers: [Headers: String]
    ) throws(EndpointError) -> URLRequest {
        do throws(FieldError) {
            if let refusal { throw refusal }
            var urlRequest = URLRequest(url: try url(of: request, items, baseUrl))
            // Setting the method takes as long as making a whole constant request.
            if method != .get { urlRequest.httpMethod = method.rawValue }
            var fields = self.headers.constants
            if self.headers.hasValues { try self.headers.add(request.headerValues, to: &fields) }
            if !headers.isEmpty { try self.headers.add(headers, to: &fields) }
            if !form.isEmpty {
                urlRequest.httpBody = try formData(of: request.parameters)
            } else if body.isSent, let content = try bodyContent(request.request) {
                try add(content, to: &urlRequest, &fields)
            }
            if !fields.isEmpty { urlRequest.allHTTPHeaderFields = fields }
            return urlRequest
        } catch { throw endpointError(error) }
    }

    private func url(
        of request: BorrowedRequest, _ items: [URLQueryItem], _ baseUrl: URL
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
            if !items.isEmpty { query.append(items, to: &url) }
            if url.count > end { url[end] = UInt8(ascii: "?") }
        }
        if let url = URL.checked(text) { return url }
        throw FieldError(.baseUrl, "doesn't make a valid URL; check its host and port")
    }

    private func formData(of values: BorrowedValues) throws(FieldError) -> Data {
        try Bytes.writeTemporarily(capacity: form.capacity) { bytes throws(FieldError) in
            try form.append(values, to: &bytes)
            return bytes.withBytes { Data(buffer: UnsafeBufferPointer(rebasing: $0.dropFirst())) }
        }
    }

    private func add(
        _ content: BodyPlan.EncodedBody, to urlRequest: inout URLRequest,
        _ fields: inout [String: String]
    ) throws(FieldError) {
        urlRequest.httpBody = content.data
        if case .optional = body, let type = content.type,
            fields[headers.spelling(of: .contentType)] == nil
        {
            try headers.add([.contentType: type.rawValue], to: &fields)
        }
    }

    /// Adds the request type to an error.
    func endpointError(_ error: FieldError) -> EndpointError {
        EndpointError(requestType: "\(requestType)", error)
    }
}

extension URL {
    /// Makes a URL without escaping anything again.
    @inline(__always)
    fileprivate static func checked(_ text: String) -> URL? {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) {
            return URL(string: text, encodingInvalidCharacters: false)
        }
        return URL(string: text)
    }
}
