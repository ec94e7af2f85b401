import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPResponse {
    /// Makes the head of an `HTTPURLResponse`.
    ///
    /// The header fields are in the order of their names, because an `HTTPURLResponse` keeps none.
    /// A field whose name isn't a token is left out. The result is `nil` if the status isn't
    /// between 100 and 999.
    public init?(_ response: HTTPURLResponse) {
        guard (100...999).contains(response.statusCode) else { return nil }
        self.init(status: Status(code: response.statusCode))
        let fields = response.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        for (name, value) in fields.sorted(by: { $0.0 < $1.0 }) {
            guard let name = HTTPField.Name(name) else { continue }
            headerFields.append(HTTPField(name: name, lenientValue: Array(value.utf8)))
        }
    }
}

extension HTTPURLResponse {
    /// Makes an `HTTPURLResponse` of a head.
    ///
    ///     HTTPURLResponse(HTTPResponse(status: .ok), url: url)
    ///
    /// The values of fields with one name become one value, with `, ` between them, as `URLSession`
    /// does it for `Set-Cookie` too.
    /// - Parameter url: The URL of the request that the server has answered.
    public convenience init?(_ response: HTTPResponse, url: URL) {
        self.init(
            url: url, statusCode: response.status.code, httpVersion: "HTTP/1.1",
            headerFields: response.headerFields.combined)
    }
}
