import Endpoints
import EndpointsMiddleware
import EndpointsShared
import Foundation

/// What a program says of itself when it registers (RFC 7591, section 2).
struct ClientMetadata: Hashable, Sendable {
    let name: String
    /// Where the program's own metadata is, whose URL is its id at servers that read it.
    let document: URL?
}

extension OAuthClient {
    /// A program that has no id at the server yet, such as one whose users choose the server.
    ///
    ///     OAuthClient.registered(as: "My tool")
    ///     OAuthClient.registered(
    ///         as: "My tool", orBy: URL(string: "https://tool.example.com/client.json"))
    ///
    /// If the server takes the URL of a document as an id
    /// (``OAuthServer/takesMetadataURLs``), that is the id. Otherwise the program registers at its
    /// first sign-in (RFC 7591): as a client without a secret, or with one if the server wants
    /// that. The id and the secret are kept with the tokens. It registers anew when the server
    /// doesn't know it any more, and for a sign-in with another redirect URL.
    ///
    /// It can sign in with a browser, at a port and on another device. Any other way to sign in
    /// ends with ``OAuthError/Code/unauthorizedClient``, and all do with
    /// ``OAuthError/Code/missingURL`` at a server that has no ``OAuthServer/registrationURL``.
    /// - Parameters:
    ///   - name: The name that the server may show to the person.
    ///   - document: The https URL of the program's metadata, which names this URL as its
    ///     `client_id`, and the redirect URLs; `nil` if there is none.
    public static func registered(as name: String, orBy document: URL? = nil) -> OAuthClient {
        OAuthClient(metadata: ClientMetadata(name: name, document: document))
    }
}

/// A client that a server has registered, as the tokens keep it.
struct Registration: Codable, Hashable, Sendable {
    let id: String
    let secret: String?
    /// Whether the secret is sent in the body.
    let isInBody: Bool
    /// When the secret expires; `nil` if it doesn't.
    let expires: Date?
    /// The redirect URL that it was registered with; `nil` for a device.
    let redirect: String?

    var client: OAuthClient {
        guard let secret else { return OAuthClient(id) }
        return OAuthClient(id, isInBody ? .post(secret: secret) : .basic(secret: secret))
    }
}

/// The registration of one program at its server.
final class Registrations: Sendable {
    private struct State {
        var known: Registration?
        var refused: Set<String> = []
    }

    private let state = Locked(State())

    /// The last registration that the server hasn't refused.
    var known: Registration? { state.withLock { $0.known } }

    /// Keeps a registration, which may be one of an earlier run.
    func keep(_ registration: Registration?) {
        state.withLock { state in
            guard let registration, !state.refused.contains(registration.id) else { return }
            state.known = registration
        }
    }

    /// Forgets a registration that the server doesn't know any more.
    func refuse(_ registration: Registration) {
        state.withLock { state in
            state.refused.insert(registration.id)
            if state.known == registration { state.known = nil }
        }
    }
}

/// A request to register a client (RFC 7591, section 3.1).
struct RegistrationRequest: FlatRequest {
    struct Body: Encodable, Equatable, Sendable {
        let client_name: String
        let redirect_uris: [String]?
        let grant_types: [String]
        let response_types: [String]
        let token_endpoint_auth_method: String
        let scope: String?
    }

    let body: Body

    static let endpoint = Endpoint<Self>(method: .post, path: "")
    typealias Response = RegistrationResponse
    typealias ErrorResponse = OAuthError
    static var loadPolicy: LoadPolicy { .oAuth }
}

/// A response to it (RFC 7591, section 3.2.1).
struct RegistrationResponse: Decodable, Sendable {
    var id: String?
    var secret: String?
    var expires: TimeInterval?
    var method: String?

    private enum Key: String, CodingKey {
        case id = "client_id"
        case secret = "client_secret"
        case expires = "client_secret_expires_at"
        case method = "token_endpoint_auth_method"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        id = try fields.decodeIfPresent(String.self, forKey: .id)
        secret = try fields.decodeIfPresent(String.self, forKey: .secret)
        method = try? fields.decode(String.self, forKey: .method)
        expires = fields.seconds(.expires)
    }
}

extension OAuthCaller {
    /// Sends requests of a client that is registered.
    func with(_ registration: Registration?) -> OAuthCaller {
        guard let registration, client.metadata != nil else { return self }
        var caller = self
        (caller.client, caller.registration) = (registration.client, registration)
        return caller
    }

    /// Sends requests of the client, which is registered first if it needs that.
    func registered(
        for redirect: URL?, grant: String, scopes: [String]?
    ) async throws -> OAuthCaller {
        guard let metadata = client.metadata else { return self }
        if let known = registrations.known, known.redirect == redirect?.absoluteString,
            known.expires.map({ $0 > clock.date() }) ?? true
        {
            return with(known)
        }
        guard server.registrationURL != nil else {
            throw OAuthError(
                .missingURL,
                because: """
                    the authorization server registers no clients by itself; register the program \
                    there, and pass `OAuthClient` its id
                    """)
        }
        let url = try server.url(\.registrationURL, "registrationURL")
        let request = RegistrationRequest(
            body: RegistrationRequest.Body(
                client_name: metadata.name,
                redirect_uris: redirect.map { [$0.absoluteString] },
                grant_types: [grant, "refresh_token"],
                response_types: redirect == nil ? [] : ["code"],
                token_endpoint_auth_method: server.authenticationMethod, scope: scopes.scopeField))
        let response: RegistrationResponse
        do {
            response = try await transport.response(
                in: ServerEnvironment(baseUrl: url), with: request)
        } catch { throw refusal(error, hiding: []) }
        guard let id = response.id, !id.isEmpty else {
            throw OAuthError(
                .unknown, because: "the authorization server's registration has no `client_id`")
        }
        let isPublic = response.method == "none" || response.secret?.isEmpty != false
        let registration = Registration(
            id: id, secret: isPublic ? nil : response.secret,
            isInBody: response.method == "client_secret_post",
            expires: response.expires.flatMap { $0 > 0 ? Date(timeIntervalSince1970: $0) : nil },
            redirect: redirect?.absoluteString)
        registrations.keep(registration)
        return with(registration)
    }
}

extension OAuthServer {
    /// How a client that registers itself proves who it is: not at all if that is allowed.
    fileprivate var authenticationMethod: String {
        guard let methods = authenticationMethods, !methods.contains("none") else { return "none" }
        return methods.first { ["client_secret_basic", "client_secret_post"].contains($0) }
            ?? "none"
    }
}
