import Endpoints
import EndpointsMiddleware
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Pages and accounts", .timeLimit(.minutes(5)))
struct PageAccountTests {
    /// How the second page is found.
    enum Way: CaseIterable {
        case number, link, url
    }

    struct ByURL: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<ByURL>(method: .get, path: "items")
        static let paging = Paging<ByURL>.url { _ in url("https://api.example.com/v1/items?page=2")
        }
        typealias Response = [String]
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        let first: AccessToken?
        let change: @Sendable (MemoryCredentials) -> Void
        /// Whether the list goes on, and otherwise whether another account is the reason.
        let goesOn: Bool
        var isAnother = true
        var testDescription: String { name }
    }

    private static let ann = AccessToken(.bearer("ann"), account: "ann")
    private static let bob = AccessToken(.bearer("bob"), account: "bob")

    static let changes: [Change] = [
        Change(name: "nothing", first: ann, change: { _ in }, goesOn: true),
        Change(
            name: "a new token", first: ann,
            change: { $0.signIn(AccessToken(.bearer("ann2"), account: "ann")) }, goesOn: true),
        Change(name: "another account", first: ann, change: { $0.signIn(bob) }, goesOn: false),
        Change(
            name: "a sign-out", first: ann, change: { $0.signOut() }, goesOn: false,
            isAnother: false),
        Change(
            name: "out, and another", first: ann, change: { ($0.signOut(), $0.signIn(bob)).1 },
            goesOn: false),
        Change(name: "a first sign-in", first: nil, change: { $0.signIn(bob) }, goesOn: false),
    ]

    /// When the account changes.
    enum Moment: CaseIterable {
        case loading, between
    }

    @Test(
        "All pages of a list are of the account with which it began", arguments: changes,
        Moment.allCases)
    func account(_ row: Change, _ moment: Moment) async throws {
        for (prefetches, way) in [true, false].flatMap({ a in Way.allCases.map { (a, $0) } }) {
            // A prefetched second page may be on its way before the account changes.
            if prefetches, moment == .between { continue }
            let tokens = MemoryCredentials(for: ServerEnvironment.production, row.first) { $0 }
            let sent = Journal<String>()
            let stub = ClosureTransport { request in
                sent.add(request.urlRequest.value(forHTTPHeaderField: "Authorization") ?? "none")
                if sent.entries.count == 1, moment == .loading { row.change(tokens) }
                let next = "<https://api.example.com/v1/items?page=2>; rel=\"next\""
                return try .stub(200, ["Link": next], #"["a"]"#)
            }
            let api = EndpointClient(stub.authorized(by: tokens), in: .production)
            let changes = { if moment == .between { row.change(tokens) } }
            do {
                switch way {
                case .number: try await read(PagesTests.ByNumber(), api, prefetches, changes)
                case .link: try await read(PagesTests.ByLink(), api, prefetches, changes)
                case .url: try await read(ByURL(), api, prefetches, changes)
                }
                #expect(row.goesOn, "\(way)")
                #expect(sent.entries.count == 2 || prefetches)
            } catch let error as SignInError {
                #expect(!row.goesOn, "\(way)")
                #expect(error.accountHasChanged == row.isAnother)
                #expect(sent.entries.count == 1)
            }
        }
    }

    /// Reads two pages, with a change in between.
    private func read<Request: PagedRequest & Sendable>(
        _ request: Request, _ api: EndpointClient<ServerEnvironment>, _ prefetches: Bool,
        _ change: () -> Void
    ) async throws where Request.Environment == ServerEnvironment {
        var pages = api.pages(of: request, prefetching: prefetches).makeAsyncIterator()
        do throws(Request.TaskError) {
            _ = try await pages.next()
            change()
            _ = try await pages.next()
        } catch {
            guard case .transportError(let error) = error, let cause = error.cause as? SignInError
            else { throw error }
            throw cause
        }
    }

    @Test("Each page that is sent by POST has an Idempotency-Key of its own")
    func keys() async throws {
        struct Search: FlatRequest, PagedRequest {
            var page = 1
            static let endpoint = Endpoint<Search>(
                method: .post, path: "search", parameters: [.query("page", path: \.page)])
            static let paging = Paging<Search>.page(\.page)
            typealias Response = [String]
        }
        let keys = Journal<String?>()
        let stub = ClosureTransport { request in
            keys.add(request.urlRequest.value(forHTTPHeaderField: "Idempotency-Key"))
            return try .stub(200, [:], keys.entries.count < 3 ? #"["a"]"# : "[]")
        }
        let api = EndpointClient(
            stub.retrying(RetryPolicy(addsIdempotencyKeys: true)), in: .production)
        for try await _ in api.pages(of: Search()) {}
        #expect(Set(keys.entries).count == 3)
    }
}
