import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPArchive.Request {
    static func text(
        of urlRequest: URLRequest, _ type: String?, _ volatile: SecretNames,
        hiding secrets: ([String], LoadPolicy)
    ) throws(FileError) -> String {
        var urlRequest = urlRequest
        if urlRequest.httpBody?.isEmpty == false || urlRequest.upload != nil {
            urlRequest.setValue(type, forHTTPHeaderField: "Content-Type")
        }
        urlRequest.url = urlRequest.url.flatMap { URL(string: $0.withFewestEscapes) }
        // The masks of a recording, and the size of a body that isn't shown, count as `…`.
        return try RequestText(urlRequest, secrets.1, volatile, known: secrets.0).text.withoutMasks
    }

    /// The texts of the requests that match this one: one for each body that it may have.
    ///
    /// - Parameter secrets: Those of the request that is compared, and its policy.
    func texts(
        in folder: URL, _ volatile: SecretNames,
        hiding secrets: ([String], LoadPolicy) = ([], .default)
    ) throws -> [String] {
        guard let url = URL(recorded: url) else { return ["\(method) \(self.url)"] }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = method
        guard let postData else {
            return [try Self.text(of: urlRequest, nil, volatile, hiding: secrets)]
        }
        let type = postData.mimeType.isEmpty ? contentType : postData.mimeType
        return try postData.bodies(in: folder).map { body in
            urlRequest.httpBody = body
            return try Self.text(of: urlRequest, type, volatile, hiding: secrets)
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

extension String {
    /// The masks that `Secrets` makes of texts.
    private static let masks =
        "(https://)?masked[0-9]{2,}(\\.invalid/)?|00000000-0000-4000-8000-[0-9]{12}"

    /// The text with `…` for each mask of a recording, such as `masked01`, and for the size of a
    /// body that isn't shown, such as `text/csv, 312 bytes`.
    fileprivate var withoutMasks: String {
        let masked = replacingOccurrences(of: Self.masks, with: "…", options: .regularExpression)
        var text = Array(masked.utf8)
        let (dots, end) = (Array("…".utf8), Array(" bytes".utf8))
        if text.suffix(end.count).elementsEqual(end) {
            let digits = text.dropLast(end.count).reversed().prefix { $0.isDigit }.count
            let start = text.count - end.count - digits
            if digits > 0, start == 0 || text[start - 1] == .space || text[start - 1] == .lineFeed {
                text.replaceSubrange(start..<text.count - end.count, with: dots)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension URL {
    /// A URL as an archive has it: with `…` for secrets, and raw characters such as `[`. Other
    /// programs' archives may have user info, which no text of a request shows.
    init?(recorded text: String) {
        var bytes = Array(text.utf8)
        if let userInfo = bytes.userInfo {
            bytes.removeSubrange(userInfo.lowerBound...userInfo.upperBound)
        }
        self.init(reference: String(decoding: bytes, as: UTF8.self), at: nil)
    }

    /// The URL's text without differences that have no meaning: `:` and `/` in a query, for
    /// example, may be escaped or not (RFC 3986, sections 2.4 and 3.4), and so may a second `=` of
    /// an item. Its first `=` and `&` stay, as secrets are found by them. The origin is as in
    /// `https://h` (section 6.2.2).
    fileprivate var withFewestEscapes: String {
        let utf8 = Array(absoluteString.utf8)
        var (text, index, raw): ([UInt8], Int, Set<UInt8>) = ([], 0, Self.rawInPath)
        var (isInQuery, isInValue) = (false, false)
        if let origin = Origin(of: self), user == nil, !origin.text.contains("::") {
            // The host begins before or at the ninth byte, as in `https://h`.
            let end = utf8.dropFirst(8).firstIndex { "/?#".utf8.contains($0) }
            (text, index) = (Array(origin.text.utf8), end ?? utf8.count)
        }
        while index < utf8.count {
            let byte = utf8[index]
            switch byte {
            case UInt8(ascii: "?") where !isInQuery: (raw, isInQuery) = (Self.rawInQuery, true)
            case UInt8(ascii: "&"): isInValue = false
            case UInt8(ascii: "=") where isInValue:
                text += Array("%3D".utf8)
                index += 1
                continue
            case UInt8(ascii: "="): isInValue = isInQuery
            default: break
            }
            guard byte == UInt8(ascii: "%"), index + 2 < utf8.count,
                let value = UInt8(
                    String(decoding: utf8[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            else {
                text.append(byte)
                index += 1
                continue
            }
            text +=
                raw.contains(value)
                ? [value]
                : Array(
                    String(decoding: utf8[index...(index + 2)], as: UTF8.self).uppercased().utf8)
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let unreserved =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    private static let rawInPath = Set((unreserved + ":@!$'()*+,").utf8)
    private static let rawInQuery = Set((unreserved + ":/?@!$'()*,;").utf8)
}

extension HTTPArchive.Response {
    /// - Parameter file: The archive.
    /// - Parameter comment: What is masked in the entry.
    func transportResponse(
        to request: TransportRequest, from file: URL, _ comment: String?
    ) throws -> TransportResponse {
        let error = self.error
        if status == 0 { throw error }
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
        let data = try content.data(in: file.deletingLastPathComponent())
        let isMasked = comment?.hasPrefix(HTTPArchive.Entry.masks) == true
        // A mask may be longer or shorter than the secret.
        if isMasked, _cut != true, !data.isEmpty {
            for index in fields.indices
            where Headers(name: fields[index].name) == "Content-Length" {
                fields[index].value = "\(data.count)"
            }
        }
        guard let url = _url.flatMap(URL.init(recorded:)) ?? request.urlRequest.url,
            var head = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1",
                headerFields: Dictionary(fields.map { ($0.name, $0.value) }) { "\($0), \($1)" })
        else {
            throw RecordingError(
                description: """
                    the recorded response to \(request.requestType) has the status \(status), \
                    which isn't valid; correct it in the archive
                    """)
        }
        if let comment, isMasked {
            head = head.withHint("\(file.lastPathComponent) says: \(comment)")
        }
        guard _cut == true else { return TransportResponse(data, head) }
        let rest = Locked<Data?>(data)
        let body = ResponseBody {
            guard let data = rest.withLock({ $0.take() }) else { throw error }
            return data
        }
        return TransportResponse(body: body, head)
    }

    /// Why there is no response, or no more of its body.
    private var error: URLError {
        // On some platforms, `URLError.Code(rawValue:)` doesn't return an optional; `as` makes it
        // one.
        let code = _error.flatMap(Int.init).flatMap {
            URLError.Code(rawValue: $0) as URLError.Code?
        }
        return URLError(code ?? .networkConnectionLost)
    }
}
