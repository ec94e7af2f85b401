import Endpoints
import Testing

@Suite("Publisher redirects and refusals", .needsServers)
struct RedirectPublisherTests {
    @Test(
        "After a redirect, a publisher's request arrives with the right bytes",
        arguments: Redirect.table + Redirect.uploads)
    func redirect(redirect: Redirect) async throws {
        let actual = try await redirect.actual(PublisherLoader())
        #expect(actual == redirect.expected)
    }

    @Test(
        "A publisher refuses a request that a hook has made unsendable", arguments: Outcome.spoiled)
    func refusal(outcome: Outcome) async throws {
        let actual = try await outcome.actual(PublisherLoader())
        #expect(actual == outcome.expected)
    }
}
