// A program that sends one GET, to be weighed: programs.py builds it, and so does `make test`.

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct User: Decodable, Sendable {
    let id: Int
    let name: String
}

struct GetUser: FlatRequest {
    let id: Int

    static let endpoint = Endpoint<Self>(method: .get, path: "users/\(path: \.id)")
    typealias Response = User
}

@main
enum Main {
    static func main() async throws {
        guard let url = URL(string: "https://api.example.com") else { return }
        let server = ServerEnvironment(baseUrl: url)
        print(try await URLSession.shared.response(in: server, with: GetUser(id: 42)).name)
    }
}
