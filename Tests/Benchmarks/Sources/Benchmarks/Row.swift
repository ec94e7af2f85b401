import Allocations
import Endpoints
import EndpointsCache
import EndpointsMiddleware
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Each middleware, as a function that puts it around a transport, and how many allocations it may
/// add to a request. `coalesced` isn't among them: it works on other threads, which aren't counted.
private var middleware: [(name: String, most: Double, wrap: (any Transport) -> any Transport)] {
    [
        ("authorized, another origin", 0, { $0.authorized(by: tokens(for: "https://o.example")) }),
        ("authorized", 14, { $0.authorized(by: tokens(for: "https://api.example.com")) }),
        ("paced", 1, { $0.paced() }),
        ("limited", 1, { $0.limited(perOrigin: 6) }),
        ("retrying", 0, { $0.retrying() }),
        ("logged", 71, { $0.logged { keep($0) } }),
        (
            "all four, another origin", 2,
            {
                $0.authorized(by: tokens(for: "https://o.example")).paced()
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

/// How many allocations a load and each middleware may take, as they are the same in each run. A
/// transport responds at once, so that what `URLSession` takes isn't counted.
func loadAllocations() async throws -> Bool {
    let server = ServerEnvironment.production
    let stored = try Responding(["Cache-Control": "max-age=3600"])
        .cached(in: .memory(megabytes: 10))
    let (transport, request) = (try Responding(), try GetNumber(i: 1).urlRequest(in: server))
    let sent = TransportRequest(request, requestType: GetNumber.self)
    let hand = try await allocations {
        let request = try GetNumber.byHand(1, server)
        keep(try GetNumber.byHand(try await transport.load(request)))
    }
    let bare = try await allocations { keep(try await transport.send(sent)) }

    print("\nAllocations of a load with an immediate response, and those that a middleware adds\n")
    var rows: [(name: String, count: Double, most: Double)] = [
        (
            "a load; by hand \(hand.count)",
            try await allocations {
                keep(try await transport.response(in: server, with: GetNumber(i: 1)))
            }, 23
        ),
        (
            "a load of a response stored in memory",
            try await allocations {
                keep(try await stored.response(in: server, with: GetNumber(i: 1)))
            }, 33
        ),
    ]
    for (name, most, wrap) in middleware {
        let transport = wrap(transport)
        let count = try await allocations { keep(try await transport.send(sent)) }
        rows.append(("+ \(name)", count - bare, most))
    }
    for (name, count, most) in rows {
        print(
            name.padding(toLength: 38, withPad: " ", startingAt: 0), count.count, "≤", most.count,
            count <= most ? "yes" : "MISS")
    }
    return rows.allSatisfy { $0.count <= $0.most }
}

private func allocations(of load: () async throws -> Void) async throws -> Double {
    let count = 1000
    for _ in 0..<count { try await load() }
    let before = Allocations.allocations()
    for _ in 0..<count { try await load() }
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
