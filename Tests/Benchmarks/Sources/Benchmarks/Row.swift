import Allocations
import Endpoints
import EndpointsMiddleware
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Each middleware, as a function that puts it around a transport.
private var middleware: [(name: String, wrap: (any Transport) -> any Transport)] {
    [
        ("authorized, other origin", { $0.authorized(by: tokens(for: "https://other.example")) }),
        ("authorized", { $0.authorized(by: tokens(for: "https://api.example.com")) }),
        ("paced", { $0.paced() }),
        ("limited", { $0.limited(perOrigin: 6) }),
        ("retrying", { $0.retrying() }),
        (
            "the row",
            {
                $0.authorized(by: tokens(for: "https://other.example")).paced()
                    .limited(perOrigin: 6).retrying()
            }
        ),
    ]
}

private func tokens(for address: String) -> MemoryCredentials {
    MemoryCredentials(
        for: ServerEnvironment(baseUrl: URL(string: address)!), AccessToken(.bearer("t0k3n"))
    ) { $0 }
}

/// How many allocations each middleware adds to a request when it has nothing to do.
func rowAllocations(_ transport: some Transport, _ request: TransportRequest) async throws {
    print("\nAllocations that a middleware adds to a request\n")
    let bare = try await allocations(transport, request)
    for (name, wrap) in middleware {
        let count = try await allocations(wrap(transport), request)
        print("\(name): \(count - bare)")
    }
}

private func allocations(
    _ transport: some Transport, _ request: TransportRequest
) async throws -> Double {
    let count = 1000
    for _ in 0..<count { keep(try await transport.send(request)) }
    let before = Allocations.allocations()
    for _ in 0..<count { keep(try await transport.send(request)) }
    return Double(Allocations.allocations() - before) / Double(count)
}

/// The time of a load through the whole row, compared with a bare one.
func rowLoading(
    _ session: URLSession, _ server: ServerEnvironment,
    load: @escaping (any Transport, Int) async throws -> Void
) async throws {
    let row = session.authorized(by: tokens(for: "https://other.example")).paced()
        .limited(perOrigin: 6).retrying()
    let rows = try await race(
        [
            Runner(name: "the row") { for number in $0 { try await load(row, number) } },
            Runner(name: "bare") { for number in $0 { try await load(session, number) } },
        ], batch: 40)
    print(
        line(
            "a server on the loopback, the row against bare", rows[0].nanoseconds,
            rows[1].nanoseconds, rows[1].firstRelative.text(most: 1.05)))
}
