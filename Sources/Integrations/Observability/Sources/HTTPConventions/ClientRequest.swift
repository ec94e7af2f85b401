import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The names of attributes in OpenTelemetry's HTTP client conventions, 1.44.
package enum HTTPAttribute {
    package static let method = "http.request.method"
    package static let originalMethod = "http.request.method_original"
    package static let resendCount = "http.request.resend_count"
    package static let requestBodySize = "http.request.body.size"
    package static let status = "http.response.status_code"
    package static let responseBodySize = "http.response.body.size"
    package static let errorType = "error.type"
    package static let address = "server.address"
    package static let port = "server.port"
    package static let url = "url.full"
    package static let template = "url.template"
}

/// What OpenTelemetry's conventions say about a request to a server.
package struct ClientRequest: Sendable {
    /// A known method, or else `_OTHER`.
    package let method: String
    /// The method as it is sent, if it isn't a known one.
    package let originalMethod: String?
    package let address: String?
    package let port: Int?
    package let template: String?
    /// The bytes of the body; `nil` without a body, or if their number isn't known.
    package let bodySize: Int64?

    package init(_ request: TransportRequest) {
        let (urlRequest, sent) = (request.urlRequest, request.urlRequest.httpMethod ?? "GET")
        let isKnown = Self.knownMethods.contains(sent)
        method = isKnown ? sent : "_OTHER"
        originalMethod = isKnown ? nil : sent
        address = urlRequest.url?.host
        port = urlRequest.url?.port ?? (urlRequest.url?.scheme?.lowercased() == "http" ? 80 : 443)
        template = request.pathTemplate
        bodySize =
            if let upload = request.upload {
                try? upload.contentLength
            } else {
                urlRequest.httpBody.map { Int64($0.count) }
            }
    }

    /// The name of a span: the method and the template, which are the same for many requests.
    package var name: String {
        [originalMethod == nil ? method : "HTTP", template].compactMap(\.self)
            .joined(separator: " ")
    }

    /// The known methods, in upper and lower case as they are written: those of RFC 9110, section
    /// 9, PATCH (RFC 5789) and QUERY (RFC 10008), unless a variable names others.
    private static let knownMethods = knownMethods(
        in: ProcessInfo.processInfo.environment["OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS"])

    package static func knownMethods(in variable: String?) -> Set<String> {
        guard let variable else {
            return [
                "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY",
                "TRACE",
            ]
        }
        return Set(variable.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    }
}

extension HTTPURLResponse {
    /// `error.type` of a status that is a client's or a server's error: the status.
    package var errorType: String? { statusCode >= 400 ? "\(statusCode)" : nil }

    /// How many bytes of a body were transferred; `nil` if that isn't known.
    ///
    /// - Parameter count: How many bytes were read, without their `Content-Encoding`.
    package func transferredBytes(read count: Int) -> Int64? {
        let coding = value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity"
        if count == 0 || coding == "identity" || coding.isEmpty { return Int64(count) }
        return value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
    }
}

extension Error {
    /// `error.type`: what kind of error it is, in one of a few words; `nil` for a load that was
    /// cancelled, which isn't an error.
    ///
    /// - A `URLError`: `URLError.timedOut`, or `URLError -1234` for one without a name here.
    /// - An `NSError`: its domain and code.
    /// - Any other error: its type, such as `Endpoints.EndpointError`; that of its cause for a
    ///   `TransportError`.
    package var httpErrorType: String? {
        if let error = self as? TransportError { return error.cause.httpErrorType }
        if self is CancellationError { return nil }
        let error = self as NSError
        if error.domain == NSURLErrorDomain {
            let code = URLError.Code(rawValue: error.code) as URLError.Code?
            if code == .cancelled { return nil }
            let name = code.flatMap { code in urlErrors.first { $0.code == code }?.name }
            return name.map { "URLError.\($0)" } ?? "URLError \(error.code)"
        }
        // Without the cast, `type(of:)` returns `Error` if `Self` is `any Error`.
        let type = type(of: self as any Error)
        if type is NSError.Type { return "\(error.domain) \(error.code)" }
        let name = String(reflecting: type)
        // The name of a type within a function has an address, which differs from run to run.
        return name.contains("(unknown context") ? "\(type)" : name
    }
}

/// The names of the errors that a load may end with.
private let urlErrors: [(code: URLError.Code, name: String)] = [
    (.badServerResponse, "badServerResponse"), (.badURL, "badURL"),
    (.cannotConnectToHost, "cannotConnectToHost"),
    (.cannotDecodeContentData, "cannotDecodeContentData"),
    (.cannotDecodeRawData, "cannotDecodeRawData"), (.cannotFindHost, "cannotFindHost"),
    (.cannotParseResponse, "cannotParseResponse"),
    (.clientCertificateRejected, "clientCertificateRejected"),
    (.clientCertificateRequired, "clientCertificateRequired"),
    (.dataLengthExceedsMaximum, "dataLengthExceedsMaximum"),
    (.dnsLookupFailed, "dnsLookupFailed"), (.httpTooManyRedirects, "httpTooManyRedirects"),
    (.networkConnectionLost, "networkConnectionLost"),
    (.notConnectedToInternet, "notConnectedToInternet"),
    (.redirectToNonExistentLocation, "redirectToNonExistentLocation"),
    (.resourceUnavailable, "resourceUnavailable"),
    (.secureConnectionFailed, "secureConnectionFailed"),
    (.serverCertificateHasBadDate, "serverCertificateHasBadDate"),
    (.serverCertificateHasUnknownRoot, "serverCertificateHasUnknownRoot"),
    (.serverCertificateNotYetValid, "serverCertificateNotYetValid"),
    (.serverCertificateUntrusted, "serverCertificateUntrusted"), (.timedOut, "timedOut"),
    (.unknown, "unknown"), (.unsupportedURL, "unsupportedURL"),
]
