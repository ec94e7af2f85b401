import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPArchive.Request {
    static func text(
        of urlRequest: URLRequest, _ type: String?, _ volatile: SecretNames
    ) throws(FileError) -> String {
        var urlRequest = urlRequest
        if urlRequest.httpBody?.isEmpty == false || urlRequest.upload != nil {
            urlRequest.setValue(type, forHTTPHeaderField: "Content-Type")
        }
        return try RequestText(urlRequest, .default, volatile).text
    }

    /// The texts of the requests that match this one: one for each body that it may have.
    func texts(in folder: URL, _ volatile: SecretNames) throws -> [String] {
        guard let url = URL(masked: url) else { return ["\(method) \(self.url)"] }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = method
        guard let postData else { return [try Self.text(of: urlRequest, nil, volatile)] }
        let type = postData.mimeType.isEmpty ? contentType : postData.mimeType
        return try postData.bodies(in: folder).map { body in
            urlRequest.httpBody = body
            return try Self.text(of: urlRequest, type, volatile)
        }
    }

    /// The media type of a body whose `mimeType` is missing.
    private var contentType: String? {
        headers.first { Headers(name: $0.name) == .contentType }?.value
            ?? (postData?.params == nil ? nil : "application/x-www-form-urlencoded")
    }

    /// Whether each header of a request was recorded with the same value, except for a multipart
    /// boundary. A value recorded as `…`, as a secret is, equals any value, and the request must
    /// have that header. Other recorded headers that the request doesn't have are ignored.
    func hasHeaders(of urlRequest: URLRequest) -> Bool {
        let secrets = headers.filter { $0.value == Secrets.mask }
        guard secrets.allSatisfy({ urlRequest.value(forHTTPHeaderField: $0.name) != nil })
        else { return false }
        let recorded = Dictionary(headers.map { (Headers(name: $0.name), $0.value) }) { $1 }
        return (urlRequest.allHTTPHeaderFields ?? [:]).allSatisfy { name, value in
            let recorded = recorded[Headers(name: name)]
            return recorded == Secrets.mask
                || recorded.map(Self.withoutBoundary) == Self.withoutBoundary(value)
        }
    }

    /// A multipart media type without its boundary, which may be another one in each run.
    private static func withoutBoundary(_ value: String) -> String {
        value.replacingMultipartBoundary(with: "")
    }
}

extension URL {
    /// A URL in which `…` may stand for secrets.
    fileprivate init?(masked text: String) {
        // If a character of a URL isn't legal, as `…`, `URL` also escapes each `%`.
        self.init(string: text.replacingOccurrences(of: "…", with: "%E2%80%A6"))
    }
}

extension HTTPArchive.Response {
    /// - Parameter folder: The folder of the archive.
    func transportResponse(
        to request: TransportRequest, in folder: URL
    ) throws -> TransportResponse {
        if status == 0 {
            // On some platforms, `URLError.Code(rawValue:)` doesn't return an optional; `as` makes
            // it one.
            let code = _error.flatMap(Int.init).flatMap {
                URLError.Code(rawValue: $0) as URLError.Code?
            }
            throw URLError(code ?? .networkConnectionLost)
        }
        // The content is already decoded, so headers about its coding are dropped. With a
        // Content-Encoding, so is Content-Length, which counts the encoded bytes. The
        // pseudo-headers of HTTP/2, whose names begin with a colon, are dropped too.
        var dropped: Set<Headers> = ["Content-Encoding", "Transfer-Encoding"]
        if headers.contains(where: { Headers(name: $0.name) == .contentEncoding }) {
            dropped.insert("Content-Length")
        }
        var fields = headers.filter {
            !dropped.contains(Headers(name: $0.name)) && !$0.name.hasPrefix(":")
        }
        if !redirectURL.isEmpty, !headers.contains(where: { Headers(name: $0.name) == "Location" })
        {
            fields.append(HTTPArchive.Pair(name: "Location", value: redirectURL))
        }
        guard let url = _url.flatMap(URL.init(masked:)) ?? request.urlRequest.url,
            let head = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1",
                headerFields: Dictionary(fields.map { ($0.name, $0.value) }) { "\($0), \($1)" })
        else {
            throw RecordingError(
                description: """
                    the recorded response to \(request.requestType) has the status \(status), \
                    which isn't valid; correct it in the archive
                    """)
        }
        let data = try content.data(in: folder)
        guard _cut == true else { return TransportResponse(data, head) }
        let rest = Locked<Data?>(data)
        let body = ResponseBody {
            guard let data = rest.take() else { throw URLError(.networkConnectionLost) }
            return data
        }
        return TransportResponse(body: body, head)
    }
}
