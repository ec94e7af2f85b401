import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A key that proves whose token it is: its public half, and a function that signs with the private
/// one.
///
///     let key = DPoPKey(
///         "ES256", jwk: ["kty": "EC", "crv": "P-256", "x": x, "y": y]
///     ) { bytes in try privateKey.signature(for: bytes).rawRepresentation }
public struct DPoPKey: Sendable {
    /// The name of the algorithm, such as `ES256` (RFC 7518, section 3.1).
    public let algorithm: String
    /// The public key as a JSON Web Key (RFC 7517), which is sent.
    public let jwk: [String: String]
    let sign: @Sendable (Data) async throws -> Data

    /// Makes a key.
    ///
    /// An `algorithm` without a public key, such as `none` and `HS256`, and a `jwk` with private
    /// members, such as `d`, are an ``Endpoints/EndpointError`` of each request.
    /// - Parameters:
    ///   - algorithm: The name of the algorithm.
    ///   - jwk: The public key.
    ///   - sign: Returns the signature of bytes, as JSON Web Signatures have it: for `ES256`, 64
    ///     bytes and not DER (RFC 7518, section 3.4).
    public init(
        _ algorithm: String, jwk: [String: String],
        sign: @escaping @Sendable (_ bytes: Data) async throws -> Data
    ) {
        self.algorithm = algorithm
        self.jwk = jwk
        self.sign = sign
    }

    /// The key's thumbprint (RFC 7638); `nil` if a member of the public key is missing. To bind a
    /// sign-in in a browser to the key (RFC 9449, section 10), pass the query item `dpop_jkt` to
    /// ``OAuthFlow/browser(redirect:adding:_:)``.
    public var thumbprint: String? {
        guard let members = Self.members[jwk["kty"] ?? ""] else { return nil }
        var needed: [String: String] = [:]
        for name in members {
            guard let value = jwk[name] else { return nil }
            needed[name] = value
        }
        guard let json = try? JSONEncoder.sorted.encode(needed) else { return nil }
        return Data(SHA256.hash(json)).base64URL
    }

    /// The members that a public key of each type must have (RFC 7638, section 3.2; RFC 8037).
    private static let members = [
        "EC": ["crv", "kty", "x", "y"], "RSA": ["e", "kty", "n"], "OKP": ["crv", "kty", "x"],
    ]

    /// What is wrong with the key; `nil` if nothing is.
    fileprivate var fault: String? {
        if algorithm.isEmpty || algorithm.lowercased() == "none" || algorithm.hasPrefix("HS") {
            return """
                has `DPoPKey("\(algorithm)")`; a proof needs an algorithm with a public key, such \
                as ES256
                """
        }
        let secret = ["d", "dp", "dq", "k", "oth", "p", "q", "qi"].first { jwk[$0] != nil }
        if let secret {
            return """
                has a `DPoPKey` whose `jwk` has the private member `\(secret)`; it would be sent, \
                so remove it
                """
        }
        return thumbprint == nil
            ? "has a `DPoPKey` whose `jwk` isn't a public key of the type EC, RSA or OKP" : nil
    }
}

extension DPoPKey: CustomStringConvertible, CustomReflectable {
    /// The algorithm and the thumbprint.
    public var description: String { "DPoPKey(\(algorithm), \(thumbprint ?? "no key"))" }
    /// No children, as the `jwk` may have a private key by mistake.
    public var customMirror: Mirror { .hidden(self) }
}

/// Proves with each request that its token belongs to a key (RFC 9449).
///
///     let dpop = session.signed(by: DPoPSigner(deviceKey))
///     let tokens = OAuthCredentials(
///         for: ServerEnvironment.production, server: server, client: client, transport: dpop)
///     let api = EndpointClient(dpop.authorized(by: tokens), in: .production)
///
/// The proof has the request's method and URL, a random id, the time, the digest of the token in
/// `Authorization`, and the last nonce that its server has sent (`DPoP-Nonce`). If a 401 says that
/// the server wants a nonce (`use_dpop_nonce`), the request is signed and sent once more.
///
/// A token of the type `DPoP` is only good with the key, so use one signer for the requests that
/// get the tokens and for those that are sent with them.
public struct DPoPSigner: RequestSigner {
    private let key: DPoPKey
    /// The last nonce of each server.
    private let nonces = Locked<[Origin: String]>([:])

    /// Makes a signer with a key.
    public init(_ key: DPoPKey) {
        self.key = key
    }

    /// The key's thumbprint.
    public func account() -> String { key.thumbprint ?? "" }

    private struct Header: Encodable {
        let alg: String
        let jwk: [String: String]
        let typ = "dpop+jwt"
    }

    private struct Claims: Encodable {
        let ath: String?
        let htm: String
        let htu: String
        let iat: Int
        let jti: String
        let nonce: String?
    }

    /// Adds the header `DPoP`.
    ///
    /// - Throws: An ``Endpoints/EndpointError`` for a key that can't be used, and what its `sign`
    ///   throws.
    public func sign(_ request: inout TransportRequest, at date: Date) async throws {
        if let fault = key.fault {
            throw EndpointError(
                requestType: "\(request.requestType)", field: .transport, reason: fault)
        }
        guard let url = request.urlRequest.url, let origin = Origin(of: url) else {
            throw EndpointError(
                requestType: "\(request.requestType)", field: .url,
                reason: "has no host, so it can't be signed")
        }
        let nonce = nonces.withLock { $0[origin] }
        let claims = Claims(
            ath: request.token.map { Data(SHA256.hash(Data($0.utf8))).base64URL },
            htm: request.urlRequest.method, htu: url.proofTarget,
            iat: Int(max(0, min(date.timeIntervalSince1970, 1e15))), jti: RandomText.make(),
            nonce: nonce)
        let header = Header(alg: key.algorithm, jwk: key.jwk)
        let encoder = JSONEncoder.sorted
        let content =
            "\(try encoder.encode(header).base64URL).\(try encoder.encode(claims).base64URL)"
        let signature = try await key.sign(Data(content.utf8))
        request.urlRequest.setValue(
            "\(content).\(signature.base64URL)", forHTTPHeaderField: "DPoP")
        request.signAgain(if: { response, _ in isCorrected(by: response, of: origin, nonce) })
    }

    /// Keeps the nonce of the response. Whether the server has refused the request for want of it.
    /// - Parameter used: The nonce of the proof. Another request may have got the same one as this
    ///   response since it was made.
    private func isCorrected(
        by response: HTTPURLResponse, of origin: Origin, _ used: String?
    ) -> Bool {
        guard let nonce = response.value(forHTTPHeaderField: "DPoP-Nonce"),
            (1...1024).contains(nonce.utf8.count)
        else { return false }
        nonces.withLock { nonces in
            // A client of very many servers must not keep a nonce for each of them.
            if nonces.count >= 100, nonces[origin] == nil { nonces = [:] }
            nonces[origin] = nonce
        }
        guard used != nonce else { return false }
        return response.statusCode == 401 && OAuthChallenge(response)?.error == "use_dpop_nonce"
    }
}

extension URL {
    /// The URL as a proof has it: without a query and fragment (RFC 9449, section 4.2), and without
    /// a user name and password, which aren't sent in a URL.
    fileprivate var proofTarget: String {
        let text = absoluteString.prefix { $0 != "?" && $0 != "#" }
        guard let start = text.range(of: "://")?.upperBound else { return String(text) }
        let authority = text[start...].prefix { $0 != "/" }
        let host = authority.split(separator: "@").last ?? ""
        return String(text[..<start] + host + text[authority.endIndex...])
    }
}

extension DPoPSigner: CustomReflectable {
    /// No children, as nobody needs to see the nonces.
    public var customMirror: Mirror { .hidden(self) }
}

extension TransportRequest {
    /// The token in `Authorization`; `nil` if it has none.
    fileprivate var token: String? {
        let value = urlRequest.value(forHTTPHeaderField: Headers.authorization.name) ?? ""
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, ["dpop", "bearer"].contains(parts[0].lowercased())
        else { return nil }
        return String(parts[1])
    }
}

extension JSONEncoder {
    /// Writes the names of an object in their order.
    fileprivate static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
