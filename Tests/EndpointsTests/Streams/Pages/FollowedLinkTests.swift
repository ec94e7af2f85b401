import Endpoints
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Links from page to page")
struct FollowedLinkTests {
    typealias ByLink = PagesTests.ByLink
    typealias ByFunction = PagesTests.ByFunction

    @Test(
        "A link to the next page that no client should follow is an error, and not the last page",
        arguments: [
            "https://user@api.example.com/v1/items?page=2", "https://bücher.example/",
            "https:///x", "https://a b.example/", "?page=\u{1}", "mailto:ann@example.com",
        ])
    func unusable(target: String) async throws {
        let api = PagesTests.client(["": (PagesTests.link(target), #"["a"]"#)])
        var pages = api.pages(of: ByLink()).makeAsyncIterator()
        #expect(try await pages.next() == ["a"])
        let error = await #expect(throws: ByLink.TaskError.self) { _ = try await pages.next() }
        #expect(
            error?.description == """
                ByLink: the URL to be loaded must be http or https, with a valid host and port, \
                and no user info
                """)
        #expect(try await pages.next() == nil)
    }

    @Test("A link of another relation that no client should follow changes nothing")
    func otherRelation() async throws {
        let fields = ["Link": "<https://user@h/>; rel=last, <?page=2>; rel=next"]
        let api = PagesTests.client(["": (fields, #"["a"]"#), "page=2": ([:], #"["b"]"#)])
        var items: [String] = []
        for try await item in api.items(of: ByLink()) { items.append(item) }
        #expect(items == ["a", "b"])
    }

    @Test("A link that differs from an earlier one by its fragment alone is a repeated page")
    func fragment() async throws {
        let asked = Journal<String>()
        let stub = ClosureTransport { _ in
            let count = asked.add("")
            return try .stub(200, PagesTests.link("?page=2#\(count)"), "[]")
        }
        let pages = EndpointClient(stub, in: .production).pages(of: ByLink())
        let error = await #expect(throws: ByLink.TaskError.self) {
            for try await _ in pages where asked.entries.count > 9 { break }
        }
        guard case .transportError(let error) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error.cause is RepeatedPageError)
        #expect(asked.entries.count == 2)
    }

    @Test("Bodies that begin alike are told apart, though they aren't kept")
    func longBodies() async throws {
        let beginning = String(repeating: "a", count: 1000)
        let asked = Journal<String>()
        let stub = ClosureTransport { request in
            let count = asked.add("")
            return try .stub(200, [:], count > 5 ? "[]" : #"["\#(beginning)\#(count)"]"#)
        }
        var count = 0
        let pages = EndpointClient(stub, in: .production).pages(of: ByFunction())
        for try await _ in pages { count += 1 }
        #expect(count == 6)
    }
}
