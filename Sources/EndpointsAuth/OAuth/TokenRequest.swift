import Endpoints
import EndpointsShared
import Foundation

/// A request at a server's token URL (RFC 6749, section 3.2).
struct TokenRequest: FlatRequest {
    var fields: [URLQueryItem]
    var authorization: Credentials?

    static let endpoint = Endpoint<Self>(
        method: .post, path: "", parameters: [.form(contentsOf: \.fields)],
        headers: [.authorization: .field(path: \.authorization)])
    typealias Response = TokenResponse
    typealias ErrorResponse = OAuthError
    static var loadPolicy: LoadPolicy { .oAuth }
}

/// A request at a server's URL for devices (RFC 8628, section 3.1).
struct DeviceAuthorizationRequest: FlatRequest {
    var fields: [URLQueryItem]
    var authorization: Credentials?

    static let endpoint = Endpoint<Self>(
        method: .post, path: "", parameters: [.form(contentsOf: \.fields)],
        headers: [.authorization: .field(path: \.authorization)])
    typealias Response = DeviceAuthorizationResponse
    typealias ErrorResponse = OAuthError
    static var loadPolicy: LoadPolicy { .oAuth }
}

/// A request that revokes a token (RFC 7009, section 2.1).
struct RevocationRequest: FlatRequest {
    var fields: [URLQueryItem]
    var authorization: Credentials?

    static let endpoint = Endpoint<Self>(
        method: .post, path: "", parameters: [.form(contentsOf: \.fields)],
        headers: [.authorization: .field(path: \.authorization)])
    typealias Response = Void
    typealias ErrorResponse = OAuthError
    static var loadPolicy: LoadPolicy { .oAuth }
}

/// A request whose fields have secrets.
protocol OAuthFormRequest: FlatRequest
where Environment == ServerEnvironment, ErrorResponse == OAuthError {
    init(fields: [URLQueryItem], authorization: Credentials?)
}

extension TokenRequest: OAuthFormRequest {}
extension DeviceAuthorizationRequest: OAuthFormRequest {}
extension RevocationRequest: OAuthFormRequest {}

extension LoadPolicy {
    /// No redirect, as it would take secrets elsewhere; at most 1 MB and a minute.
    static var oAuth: LoadPolicy {
        LoadPolicy(
            redirects: .doNotFollow, bodyLimit: 1 << 20, errorBodyLimit: 0, timeLimit: 60,
            repetition: .never)
    }
}

/// A response with status 200 that may be an error, as GitHub sends them.
protocol RefusingResponse {
    var error: OAuthError? { get }
}

/// A response of a token URL (RFC 6749, section 5.1).
struct TokenResponse: Decodable, Sendable, RefusingResponse {
    var accessToken: String?
    var tokenType: String?
    /// The seconds until the token expires.
    var life: TimeInterval?
    var refreshToken: String?
    var scope: String?
    var idToken: String?
    var error: OAuthError?
    /// What an exchange has issued (RFC 8693, section 2.2.1).
    var issuedType: String?
    /// The client that has got the tokens, if it has registered itself.
    var registration: Registration?
    /// When the request began. The server counts the token's life from a later moment.
    var asked = Date.distantPast

    private enum Key: String, CodingKey {
        case error, scope
        case accessToken = "access_token"
        case tokenType = "token_type"
        case life = "expires_in"
        case refreshToken = "refresh_token"
        case idToken = "id_token"
        case issuedType = "issued_token_type"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) throws -> String? {
            try fields.decodeIfPresent(String.self, forKey: key).flatMap { $0.isEmpty ? nil : $0 }
        }
        if fields.hasValue(.error) { error = try OAuthError(from: decoder) }
        accessToken = try text(.accessToken)
        tokenType = try text(.tokenType)
        refreshToken = try text(.refreshToken)
        // What the program can do without must not cost the new refresh token.
        idToken = try? text(.idToken)
        scope = try? text(.scope)
        issuedType = try? text(.issuedType)
        life = fields.seconds(.life)
    }
}

extension KeyedDecodingContainer {
    /// Whether there is a value that isn't null.
    func hasValue(_ key: Key) -> Bool { contains(key) && (try? decodeNil(forKey: key)) != true }

    /// A number of seconds, which some servers write as a text; `nil` if it is missing or none.
    func seconds(_ key: Key) -> TimeInterval? {
        let number =
            (try? decode(Double.self, forKey: key))
            ?? (try? decode(String.self, forKey: key)).flatMap(Double.init)
        guard let number, number.isFinite else { return nil }
        return min(max(0, number), 3_155_760_000)
    }
}

/// Sends requests of a client to its authorization server.
struct OAuthCaller: Sendable {
    let server: OAuthServer
    var client: OAuthClient
    let transport: any Transport
    let clock: TransportClock
    /// The client, if it has registered itself.
    var registration: Registration?
    let registrations = Registrations()

    init(
        server: OAuthServer, client: OAuthClient, transport: any Transport, clock: TransportClock
    ) {
        self.server = server
        self.transport = transport
        self.clock = clock
        let document = server.takesMetadataURLs ? client.metadata?.document : nil
        self.client = document.map { OAuthClient($0.absoluteString) } ?? client
    }

    /// Sends a form, with the client's authentication.
    /// - Throws: An ``OAuthError`` if the server refuses; otherwise an ``EndpointTaskError``.
    func send<Request: OAuthFormRequest & Sendable>(
        _ type: Request.Type, to url: URL, _ fields: [(String, String?)]
    ) async throws -> Request.Response where Request.Response: Sendable {
        guard client.metadata == nil else {
            throw OAuthError(
                .unauthorizedClient,
                because: """
                    a client that registers itself signs in with a browser or on another device; \
                    for any other way, pass `OAuthClient` the id of one that is registered
                    """)
        }
        var fields = fields
        var authorization: Credentials?
        switch client.authentication.kind {
        case .none: fields.append(("client_id", client.id))
        case .basic(let secret):
            authorization = .basic(
                username: client.id.formEncoded, password: secret.formEncoded)
        case .post(let secret):
            fields += [("client_id", client.id), ("client_secret", secret)]
        case .assertion(let signer):
            let assertion = try await signer.assertion(of: client.id, to: url, at: clock.date())
            fields += [
                ("client_id", client.id),
                (
                    "client_assertion_type",
                    "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
                ),
                ("client_assertion", assertion),
            ]
        }
        let items = fields.compactMap { name, value in
            value.map { URLQueryItem(name: name, value: $0) }
        }
        let request = Request(fields: items, authorization: authorization)
        let response: Request.Response
        do {
            response = try await sentOnceMoreForNonce(request, to: url)
        } catch {
            throw refusal(error, hiding: secrets(in: fields))
        }
        if let error = (response as? any RefusingResponse)?.error {
            throw error.hiding(secrets(in: fields))
        }
        return response
    }

    /// Sends a request, and once more if the server only wants the nonce in its proof that it has
    /// just sent (RFC 9449, section 8). It refuses the request then without having used its code.
    private func sentOnceMoreForNonce<Request: OAuthFormRequest & Sendable>(
        _ request: Request, to url: URL
    ) async throws(EndpointTaskError<OAuthError>) -> Request.Response
    where Request.Response: Sendable {
        let environment = ServerEnvironment(baseUrl: url)
        do throws(EndpointTaskError<OAuthError>) {
            return try await transport.response(in: environment, with: request)
        } catch {
            guard error.wantsNonce else { throw error }
        }
        return try await transport.response(in: environment, with: request)
    }

    /// What is thrown for the error of a load: the server's error, unless the server has failed or
    /// was asked too often, as it may then say anything about the token.
    func refusal(
        _ error: EndpointTaskError<OAuthError>, hiding secrets: [String]
    ) -> any Error {
        guard case .errorResponse(let head, let response) = error else { return error }
        let shown = response.hiding(secrets)
        return response.code != .unknown && head.statusCode < 500 && head.statusCode != 429
            ? shown : EndpointTaskError.errorResponse(httpResponse: head, response: shown)
    }

    /// What no text may show of what was sent.
    func secrets(in fields: [(String, String?)]) -> [String] {
        var secrets = fields.compactMap { name, value in
            SecretNames.usual.contains(name, in: .form) ? value : nil
        }
        switch client.authentication.kind {
        case .basic(let secret):
            let pair = "\(client.id.formEncoded):\(secret.formEncoded)"
            secrets += [secret, Data(pair.utf8).base64EncodedString()]
        case .post(let secret): secrets.append(secret)
        case .none, .assertion: break
        }
        return secrets + secrets.map(\.formEncoded)
    }

    /// Requests a token.
    func token(_ fields: [(String, String?)]) async throws -> TokenResponse {
        let url = try server.url(\.tokenURL, "tokenURL")
        let asked = clock.date()
        var response = try await send(TokenRequest.self, to: url, fields)
        response.asked = asked
        response.registration = registration
        return response
    }
}

extension EndpointTaskError<OAuthError> {
    /// Whether the server has refused a proof because it lacks the server's nonce.
    fileprivate var wantsNonce: Bool {
        guard case .errorResponse(let head, let response) = self else { return false }
        return response.code == "use_dpop_nonce" && head.statusCode == 400
            && head.value(forHTTPHeaderField: "DPoP-Nonce") != nil
    }
}
