import EndpointsTesting
import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsMiddleware

@Suite("Requests that wait while the account changes, or get no token", .timeLimit(.minutes(5)))
struct UnsignedTests {
    /// What happens to the credentials after the call has begun, and before it is sent.
    typealias Row = (
        name: String, first: AccessToken?, change: @Sendable (MemoryCredentials) -> Void,
        outcome: String
    )

    private static let ann = AccessToken(.bearer("ann"))
    private static let bob = AccessToken(.bearer("bob"))
    private static let named = AccessToken(.bearer("ann2"), account: "ann")

    static let rows: [Row] = [
        ("nothing", ann, { _ in }, "Bearer ann"),
        ("signed out", ann, { $0.signOut() }, "no credentials"),
        ("another", ann, { $0.signIn(bob) }, "account has changed"),
        (
            "out, and another", ann, { ($0.signOut(), $0.signIn(bob)).1 },
            "account has changed"
        ),
        ("the same name", named, { $0.signIn(named) }, "Bearer ann2"),
        ("out, and the same name", named, { ($0.signOut(), $0.signIn(named)).1 }, "Bearer ann2"),
        ("first sign-in", nil, { $0.signIn(bob) }, "Bearer bob"),
        ("signed out already", nil, { $0.signOut() }, "nil"),
    ]

    @Test(
        "A request that waits is sent only for the account that was signed in when its call began",
        arguments: rows)
    func waits(row: Row) async throws {
        let tokens = MemoryCredentials(for: ServerEnvironment.production, row.first) { $0 }
        let sent = Journal<String?>()
        let stub = ClosureTransport { request in
            sent.add(request.urlRequest.value(forHTTPHeaderField: "Authorization"))
            return try .stub(200)
        }
        let request = try Item.request("POST")
        row.change(tokens)
        do {
            _ = try await stub.authorized(by: tokens).send(request)
            #expect(sent.entries.map { $0 ?? "nil" } == [row.outcome])
        } catch let error as SignInError {
            let outcome = error.accountHasChanged ? "account has changed" : "no credentials"
            #expect(outcome == row.outcome)
            #expect(sent.entries.isEmpty)
        }
        // A call that begins after the change is sent for the present account.
        _ = try await stub.authorized(by: tokens).send(try Item.request())
        #expect(
            (sent.entries.last ?? nil) == (try tokens.token()?.credentials.pathRepresentation))
    }

    @Test(
        "A 401 that comes again after a refresh says whether the token was a new one",
        arguments: [
            ("ann", "with the same token, as its source's refresh gave no other"),
            ("new", "with a new token, which is refused too"),
        ])
    func refusedAgain(next: String, words: String) async throws {
        let tokens = MemoryCredentials(for: ServerEnvironment.production, Self.ann) { _ in
            AccessToken(.bearer(next))
        }
        let stub = ClosureTransport { _ in try .stub(401, [:], "{}") }
        do {
            try await stub.authorized(by: tokens).response(
                in: ServerEnvironment.production, with: GetItem())
            Issue.record("a 401 is no success")
        } catch {
            #expect(error.httpResponse?.statusCode == 401)
            #expect(error.debugDescription.contains("`authorized(by:)` sent it again"))
            #expect(error.debugDescription.contains(words))
        }
    }

    /// A request that is sent without the token of the account.
    struct SignIn: RequestType {
        static let endpoint = Endpoint<SignIn>(
            method: .post, path: "sign-in", headers: [.authorization: nil])
        typealias Response = Void
    }

    struct GetItem: RequestType {
        static let endpoint = Endpoint<GetItem>(method: .get, path: "items")
        typealias Response = Void
    }

    @Test("A request that declares Authorization as nil gets no token, and its 401 no refresh")
    func declaredNil() async throws {
        let (sent, refreshes) = (Journal<String?>(), Journal<Void>())
        let tokens = MemoryCredentials(for: ServerEnvironment.production, Self.ann) { old in
            refreshes.add(())
            return old
        }
        let stub = ClosureTransport { request in
            sent.add(request.urlRequest.value(forHTTPHeaderField: "Authorization"))
            return try .stub(401)
        }
        let error = await #expect(throws: SignIn.TaskError.self) {
            try await stub.authorized(by: tokens).response(in: .production, with: SignIn())
        }
        #expect(sent.entries == [nil])
        #expect(refreshes.entries.isEmpty)
        #expect(
            error?.debugDescription.hasSuffix("because the request declares Authorization: nil")
                == true)
    }

    struct Unset: FlatRequest {
        let token: Secret
        static let endpoint = Endpoint<Unset>(
            method: .get, path: "items", headers: [.authorization: .field(path: \.token)])
        typealias Response = Void
    }

    @Test(
        "A request whose Authorization is empty isn't sent without a token", arguments: ["", " "])
    func empty(value: String) async throws {
        let tokens = MemoryCredentials(for: ServerEnvironment.production, Self.ann) { $0 }
        let api = ClosureTransport { _ in try .stub(200) }.authorized(by: tokens)
        let error = await #expect(throws: Unset.TaskError.self) {
            try await api.response(in: .production, with: Unset(token: Secret(value)))
        }
        #expect(
            error?.description == """
                Unset: the header "Authorization" is empty, so `authorized(by:)` would add no \
                token; remove it for a token, or declare it as nil for none
                """)
        try await api.response(in: .production, with: Unset(token: Secret("Bearer a")))
    }

    @Test("A 401 after a redirect to another origin says why there was no token")
    func redirected() async throws {
        let uploads = url("https://uploads.example.net/items")
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, trusting: [uploads], Self.ann
        ) { $0 }
        let stub = ClosureTransport { _ in try .stub(401, at: uploads.absoluteString) }
        let error = await #expect(throws: GetItem.TaskError.self) {
            try await stub.authorized(by: tokens).response(in: .production, with: GetItem())
        }
        #expect(error?.debugDescription.contains("redirected to another origin") == true)
    }
}
