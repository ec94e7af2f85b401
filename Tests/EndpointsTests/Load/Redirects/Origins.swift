import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Two servers that report what arrives, for requests that are redirected between them.
struct Origins: Sendable {
    let first: URL
    let other: URL

    init() throws {
        first = try TestServers.address("ENDPOINTS_RECORDER")
        other = try TestServers.address("ENDPOINTS_RECORDER_OTHER")
    }

    /// The target of a redirect.
    func address(of redirect: Redirect, _ key: String) -> String {
        (redirect.leavesOrigin ? other : first).absoluteString + "/-/echo?key=\(key)"
    }

    /// The URL at an origin that redirects to an address.
    static func redirect(
        at origin: URL, _ status: Int = 302, to address: String, key: String
    ) throws -> URL {
        var components = try #require(URLComponents(url: origin, resolvingAgainstBaseURL: true))
        components.path = "/-/redirect"
        components.queryItems = [
            URLQueryItem(name: "status", value: "\(status)"),
            URLQueryItem(name: "to", value: address), URLQueryItem(name: "key", value: key),
        ]
        components.percentEncodedQuery = components.percentEncodedQuery?
            .replacingOccurrences(of: "+", with: "%2B")
        return try #require(components.url)
    }

    /// A text with the origins' names instead of their addresses.
    func named(_ text: String) -> String {
        [(first, "first"), (other, "other")].reduce(text) { text, origin in
            text.replacingOccurrences(of: "127.0.0.1:\(origin.0.port ?? 80)", with: origin.1)
        }
    }

    /// All that arrived with a key: at the first origin, then at the other.
    func arrivals(_ key: String) async throws -> [String] {
        try await log(of: first, "first", key) + log(of: other, "other", key)
    }

    private func log(of origin: URL, _ name: String, _ key: String) async throws -> [String] {
        let url = origin.appendingPathComponent("-/log/\(key)")
        let data = try await URLSession.shared.data(from: url).0
        return try JSONDecoder().decode(Log.self, from: data).requests
            .map { named("\(name): \($0.text)") }
    }

    private struct Log: Decodable {
        let requests: [Arrival]
    }

    /// A request as the recorder reports it.
    private struct Arrival: Decodable {
        let method: String
        let target: String
        let headers: [[String]]
        let body: String?

        /// The request without its query and without the headers that a platform adds.
        var text: String {
            let path = target.split(separator: "?").first ?? "nowhere"
            let added = [
                "accept", "accept-encoding", "accept-language", "connection", "user-agent",
            ]
            let headers = headers.map { "\($0[0].lowercased()): \($0[1])" }
                .filter { line in !added.contains { line.hasPrefix("\($0):") } }
            let lines = ["\(method) \(path)"] + headers.sorted() + ["", body ?? "no text"]
            return lines.joined(separator: "\n")
        }
    }
}
