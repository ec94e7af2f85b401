// A module with `-default-isolation MainActor`, as Xcode's new projects have it.

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Models that several requests share, and protocols of one's own: `nonisolated`.

nonisolated struct User: Codable {
    var id: Int
    var name: String
}

nonisolated struct ServerError: Decodable {
    var message: String
}

nonisolated protocol APIRequest: RequestType where ErrorResponse == ServerError {}

nonisolated extension APIRequest {
    var commonHeaders: [Headers: String] { [.userAgent: "tool/1.0"] }
}

nonisolated enum Sort: String, PathRepresentable { case newest, oldest }

/// A response that isn't `Sendable`.
nonisolated final class Picture {
    var bytes: Data
    init(_ bytes: Data) { self.bytes = bytes }
}

extension ServerEnvironment {
    nonisolated static func production(_ baseUrl: URL) -> ServerEnvironment {
        ServerEnvironment(baseUrl: baseUrl) { $0.timeoutInterval = 5 }
    }
}
