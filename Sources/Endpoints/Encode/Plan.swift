import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A declaration, compiled once: a request only reads its values and appends them.
final class Plan<Request: RequestType>: Sendable {
    let method: HTTPMethod
    private let path: PathPlan<Request.PathComponents>
    private let query: ParameterPlan<Request.Parameters>
    private let form: ParameterPlan<Request.Parameters>
    private let headers: HeaderPlan<Request.HeaderValues>
    private let body: BodyPlan
    /// What is wrong with the declaration.
    let problems: [Problem]
    private let refusal: FieldError?

    init(
        method: HTTPMethod, path: PathTemplate<Request.PathComponents>,
        parameters: ParameterList<Request.Parameters>, headers: HeaderList<Request.HeaderValues>
    ) {
        self.method = method
        self.path = PathPlan(path)
        query = ParameterPlan(queryItemsOf: parameters)
        form = ParameterPlan(formFieldsOf: parameters)
        body = BodyPlan(Request.Body.self)
        let bodyType = form.isEmpty ? body.contentType(Request.bodyEncoder) : .formURLEncoded
        self.headers = HeaderPlan(
            headers, defaults: [.accept: Request.acceptedType, .contentType: bodyType])
        problems =
            method.problems + self.path.problems + self.headers.problems
            + Self.problems(query, form, body, method)
            + Self.problems(reading: self.path.propertyNames, of: Request.PathComponents.self)
            + Self.problems(
                reading: query.propertyNames + form.propertyNames, of: Request.Parameters.self)
            + Self.problems(reading: self.headers.propertyNames, of: Request.HeaderValues.self)
        refusal = problems.first(where: \.refuses)?.error
    }

    /// The `URLRequest` of a request, before the hooks.
    func urlRequest(
        for request: Request, baseUrl: URL
    ) throws(EndpointError) -> URLRequest {
        do throws(FieldError) {
            if let refusal { throw refusal }
            var urlRequest = URLRequest(url: try url(of: request, baseUrl))
            // Setting the method costs as much as a whole constant request.
            if method != .get { urlRequest.httpMethod = method.rawValue }
            var fields = try headers.fields(request.headerValues)
            for (name, value) in request.additionalHeaders {
                try headers.add(value, named: name, to: &fields)
            }
            if let content = try content(of: request) {
                urlRequest.httpBody = content.data
                let name = headers.spelling(of: .contentType)
                if let type = content.type, fields[name] == nil {
                    try headers.add(type.rawValue, named: .contentType, to: &fields)
                }
            }
            if !fields.isEmpty { urlRequest.allHTTPHeaderFields = fields }
            return urlRequest
        } catch { throw endpointError(error) }
    }

    private func url(of request: Request, _ baseUrl: URL) throws(FieldError) -> URL {
        let base = try BaseURL(baseUrl, capacity: path.capacity + query.capacity)
        var url = try path.append(request.pathComponents, to: base.beginning)
        if base.hasTrailingSlash && url.count == base.beginning.count { url.append(.slash) }
        let end = url.count
        if !base.query.isEmpty {
            url.append(UInt8(ascii: "&"))
            url.append(contentsOf: base.query)
        }
        try query.append(request.parameters, to: &url)
        query.append(request.additionalQueryItems, to: &url)
        if url.count > end { url[end] = UInt8(ascii: "?") }
        guard let url = URL(checked: String(decoding: url, as: UTF8.self)) else {
            throw FieldError(.baseUrl, "makes no URL; check its host and port")
        }
        return url
    }

    private func content(of request: Request) throws(FieldError) -> BodyPlan.Content? {
        guard !form.isEmpty else { return try body.content(of: request.body, Request.bodyEncoder) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(form.capacity)
        try form.append(request.parameters, to: &bytes)
        return (Data(bytes.dropFirst()), .formURLEncoded)
    }

    /// The error of a request of this declaration.
    func endpointError(_ error: FieldError) -> EndpointError {
        EndpointError(requestType: "\(Request.self)", error)
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
