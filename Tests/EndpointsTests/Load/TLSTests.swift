import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("TLS", .needsTLS, .timeLimit(.minutes(5)))
struct TLSTests {
    private let secure: URL
    private let plain: URL
    private let key = UUID().uuidString

    init() throws {
        secure = try TestServers.address("ENDPOINTS_RECORDER_TLS")
        plain = try TestServers.address("ENDPOINTS_RECORDER")
    }

    private struct Ask: RequestType {
        static let endpoint = Endpoint<Self>(
            method: .post, path: "ask", headers: [.authorization: .fieldValue(value: "s3cr3t")])
        let body: String
        typealias Response = Arrival
    }

    /// What the recorder says of a request.
    private struct Arrival: Decodable {
        let origin: String
        let method: String
        let headers: [[String]]
        let body: String?

        var hasCredentials: Bool { headers.contains { $0[0].lowercased() == "authorization" } }
    }

    @Test("A request arrives whole at a server with TLS")
    func load() async throws {
        let environment = ServerEnvironment(baseUrl: secure)
        let arrival = try await URLSession.shared.response(in: environment, with: Ask(body: "é"))
        #expect(arrival.origin == secure.absoluteString)
        #expect(arrival.hasCredentials && arrival.body == "é")
    }

    @Test("A server whose certificate has another name is an error")
    func otherName() async throws {
        var components = try #require(URLComponents(url: secure, resolvingAgainstBaseURL: true))
        components.host = "localhost"
        let environment = ServerEnvironment(baseUrl: try #require(components.url))
        let error = await #expect(throws: Ask.TaskError.self) {
            try await URLSession.shared.response(in: environment, with: Ask(body: ""))
        }
        guard case .urlLoadError(let urlError)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(urlError.code == .serverCertificateUntrusted)
        #expect(error?.failureReason?.contains("the server's certificate is not trusted") == true)
    }

    @Test("A redirect from https to http is refused")
    func insecure() async throws {
        let error = await #expect(throws: URLError.self) {
            try await redirect(from: secure, to: plain, .default)
        }
        #expect(error?.code == .appTransportSecurityRequiresSecureConnection)
    }

    @Test(
        "A redirect from https to http is followed without credentials where the policy allows it")
    func insecureAllowed() async throws {
        let policy = LoadPolicy(allowsInsecureRedirects: true)
        let arrival = try await redirect(from: secure, to: plain, policy)
        #expect(arrival.origin == plain.absoluteString)
        #expect(!arrival.hasCredentials)
    }

    @Test("A redirect from http to https is followed without credentials")
    func upgraded() async throws {
        let arrival = try await redirect(from: plain, to: secure, .default)
        #expect(arrival.origin == secure.absoluteString)
        #expect(!arrival.hasCredentials)
    }

    @Test("A redirect within https is followed with credentials and body")
    func within() async throws {
        let arrival = try await redirect(from: secure, to: secure, .default)
        #expect(arrival.origin == secure.absoluteString)
        #expect(arrival.hasCredentials && arrival.method == "POST" && arrival.body == "é")
    }

    /// Loads a 307 from one origin to the other, and returns what arrived there.
    private func redirect(
        from first: URL, to other: URL, _ policy: LoadPolicy
    ) async throws -> Arrival {
        let url = try Origins.redirect(
            at: first, 307, to: other.absoluteString + "/-/echo", key: key)
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data("é".utf8)
        request.setValue("s3cr3t", forHTTPHeaderField: "Authorization")
        let data = try await URLSession.shared.load(request, policy).0
        return try JSONDecoder().decode(Arrival.self, from: data)
    }
}
