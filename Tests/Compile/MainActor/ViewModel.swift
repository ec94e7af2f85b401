import Endpoints
import EndpointsTesting
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an app's screens are made of.
final class ViewModel {
    private let session = URLSession.shared
    private let server: ServerEnvironment
    private let getPicture = GetPicture(size: 3)
    private(set) var users: [User] = []
    private(set) var picture: Picture?
    private(set) var message: String?

    init(server: ServerEnvironment) { self.server = server }

    func search(_ words: String) async {
        do {
            let found = try await session.response(
                in: server, with: Search(words: words, sort: .newest, page: 1))
            users = found.users
        } catch .errorResponse(_, let error) {
            message = error.message
        } catch {
            message = error.description
        }
    }

    /// Neither the request nor the response is `Sendable`.
    func loadPicture() async throws {
        picture = try await session.response(in: server, with: getPicture)
        picture?.bytes.removeAll()
        getPicture.pathComponents = .init(size: 4)
        users += try await session.response(in: server, with: Page<User>(number: 1))
    }

    func rename(_ user: User) throws -> URLSessionDataTask {
        let request = UpdateUser(
            pathComponents: .init(id: user.id), parameters: .init(notify: nil),
            headerValues: .init(credentials: .bearer("t0k3n")), body: user)
        return try session.endpointTask(in: server, with: request) { result in
            Task { @MainActor in self.show(result) }
        }
    }

    private func show(_ result: Result<User, UpdateUser.TaskError>) {
        switch result {
        case .success(let user): users.append(user)
        case .failure(.errorResponse(_, let error)): message = error.message
        case .failure(let error): message = error.localizedDescription
        }
    }

    var problems: [EndpointError] { Search.endpoint.problems + UpdateUser.endpoint.problems }
}
