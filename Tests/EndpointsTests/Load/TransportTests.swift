import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Custom transports")
struct TransportTests {
    struct GetUser: FlatRequest {
        let id: Int
        static let endpoint = Endpoint<GetUser>(method: .get, path: "users/\(path: \.id)")
        typealias Response = User
        typealias ErrorResponse = ServerError
        static let loadPolicy = LoadPolicy(redirectLimit: 3, sensitiveHeaders: ["X-Api-Key"])
    }

    /// A transport that is a closure.
    struct Stub: Transport {
        let respond: @Sendable (URLRequest, LoadPolicy) async throws -> (Data, HTTPURLResponse)

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let (data, httpResponse) = try await respond(request.urlRequest, request.policy)
            return TransportResponse(data, httpResponse)
        }
    }

    @Test("A custom transport gets the request and the policy, and its response is decoded")
    func response() async throws {
        let stub = Stub { request, policy in
            #expect(request.url?.absoluteString == "https://api.example.com/v1/users/7")
            #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
            #expect(policy == GetUser.loadPolicy)
            let canned = CannedResponse(200, #"{"id": 7, "name": "Ann"}"#)
            return (canned.body, try canned.httpResponse)
        }
        let user = try await stub.response(in: .production, with: GetUser(id: 7))
        #expect(user == User(id: 7, name: "Ann"))
    }

    struct Broken: Error, Equatable {
        let code: Int
    }

    /// What a transport throws, and the text of the resulting error.
    static let errors: [(error: any Error, text: String)] = [
        (URLError(.timedOut), "GetUser: the load failed: it took too long (URLError -1001)"),
        (URLError(.cancelled), "GetUser: the load was cancelled"),
        (CancellationError(), "GetUser: the load was cancelled"),
        (
            NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled),
            "GetUser: the load was cancelled"
        ),
        (
            URLError(.dataNotAllowed),
            "GetUser: the device is offline: cellular data is not allowed (URLError -1020)"
        ),
        (
            EndpointError(
                requestType: "Stub", field: .body, reason: "is too large; make it smaller"),
            "GetUser: the body is too large; make it smaller"
        ),
    ]

    @Test("A custom transport's errors become the same cases as a session's", arguments: errors)
    func failure(row: (error: any Error, text: String)) async {
        let stub = Stub { _, _ in throw row.error }
        let error = await #expect(throws: GetUser.TaskError.self) {
            try await stub.response(in: .production, with: GetUser(id: 7))
        }
        #expect(error?.description == row.text)
    }

    @Test("Any other error that a custom transport throws is kept as the cause")
    func foreignError() async {
        let stub = Stub { _, _ in throw Broken(code: 42) }
        do {
            _ = try await stub.response(in: .production, with: GetUser(id: 7))
            Issue.record("no error")
        } catch .transportError(let error) {
            #expect(error.cause as? Broken == Broken(code: 42))
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("A custom transport isn't called where no request can be made")
    func refused() async {
        let stub = Stub { _, _ in
            Issue.record("asked")
            throw URLError(.badURL)
        }
        await #expect(throws: GetUser.TaskError.self) {
            try await stub.response(
                in: ServerEnvironment(baseUrl: URL(fileURLWithPath: "/")), with: GetUser(id: 7))
        }
    }

    /// A middleware that logs in again after a 401.
    actor Refreshing: Transport {
        let base: Stub
        private var token = "old"

        init(base: Stub) { self.base = base }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let first = try await base.send(authorized(request))
            guard first.httpResponse.statusCode == 401 else { return first }
            token = "new"
            return try await base.send(authorized(request))
        }

        private func authorized(_ request: TransportRequest) -> TransportRequest {
            var request = request
            request.urlRequest.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            return request
        }
    }

    @Test("A custom transport can wrap another, to log in again for example")
    func middleware() async throws {
        let server = Stub { request, _ in
            let isNew = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
            let canned =
                isNew
                ? CannedResponse(200, #"{"id": 7, "name": "Ann"}"#) : CannedResponse(401, "{}")
            return (canned.body, try canned.httpResponse)
        }
        let user = try await Refreshing(base: server)
            .response(in: .production, with: GetUser(id: 7))
        #expect(user.name == "Ann")
    }

    @Test("An EndpointClient sends requests by its transport to its environment")
    func client() async throws {
        let stub = Stub { request, policy in
            #expect(request.url?.absoluteString == "https://api.example.com/v1/users/7")
            #expect(policy == GetUser.loadPolicy)
            let canned = CannedResponse(200, #"{"id": 7, "name": "Ann"}"#)
            return (canned.body, try canned.httpResponse)
        }
        let api = EndpointClient(stub, in: .production)
        #expect(try await api.response(to: GetUser(id: 7)).name == "Ann")
        #expect(try await api(GetUser(id: 7)).name == "Ann")
    }
}
