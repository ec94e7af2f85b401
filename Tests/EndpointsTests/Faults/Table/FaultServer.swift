import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server that misbehaves, asked what it offers and what it has seen.
struct FaultServer {
    /// A fault as the server describes it.
    struct Row: Decodable {
        let name: String
        let what: String
        let kind: String
    }

    struct Missing: Error, CustomStringConvertible {
        let description = "ENDPOINTS_FAULTS is not set: run `make test`, which starts the servers"
    }

    let address: URL

    /// - Throws: `Missing` where no server runs.
    init() throws {
        let text = ProcessInfo.processInfo.environment["ENDPOINTS_FAULTS"] ?? ""
        guard !text.isEmpty, let address = URL(string: text) else { throw Missing() }
        self.address = address
    }

    /// All that it offers, in its order.
    func rows() async throws -> [Row] {
        try await get([Row].self, "/")
    }

    /// How many connections are open that asked for this key, once they are none or it is too late.
    func open(_ key: String) async throws -> Int {
        try await get([String: Int].self, "/-/open?key=\(key)&most=0&ms=10000")["open"] ?? -1
    }

    private func get<Value: Decodable>(_ type: Value.Type, _ path: String) async throws -> Value {
        guard let url = URL(string: path, relativeTo: address) else { throw URLError(.badURL) }
        return try JSONDecoder().decode(type, from: await URLSession.shared.data(from: url).0)
    }
}
