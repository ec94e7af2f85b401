import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What has started the homeserver, and can start it again: `homeserver.py`.
struct Starter: EnvironmentType {
    let baseUrl: URL
}

/// Kills the homeserver and starts it again.
struct Restart: RequestType {
    typealias Environment = Starter
    static let endpoint = Endpoint<Restart>(method: .post, path: "restart")

    struct Response: Decodable {
        /// How many seconds the homeserver didn't respond.
        let seconds: Double
    }

    func prepare(_ request: inout URLRequest) { request.timeoutInterval = 120 }
}
