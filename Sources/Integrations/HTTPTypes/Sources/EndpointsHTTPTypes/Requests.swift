import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPRequest {
    /// Makes the head of a `URLRequest`, without its body.
    ///
    ///     HTTPRequest(try GetUser(id: 42).urlRequest(in: .production))
    ///     // GET https api.example.com /users/42
    ///
    /// The header fields are in the order of their names, because a `URLRequest` keeps none. Their
    /// values are UTF-8. The result is `nil` if the URL has no scheme or host, if the method or a
    /// field's name isn't a token, or if a field's value has a control character.
    public init?(_ urlRequest: URLRequest) {
        guard let url = urlRequest.url, url.scheme != nil, url.host?.isEmpty == false,
            let method = Method(urlRequest.httpMethod ?? "GET")
        else { return nil }
        var fields = HTTPFields()
        for (name, value) in (urlRequest.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key })
        {
            guard let name = HTTPField.Name(name), HTTPField.isValidValue(value)
            else { return nil }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(method: method, url: url, headerFields: fields)
    }
}

extension URLRequest {
    /// Makes a `URLRequest` of a head; its body is still to be set.
    ///
    ///     URLRequest(HTTPRequest(method: .get, url: url, headerFields: [.accept: "text/plain"]))
    ///
    /// The values of fields with one name become one value, with `, ` between them (RFC 9110,
    /// section 5.3), or `; ` in `Cookie` (RFC 9113, section 8.2.3). The result is `nil` if the head
    /// has no URL: without a scheme, an authority or a path, and for CONNECT and `OPTIONS *`.
    public init?(_ request: HTTPRequest) {
        guard let url = request.url else { return nil }
        self.init(url: url)
        httpMethod = request.method.rawValue
        allHTTPHeaderFields = request.headerFields.combined
    }
}

extension HTTPFields {
    /// The fields as Foundation has them: one value for a name.
    var combined: [String: String] {
        var values: [HTTPField.Name: String] = [:]
        for field in self {
            let separator = field.name == .cookie ? "; " : ", "
            values[field.name] =
                values[field.name].map { $0 + separator + field.value } ?? field.value
        }
        return Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawName, $0.value) })
    }
}
