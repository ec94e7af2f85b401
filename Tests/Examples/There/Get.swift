import Foundation
import Get

struct Login: Codable {
    let login: String
}

struct Email: Codable {
    let email: String
}

func setUp(_ client: APIClient) async throws -> (String, Int?) {
    let user: Login = try await client.send(Request(path: "/user")).value
    let added = try await client.send(
        Request<[Email]>(path: "/user/emails", method: .post, body: ["\(user.login)@example.com"]))
    return (user.login, added.statusCode)
}
