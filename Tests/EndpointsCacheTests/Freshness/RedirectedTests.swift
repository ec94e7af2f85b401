import Endpoints
import EndpointsCache
import Foundation
import Testing

/// Where what is stored meets a redirect.
@Suite("Redirects and stored responses")
struct RedirectedTests {
    struct Change: Sendable, CustomTestStringConvertible {
        var method = "POST"
        /// What the request to /add leads to: each status, and its `Location`.
        let hops: [(status: Int, location: String)]
        var last = RedirectingServer.Reply()
        let dropped: [String]
        var testDescription: String { "\(method) \(hops) \(last.status)" }
    }

    private static let stored = ["/add", "/cart", "/middle", "https://other.example/cart"]

    static let changes: [Change] = [
        Change(hops: [(303, "/cart")], dropped: ["/add", "/cart"]),
        Change(hops: [(302, "/cart")], dropped: ["/add", "/cart"]),
        Change(hops: [(307, "/cart")], dropped: ["/add", "/cart"]),
        Change(method: "PUT", hops: [(308, "/cart")], dropped: ["/add", "/cart"]),
        Change(method: "DELETE", hops: [(303, "/cart")], dropped: ["/add", "/cart"]),
        Change(
            hops: [(307, "/middle"), (303, "/cart")], dropped: ["/add", "/cart", "/middle"]),
        Change(
            hops: [(303, "/cart")], last: .init(status: 500), dropped: ["/add", "/cart"]),
        Change(
            hops: [(307, "/cart")], last: .init(error: .networkConnectionLost),
            dropped: ["/add", "/cart"]),
        Change(
            hops: [(303, "/middle")],
            last: .init(fields: ["Content-Location": "cart"]),
            dropped: ["/add", "/cart", "/middle"]),
        // A server must not drop what another one has said, unless it was asked to change that.
        Change(hops: [(303, "https://other.example/cart")], dropped: ["/add"]),
        Change(
            hops: [(307, "https://other.example/cart")],
            dropped: ["/add", "https://other.example/cart"]),
        Change(
            hops: [(303, "https://other.example/x"), (302, "https://api.example.com/cart")],
            dropped: ["/add", "/cart"]),
        Change(hops: [], last: .init(status: 500), dropped: []),
        Change(method: "QUERY", hops: [(303, "/cart")], dropped: []),
    ]

    @Test(
        "A request that changes something drops all that its redirects lead to", arguments: changes)
    func drops(_ row: Change) async throws {
        let server = RedirectingServer()
        let cached = server.cached(in: .memory(megabytes: 1))
        server.other.withLock { $0.fields = ["Cache-Control": "max-age=60"] }
        for url in Self.stored { _ = try await cached.text("GET", url) }
        var place = "/add"
        for hop in row.hops {
            server.move(place, hop.status, to: hop.location)
            place = RedirectingServer.short(
                URL(string: hop.location, relativeTo: URL(string: "https://api.example.com"))?
                    .absoluteURL)
        }
        server.set(place, row.last)
        _ = try? await cached.text(row.method, "/add")
        var dropped: [String] = []
        for url in Self.stored {
            let text = try await cached.text("GET", url, ["Cache-Control": "only-if-cached"])
            if text == " cache" { dropped.append(url) }
        }
        #expect(dropped.sorted() == row.dropped.sorted())
    }

    @Test(
        "A 304 of the URL to which a stored response's URL leads doesn't validate that response",
        arguments: [301, 302, 303, 307, 308], ["/b", "https://other.example/b"])
    func foreign304(status: Int, target: String) async throws {
        let server = RedirectingServer()
        let cached = server.cached(in: .memory(megabytes: 1))
        server.set("/a", 200, ["Cache-Control": "max-age=0", "ETag": "\"1\""], "old a")
        #expect(try await cached.text("GET", "/a") == "old a server")
        server.move("/a", status, to: target)
        server.set(target, .init(fields: ["ETag": "\"1\""], body: "b", tag: "\"1\""))
        #expect(try await cached.text("GET", "/a") == "b server")
        #expect(try await cached.text("GET", "/a") == "b server")
        // What /a had stored is out of date, so the next request has no condition.
        #expect(server.asked.count { $0 == "GET /a" } == 4)
    }

    @Test(
        "A 304 after a detour, on which credentials were lost, doesn't validate a stored response",
        arguments: [nil, "/login", "https://other.example/login"])
    func detour(via: String?) async throws {
        let server = RedirectingServer()
        let cached = server.cached(in: .memory(megabytes: 1))
        server.set("/a", 200, ["Cache-Control": "max-age=0", "ETag": "\"1\""], "old a")
        _ = try await cached.text("GET", "/a")
        server.set("/a", .init(fields: ["ETag": "\"1\""], body: "new", tag: "\"1\""))
        if let via {
            server.setOnce("/a", .init(status: 302, fields: ["Location": via]))
            server.move(via, 302, to: "https://api.example.com/a")
        }
        let text = try await cached.text("GET", "/a")
        #expect(text == (via == nil ? "old a validatedCache" : "new server"))
    }

    @Test("While a stale response is used, a foreign 304 doesn't make it fresh")
    func background() async throws {
        let server = RedirectingServer()
        let cached = server.cached(in: .memory(megabytes: 1))
        server.set(
            "/a", 200,
            ["Cache-Control": "max-age=0, stale-while-revalidate=60", "ETag": "\"1\""], "old a")
        _ = try await cached.text("GET", "/a")
        server.move("/a", 302, to: "/b")
        server.set(
            "/b",
            .init(
                fields: ["ETag": "\"1\"", "Cache-Control": "max-age=60"], body: "b", tag: "\"1\""))
        #expect(try await cached.text("GET", "/a") == "old a cache")
        while try await cached.text("GET", "/a") == "old a cache" { await Task.yield() }
        #expect(try await cached.text("GET", "/a") == "b server")
    }
}
