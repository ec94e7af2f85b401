// A module in the Swift 5 language mode, as older programs have it.

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct User: Codable {
    var id: Int
    var name: String
}

struct ServerError: Decodable { let message: String }

extension ServerEnvironment {
    static let production = ServerEnvironment(baseUrl: URL(fileURLWithPath: "/"))
}

protocol APIRequest: RequestType where ErrorResponse == ServerError {}

struct UpdateUser: APIRequest {
    static let endpoint = Endpoint<UpdateUser>(
        method: .put,
        path: "users/\(path: \.id)",
        parameters: [
            .query("notify", path: \.notify), .query("tags", path: \Parameters.tags),
            .query("since", path: \.since, format: .iso8601.year().month().day()),
        ],
        headers: [.accept: .field(path: \.type), "X-Type": .field(path: \HeaderValues.type)])

    struct PathComponents { let id: Int }
    struct Parameters {
        let notify: Bool?
        let tags: [String]
        let since: Date
    }
    struct HeaderValues { let type: String }

    let pathComponents: PathComponents
    let parameters: Parameters
    let headerValues: HeaderValues
    let body: User
    typealias Response = User
}

struct GetUser: FlatRequest, APIRequest {
    let id: Int

    static let endpoint = Endpoint<GetUser>(method: .get, path: "users/\(path: \.id)")
    typealias Response = User
}

final class ViewModel {
    private(set) var user: User?

    @MainActor func load() async throws {
        do {
            user = try await URLSession.shared.response(in: .production, with: GetUser(id: 1))
        } catch .errorResponse(_, let error) {
            print(error.message)
        }
    }

    func start() throws {
        try URLSession.shared.endpointTask(in: .production, with: GetUser(id: 1)) { result in
            if case .failure(.errorResponse(_, let error)) = result { print(error.message) }
        }.resume()
    }
}
