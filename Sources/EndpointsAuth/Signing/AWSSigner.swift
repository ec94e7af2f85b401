import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Signs requests as AWS and servers like it do (AWS Signature Version 4).
///
///     let signer = AWSSigner(service: "s3", region: "eu-central-1", credentials: keys)
///     let storage = EndpointClient(URLSession.shared.signed(by: signer), in: .production)
///
/// An S3 key is one value of the path, whatever slashes and dots it has:
///
/// ```text
/// path: "photos/\(path: \.key)"   // key == "a b/x//./ü"  ->  /photos/a%20b/x//%2E/%C3%BC
/// ```
///
/// All headers are signed that a transport and a proxy don't change. The query, and the path of an
/// object of S3, are escaped as AWS does before they are sent.
///
/// If a response says that the signature's time was wrong (400, 401 or 403, with a `Date` more than
/// four minutes away from it), the request is signed once more with the server's time, and so are
/// all later ones to the same scheme, host and port.
public struct AWSSigner: RequestSigner {
    /// How the body is signed.
    public enum Payload: Sendable, Hashable {
        /// By its SHA-256 digest. A body that is a file is read for it before it is sent.
        case signed
        /// Not at all, with `UNSIGNED-PAYLOAD`, so that a file is read once. Only S3 takes it, and
        /// only with https.
        case unsigned
        /// In chunks of 64 KB, each with a signature of its own, which only S3 takes. The body is
        /// read once for the chunks, and they are written to a temporary file of the body's size.
        /// With `addsChecksum`, the body's SHA-256 digest follows as a signed trailer, which S3
        /// checks and keeps.
        case chunked(addsChecksum: Bool = false)

        fileprivate func text(ofBody digest: () async throws -> Data) async throws -> String {
            switch self {
            case .signed: try await digest().hex
            case .unsigned: "UNSIGNED-PAYLOAD"
            case .chunked(let addsChecksum):
                "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" + (addsChecksum ? "-TRAILER" : "")
            }
        }
    }

    private let service: String
    private let region: String
    private let payload: Payload
    private let signsSessionToken: Bool
    private let credentials: KeptCredentials
    private let name: String?
    /// The seconds by which the clock of each server is ahead.
    private let skews = Locked<[Origin: TimeInterval]>([:])

    /// Makes a signer for the requests of one service in one region.
    ///
    /// A wrong `service` or `region`, or another `payload` than `.signed` with another service
    /// than S3, is an ``Endpoints/EndpointError`` of each request.
    /// - Parameters:
    ///   - service: The service's name in signatures, such as `s3`, `dynamodb` or `execute-api`.
    ///   - region: The region, such as `eu-central-1`. Servers like AWS often take `us-east-1`.
    ///   - credentials: ``AWSCredentials``, or a source of them.
    ///   - payload: How the body is signed.
    ///   - signsSessionToken: Whether the session's token is a part of what is signed. Only few
    ///     services, such as AWS IoT, want `false`.
    ///   - account: A name of whose keys these are, which stays the same when the keys change. An
    ///     outbox needs it for keys of a session, and with it a cache keeps its responses when they
    ///     are renewed. With `nil`, each access key counts as another account.
    public init(
        service: String, region: String, credentials: some AWSCredentialSource,
        payload: Payload = .signed, signsSessionToken: Bool = true, account: String? = nil
    ) {
        name = account
        self.service = service
        self.region = region
        self.payload = payload
        self.signsSessionToken = signsSessionToken
        self.credentials = KeptCredentials(credentials)
    }

    /// Makes a signer whose keys a function returns, as ``AWSCredentialSource/credentials()`` says.
    ///
    ///     AWSSigner(service: "s3", region: "eu-central-1") { try await assumeRole() }
    ///
    /// What the function throws is the cause of the error that a request ends with.
    public init(
        service: String, region: String, payload: Payload = .signed,
        signsSessionToken: Bool = true, account: String? = nil,
        credentials: @escaping @Sendable () async throws -> AWSCredentials
    ) {
        self.init(
            service: service, region: region, credentials: KeyFunction(function: credentials),
            payload: payload, signsSessionToken: signsSessionToken, account: account)
    }

    /// The name that was given, or else the id of the access key.
    public func account() async throws -> String {
        if let name { return name }
        return try await credentials.latest().accessKeyID
    }

    /// Adds `Authorization`, `X-Amz-Date`, for S3 `X-Amz-Content-Sha256`, and for a session
    /// `X-Amz-Security-Token`.
    ///
    /// - Throws: An ``Endpoints/EndpointError`` for a wrong setting, a request that has an
    ///   `Authorization` already, and, unless the payload is `.unsigned`, a body that can be read
    ///   only once; a ``Endpoints/FileError`` for a file that can't be read; what the source of the
    ///   credentials throws.
    public func sign(_ request: inout TransportRequest, at date: Date) async throws {
        try check(request)
        let payload = request.carriesBody || payload == .unsigned ? payload : .signed
        let digest = try await payload.text { try await request.bodyDigest() }
        let origin = request.urlRequest.url.flatMap(Origin.init)
        let skew = skew(of: origin)
        let signature = try await signature(for: request, at: date + skew)
        if case .chunked(let addsChecksum) = payload {
            try request.setChunkedFields(addsChecksum: addsChecksum)
        }
        var target = try SignedTarget(request, isOfS3: isOfS3)
        request.urlRequest.setValue(signature.timestamp, forHTTPHeaderField: "X-Amz-Date")
        if isOfS3 {
            request.urlRequest.setValue(digest, forHTTPHeaderField: "X-Amz-Content-Sha256")
        }
        let token = signature.credentials.sessionToken
        if signsSessionToken, let token { request.setToken(token) }
        target.takeFields(of: request.urlRequest)
        let canonical = target.canonical(payload: digest)
        request.urlRequest.url = target.url
        request.urlRequest.setValue(
            signature.authorization(canonical), forHTTPHeaderField: Headers.authorization.name)
        if !signsSessionToken, let token { request.setToken(token) }
        if case .chunked(let addsChecksum) = payload {
            let seed = signature.signature(of: signature.stringToSign(canonical))
            request.setBody(
                try await AWSChunkedFile(
                    of: request, signature, seed: seed, addsChecksum: addsChecksum))
        }
        request.signAgain(if: { response, date in
            isCorrected(by: response, of: origin, at: date, skew)
        })
    }

    private func skew(of origin: Origin?) -> TimeInterval {
        origin.flatMap { origin in skews.withLock { $0[origin] } } ?? 0
    }

    /// Whether the response says that the signature's time was wrong. If so, the next signatures
    /// for the server have its time.
    /// - Parameter used: By how much the clock was corrected for the signature. Another request may
    ///   have corrected it since then.
    private func isCorrected(
        by response: HTTPURLResponse, of origin: Origin?, at date: Date, _ used: TimeInterval
    ) -> Bool {
        guard [400, 401, 403].contains(response.statusCode),
            let text = response.value(forHTTPHeaderField: "Date"),
            let server = HTTPDate.date(text, now: date)
        else { return false }
        // A cache's response has an old date, and the year 9999 can't be signed a second later.
        guard response.value(forHTTPHeaderField: "Age") == nil,
            (0..<4_102_444_800).contains(server.timeIntervalSince1970)
        else { return false }
        let seconds = server.timeIntervalSince(date)
        guard abs(seconds - used) > 240, let origin else { return false }
        skews.withLock { skews in
            // A client of very many servers must not keep a number for each of them.
            if skews.count >= 100, skews[origin] == nil { skews = [:] }
            skews[origin] = seconds
        }
        return true
    }

    private var isOfS3: Bool { service == "s3" || service.hasPrefix("s3-") }
}

extension AWSSigner {
    /// A URL with which anybody may send a request until it expires, such as a browser.
    ///
    ///     let url = try await signer.presignedURL(
    ///         of: GetUser(id: 42), in: .production, expires: 3600)
    ///     // https://api.example.com/users/42?X-Amz-Algorithm=AWS4-HMAC-SHA256&…
    ///
    /// Its method is the request's. The request's headers that begin with `x-amz-` become query
    /// items. A user name and password of the environment's URL are left out. No other header but
    /// `Host` is signed, so whoever uses the URL may send any. A body
    /// for S3 isn't signed either; for any other service it is that of the request.
    /// - Parameters:
    ///   - request: The request.
    ///   - environment: The server.
    ///   - seconds: How many seconds after `date` the URL expires, at most 604,800, a week.
    ///   - date: When the URL begins to be valid.
    /// - Throws: An ``Endpoints/EndpointError``, and what the source of the credentials throws.
    public nonisolated(nonsending) func presignedURL<Request: RequestType>(
        of request: Request, in environment: Request.Environment, expires seconds: Int,
        at date: Date = Date()
    ) async throws -> URL {
        let urlRequest = try request.urlRequest(in: environment)
        let sent = TransportRequest(urlRequest, requestType: Request.self)
        return try await presignedURL(of: sent, expires: seconds, at: date)
    }

    @concurrent
    private func presignedURL(
        of request: TransportRequest, expires seconds: Int, at date: Date
    ) async throws -> URL {
        try check(request)
        guard (1...604_800).contains(seconds) else {
            throw error(
                request, .transport,
                "is to presign a URL for \(seconds) s; write 1 to 604,800 s, which is a week")
        }
        let skew = skew(of: request.urlRequest.url.flatMap(Origin.init))
        let signature = try await signature(for: request, at: date + skew)
        let digest = isOfS3 ? "UNSIGNED-PAYLOAD" : try await request.bodyDigest().hex
        var target = try SignedTarget(request, isOfS3: isOfS3)
        target.presign(signature, expires: seconds, signsSessionToken, request.urlRequest)
        let canonical = target.canonical(payload: digest)
        target.append(
            AWSQueryItem(
                "X-Amz-Signature", signature.signature(of: signature.stringToSign(canonical))))
        if !signsSessionToken, let token = signature.credentials.sessionToken {
            target.append(AWSQueryItem("X-Amz-Security-Token", token))
        }
        guard let url = target.url else { throw error(request, .url, "can't be presigned") }
        return url
    }

    private func signature(
        for request: TransportRequest, at date: Date
    ) async throws -> AWSSignature {
        let credentials = try await credentials.credentials(at: date)
        guard !credentials.accessKeyID.isEmpty, !credentials.secretAccessKey.isEmpty else {
            throw error(
                request, .transport,
                "has a signer without an access key; give `AWSCredentials` both of its keys")
        }
        guard
            let signature = AWSSignature(
                credentials, at: date, region: region, service: service)
        else { throw error(request, .transport, "has a clock outside the years 0000 to 9999") }
        return signature
    }

    private func check(_ request: TransportRequest) throws(EndpointError) {
        for (label, text) in [("service", service), ("region", region)] {
            guard !text.isEmpty, text.utf8.allSatisfy(\.isOfAWSName) else {
                throw error(
                    request, .transport,
                    """
                    has `AWSSigner(\(label): "\(text)")`; write it in lower-case letters, digits \
                    and hyphens, such as \(label == "service" ? "s3" : "eu-central-1")
                    """)
            }
        }
        let header = Headers.authorization
        guard request.urlRequest.value(forHTTPHeaderField: header.name) == nil else {
            throw error(
                request, .header(header.name),
                """
                is set already, and the signature of `AWSSigner` needs it; remove the header, or \
                the `authorized(by:)` that adds it
                """)
        }
        guard payload == .signed || isOfS3 else {
            throw error(
                request, .transport,
                "has `AWSSigner(payload: .\(payload))`, which only S3 takes; write `.signed`")
        }
    }

    private func error(
        _ request: TransportRequest, _ field: EndpointError.Field, _ reason: String
    ) -> EndpointError {
        EndpointError(requestType: "\(request.requestType)", field: field, reason: reason)
    }
}

/// A function as a source of keys.
private struct KeyFunction: AWSCredentialSource {
    let function: @Sendable () async throws -> AWSCredentials
    func credentials() async throws -> AWSCredentials { try await function() }
}

extension AWSSigner: LastingSigner {
    /// Whether the keys aren't those of a session, or have a name.
    var isLasting: Bool {
        get async throws {
            guard name == nil else { return true }
            return try await credentials.latest().sessionToken == nil
        }
    }
}

extension AWSSigner: CustomReflectable {
    /// No children, because `dump(_:)` would print the keys.
    public var customMirror: Mirror { .hidden(self) }
}

extension UInt8 {
    fileprivate var isOfAWSName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension TransportRequest {
    fileprivate mutating func setToken(_ token: String) {
        urlRequest.setValue(token, forHTTPHeaderField: "X-Amz-Security-Token")
    }
}

/// The URL and the headers of a request that is signed.
private struct SignedTarget {
    private let method: String
    private let origin: String
    private let host: String
    private let sentPath: String
    private let path: AWSPath
    private var query: [AWSQueryItem]
    private var fields: [(name: String, value: String)] = []

    init(_ request: TransportRequest, isOfS3: Bool) throws(EndpointError) {
        let url = request.urlRequest.url
        let text = url?.absoluteString.prefix { $0 != "#" } ?? ""
        guard let start = text.range(of: "://")?.upperBound else {
            throw EndpointError(
                requestType: "\(request.requestType)", field: .url,
                reason: "has no host, so it can't be signed")
        }
        let rest = text[start...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest[authority.endIndex...]
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        method = request.urlRequest.method
        sentPath = isOfS3 ? AWSPath.sendable(parts.first ?? "") : String(parts.first ?? "")
        path = AWSPath(sent: sentPath, isOfS3: isOfS3)
        query = parts.count == 2 ? AWSQueryItem.items(of: parts[1]) : []
        var host = authority.split(separator: "@").last.map(String.init) ?? ""
        // A user name and password would be in a URL that is given away.
        origin = text[..<start] + host
        let defaultPort = url?.scheme?.lowercased() == "http" ? ":80" : ":443"
        if host.hasSuffix(defaultPort) { host.removeLast(defaultPort.count) }
        self.host = request.urlRequest.value(forHTTPHeaderField: "Host") ?? host
    }

    /// The URL as it is sent.
    var url: URL? {
        let items = query.map(\.text).joined(separator: "&")
        return URL(string: origin + sentPath + (items.isEmpty ? "" : "?" + items))
    }

    mutating func takeFields(of request: URLRequest) {
        fields = [("host", host)]
        for (name, value) in request.allHTTPHeaderFields ?? [:]
        where !Self.unsigned.contains(name.lowercased()) {
            fields.append((name, value))
        }
    }

    mutating func append(_ item: AWSQueryItem) { query.append(item) }

    mutating func presign(
        _ signature: AWSSignature, expires seconds: Int, _ signsSessionToken: Bool,
        _ request: URLRequest
    ) {
        fields = [("host", host)]
        let headers = request.allHTTPHeaderFields ?? [:]
        for name in headers.keys.sorted() where name.lowercased().hasPrefix("x-amz-") {
            query.append(AWSQueryItem(name, headers[name] ?? ""))
        }
        query += signature.queryItems(
            expires: seconds, signedHeaders: "host", signsSessionToken: signsSessionToken)
    }

    func canonical(payload: String) -> CanonicalRequest {
        CanonicalRequest(
            method: method, path: path.canonical, query: query, fields: fields, payload: payload)
    }

    /// The headers that a transport or a proxy may set or change.
    private static let unsigned: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "user-agent", "via", "x-amzn-trace-id", "traceparent", "tracestate",
    ]
}
