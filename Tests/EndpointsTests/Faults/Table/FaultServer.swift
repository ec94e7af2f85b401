import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The fault server's own description and counts.
struct FaultServer {
    /// A fault as the server describes it.
    struct Row: Decodable {
        let name: String
        let what: String
        let kind: String
    }

    let address: URL

    /// Fails the test where no server runs.
    init() throws {
        address = try TestServers.address("ENDPOINTS_FAULTS")
    }

    /// All of its faults, in its order.
    func rows() async throws -> [Row] {
        try await get([Row].self, "/")
    }

    /// The number of open connections with this key, after waiting until there are none.
    func open(_ key: String) async throws -> Int {
        try await get([String: Int].self, "/-/open?key=\(key)&most=0&ms=10000")["open"] ?? -1
    }

    private func get<Value: Decodable>(_ type: Value.Type, _ path: String) async throws -> Value {
        guard let url = URL(string: path, relativeTo: address) else { throw URLError(.badURL) }
        return try JSONDecoder().decode(type, from: await URLSession.shared.data(from: url).0)
    }
}
