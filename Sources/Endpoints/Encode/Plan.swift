import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A declaration, compiled once: a request only reads its values and appends them.
///
/// It does not name the type of its requests, so that the work for each of them is not generic:
/// what is, costs several times as much.
final class Plan: Sendable {
    let method: HTTPMethod
    private let path: PathPlan
    private let query: ParameterPlan
    private let form: ParameterPlan
    private let headers: HeaderPlan
    private let body: BodyPlan
    private let bodyContent: @Sendable (Values) throws(FieldError) -> BodyPlan.Content?
    /// What is wrong with the declaration.
    let problems: [Problem]
    private let refusal: FieldError?
    private let requestType: any RequestType.Type
    private let isFlat: Bool

    init<Request: RequestType>(
        _ requestType: Request.Type, method: HTTPMethod,
        path: PathTemplate<Request.PathComponents>, parameters: ParameterList<Request.Parameters>,
        headers: HeaderList<Request.HeaderValues>
    ) where Request.Body: Encodable {
        self.requestType = requestType
        isFlat = requestType is any FlatRequest.Type
        self.method = method
        self.path = PathPlan(path)
        query = ParameterPlan(queryItemsOf: parameters)
        form = ParameterPlan(formFieldsOf: parameters)
        let body = BodyPlan(Request.Body.self)
        self.body = body
        bodyContent = { values throws(FieldError) in
            try body.content(of: values.read(Request.self, \.body), Request.bodyEncoder)
        }
        let bodyType = form.isEmpty ? body.contentType(Request.bodyEncoder) : .formURLEncoded
        self.headers = HeaderPlan(
            headers, defaults: [.accept: Request.acceptedType, .contentType: bodyType])
        let path = self.path.propertyNames
        let parameters = query.propertyNames + form.propertyNames
        let headers = self.headers.propertyNames
        problems =
            method.problems + self.path.problems + self.headers.problems
            + query.problems + form.problems
            + Self.problems(query, form, body, method)
            + Self.problems(reading: path, of: Request.PathComponents.self, in: requestType)
            + Self.problems(reading: parameters, of: Request.Parameters.self, in: requestType)
            + Self.problems(reading: headers, of: Request.HeaderValues.self, in: requestType)
        refusal = problems.first(where: \.refuses)?.error
    }

    /// The `URLRequest` of a request, before the hooks.
    func urlRequest(of request: some RequestType, baseUrl: URL) throws(FieldError) -> URLRequest {
        if let refusal { throw refusal }
        var urlRequest = URLRequest(url: try url(of: request, baseUrl))
        // Setting the method costs as much as a whole constant request.
        if method != .get { urlRequest.httpMethod = method.rawValue }
        var fields = headers.constants
        if headers.hasValues {
            try borrow(request, request.headerValues) { values throws(FieldError) in
                try headers.add(values, to: &fields)
            }
        }
        for (name, value) in request.additionalHeaders {
            try headers.add(value, named: name, to: &fields)
        }
        if let content = try content(of: request) {
            urlRequest.httpBody = content.data
            if case .optional = body, let type = content.type,
                fields[headers.spelling(of: .contentType)] == nil
            {
                try headers.add(type.rawValue, named: .contentType, to: &fields)
            }
        }
        if !fields.isEmpty { urlRequest.allHTTPHeaderFields = fields }
        return urlRequest
    }

    private func url(of request: some RequestType, _ baseUrl: URL) throws(FieldError) -> URL {
        let baseUrl = baseUrl.absoluteString
        var url = Bytes(capacity: baseUrl.utf8.count + path.capacity + query.capacity)
        url.append(baseUrl)
        let base = try BaseURL(cutting: &url)
        let start = url.count
        if path.hasValues {
            try borrow(request, request.pathComponents) { values throws(FieldError) in
                try path.append(values, to: &url)
            }
        } else {
            path.append(to: &url)
        }
        if base.hasTrailingSlash && url.count == start { url.append(.slash) }
        let end = url.count
        if !base.query.isEmpty {
            url.append(UInt8(ascii: "&"))
            url.append(0..<base.query.count, of: base.query)
        }
        if !query.isEmpty {
            try borrow(request, request.parameters) { values throws(FieldError) in
                try query.append(values, to: &url)
            }
        }
        query.append(request.additionalQueryItems, to: &url)
        if url.count > end { url[end] = UInt8(ascii: "?") }
        guard let url = URL(checked: url.text) else {
            throw FieldError(.baseUrl, "makes no URL; check its host and port")
        }
        return url
    }

    private func content(of request: some RequestType) throws(FieldError) -> BodyPlan.Content? {
        guard !form.isEmpty else {
            if case .none = body { return nil }
            var content: BodyPlan.Content?
            try Values.borrow(request) { values throws(FieldError) in
                content = try bodyContent(values)
            }
            return content
        }
        var bytes = Bytes(capacity: form.capacity)
        try borrow(request, request.parameters) { values throws(FieldError) in
            try form.append(values, to: &bytes)
        }
        return (bytes.withBytes { Data($0.dropFirst()) }, nil)
    }

    /// Lends values to a function; of a flat request, whose values are itself, without a copy.
    @inline(__always)
    private func borrow<Request, Root>(
        _ request: borrowing Request, _ values: @autoclosure () -> Root,
        _ use: (Values) throws(FieldError) -> Void
    ) throws(FieldError) {
        if isFlat { try Values.borrow(request, use) } else { try Values.borrow(values(), use) }
    }

    /// The error of a request of this declaration.
    func endpointError(_ error: FieldError) -> EndpointError {
        EndpointError(requestType: "\(requestType)", error)
    }
}

extension URL {
    /// A URL whose every byte is in its place: nothing is escaped again.
    fileprivate init?(checked text: String) {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) {
            self.init(string: text, encodingInvalidCharacters: false)
        } else {
            self.init(string: text)
        }
    }
}
