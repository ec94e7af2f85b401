import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct CurrentUser: FlatRequest, Sendable {
    static let endpoint = Endpoint<Self>(method: .get, path: "user")
    typealias Response = Login
}

struct AddEmails: FlatRequest, Sendable {
    let body: [String]

    static let endpoint = Endpoint<Self>(method: .post, path: "user/emails")
    typealias Response = WithHTTPResponse<[Email]>
}

struct Login: Codable, Sendable {
    let login: String
}

struct Email: Codable, Sendable {
    let email: String
}

func setUp(_ client: EndpointClient<ServerEnvironment>) async throws -> (String, Int) {
    let user = try await client(CurrentUser())
    let added = try await client(AddEmails(body: ["\(user.login)@example.com"]))
    return (user.login, added.httpResponse.statusCode)
}
