import Endpoints
import EndpointsCache
import EndpointsStreams
import Foundation
import Trace

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct User: Codable, Sendable {
    let name: String
}

/// A flat request with a path value, a query item and a header.
struct GetUser: FlatRequest {
    let id: Int
    let page: Int
    let tag: String

    static let endpoint = Endpoint<Self>(
        method: .get, path: "users/\(path: \.id)", parameters: [.query("page", path: \.page)],
        headers: ["X-Tag": .field(path: \.tag)])
    typealias Response = User
}

/// The same request, whose response is a stream.
struct ReadUser: FlatRequest {
    let id: Int
    let page: Int
    let tag: String

    static let endpoint = Endpoint<Self>(
        method: .get, path: "users/\(path: \.id)", parameters: [.query("page", path: \.page)],
        headers: ["X-Tag": .field(path: \.tag)])
    typealias Response = ByteStream
}

struct AddUser: FlatRequest {
    let body: User

    static let endpoint = Endpoint<Self>(method: .post, path: "users")
    typealias Response = User
}

/// Does a load twice, and prints the places that the second one runs: by then, the declaration is
/// prepared.
@main
struct Ways {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let url = URL(string: arguments[2]) else { return }
        let server = ServerEnvironment(baseUrl: url)
        let session = URLSession(configuration: .ephemeral)
        let cached = session.cached(in: .memory(megabytes: 1))
        for isTraced in [false, true] {
            if isTraced { trace_begin() }
            try await load(arguments[1], server, session, cached)
        }
        trace_end()
    }

    private static func load(
        _ way: String, _ server: ServerEnvironment, _ session: URLSession, _ cached: some Transport
    ) async throws {
        let request = GetUser(id: 1, page: 2, tag: "a")
        switch way {
        case "get": _ = try await session.response(in: server, with: request)
        case "post":
            let user = User(name: "A")
            _ = try await session.response(in: server, with: AddUser(body: user))
        case "failing": _ = try? await session.response(in: server, with: request)
        case "stream":
            let stream = try await session.response(
                in: server, with: ReadUser(id: 1, page: 2, tag: "a"))
            for try await _ in stream {}
        case "cached": _ = try await cached.response(in: server, with: request)
        default: break
        }
    }
}
