import Endpoints
import EndpointsMiddleware
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Account: Encodable, Sendable {
    let email: String
    let password: String
}

struct Session: Codable, Sendable {
    let id: String
}

struct LogIn: FlatRequest, Sendable {
    let body: Account

    static let endpoint = Endpoint<Self>(method: .post, path: "login")
    typealias Response = Session
}

struct Profile: FlatRequest, Sendable {
    static let endpoint = Endpoint<Self>(method: .get, path: "profile")
    typealias Response = Session
}

/// The transport of all calls: with a token, and what failed is sent again.
func patient(
    _ transport: some Transport, signedInBy tokens: some CredentialSource
) -> some Transport {
    transport.authorized(by: tokens).retrying()
}

func logIn(_ account: Account, by client: EndpointClient<ServerEnvironment>) async -> String {
    do {
        return try await client(LogIn(body: account)).id
    } catch .errorResponse(let httpResponse, _) where httpResponse.statusCode == 401 {
        return "the password is wrong"
    } catch {
        return error.localizedDescription
    }
}
