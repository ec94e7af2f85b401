import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsMiddleware

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A sign-in and redirects", .timeLimit(.minutes(5)))
struct SignInRedirectTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// Where the redirects lead to, and their status.
        let hops: [(status: Int, url: String)]
        var method = "GET"
        var header: Headers = .authorization
        let isRefreshed: Bool
        /// The methods of what is sent after the refresh.
        var again = ""
        var testDescription: String { "\(method) \(hops.map(\.url))" }
    }

    private static let (other, trusted) = ("https://other.example/a", "https://up.example/a")
    private static let own = "https://api.example.com/v1/end"
    private static let middle = "https://api.example.com/v1/middle"

    static let rows: [Row] = [
        Row(hops: [], isRefreshed: true, again: "GET"),
        Row(hops: [(302, own)], isRefreshed: true, again: "GET GET"),
        Row(hops: [(307, own)], method: "POST", isRefreshed: true, again: "POST POST"),
        // A request that was answered with a 303 has been carried out.
        Row(hops: [(303, own)], method: "POST", isRefreshed: true, again: "GET"),
        Row(hops: [(302, own)], method: "POST", isRefreshed: true, again: "GET"),
        Row(hops: [(303, own)], method: "DELETE", isRefreshed: true, again: "GET"),
        Row(hops: [(303, own)], method: "HEAD", isRefreshed: true, again: "HEAD HEAD"),
        Row(hops: [(307, middle), (303, own)], method: "PUT", isRefreshed: true, again: "GET"),
        Row(hops: [(302, other)], isRefreshed: false),
        Row(hops: [(302, trusted)], isRefreshed: false),
        Row(hops: [(302, other), (302, own)], isRefreshed: false),
        Row(hops: [(307, other), (307, own)], method: "POST", isRefreshed: false),
        Row(hops: [(303, other), (303, own)], method: "POST", isRefreshed: false),
        Row(hops: [(302, trusted), (302, own)], isRefreshed: false),
        Row(hops: [(302, other), (302, trusted), (308, own)], isRefreshed: false),
        Row(hops: [(302, other), (302, own)], header: "X-Token", isRefreshed: false),
        Row(
            hops: [(302, "https://api.example.com:8443/a"), (302, own)], isRefreshed: false),
    ]

    @Test("A 401 to a request that didn't have the token doesn't refresh it", arguments: rows)
    func refresh(_ row: Row) async throws {
        let (sent, refreshes) = (Journal<String>(), Journal<Void>())
        let methods = Journal<String>()
        let urls = ["https://api.example.com/v1/items"] + row.hops.map(\.url)
        let server = Following { request in
            let url = request.url?.absoluteString ?? ""
            sent.add(request.value(forHTTPHeaderField: row.header.name) ?? "none")
            methods.add(request.httpMethod ?? "")
            let place = urls.firstIndex(of: url) ?? 0
            guard place < row.hops.count else { return (401, [:]) }
            return (row.hops[place].status, ["Location": row.hops[place].url])
        }
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, trusting: [url(Self.trusted)],
            AccessToken(.bearer("t0"))
        ) { _ in AccessToken(.bearer("t\(refreshes.add(()))")) }
        let transport = server.authorized(by: tokens, header: row.header)
        let response = try await transport.send(try Item.request(row.method))
        #expect(response.httpResponse.statusCode == 401)
        #expect(refreshes.entries.count == (row.isRefreshed ? 1 : 0))
        #expect(methods.entries.dropFirst(urls.count).joined(separator: " ") == row.again)
        #expect(sent.entries.dropFirst(urls.count).allSatisfy { $0 == "Bearer t1" })
        let hint = (response.httpResponse as? TracedResponse)?.hint ?? ""
        #expect(hint.contains("redirected to another origin") == !row.isRefreshed)
    }

    @Test(
        "A redirect that comes after the refresh isn't taken for a refusal of the new token",
        arguments: [[], [other], [other, own], [own]])
    func redirectedAgain(hops: [String]) async throws {
        let (sent, first) = (Journal<String>(), "https://api.example.com/v1/items")
        let server = Following { request in
            let url = request.url?.absoluteString ?? ""
            // The first request is answered with a 401, and the one after the refresh redirected.
            let isFirst = sent.add(url) == 1
            let place = ([first] + hops).firstIndex(of: url) ?? 0
            guard !isFirst, place < hops.count else { return (401, [:]) }
            return (302, ["Location": hops[place]])
        }
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("t0"))
        ) {
            _ in AccessToken(.bearer("t1"))
        }
        let response = try await server.authorized(by: tokens).send(try Item.request())
        #expect(sent.entries == [first, first] + hops)
        let hint = (response.httpResponse as? TracedResponse)?.hint ?? ""
        let isElsewhere = hops.contains(Self.other)
        #expect(hint.contains("redirected to another origin") == isElsewhere)
        #expect(hint.contains("which is refused too") == !isElsewhere)
    }
}
