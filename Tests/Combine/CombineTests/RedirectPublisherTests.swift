import Endpoints
import Testing

@Suite("By the publisher")
struct RedirectPublisherTests {
    @Test("arrives behind a redirect what should, byte for byte", arguments: Redirect.table)
    func redirect(redirect: Redirect) async throws {
        let actual = try await redirect.actual(PublisherLoader())
        #expect(actual == redirect.expected)
    }

    @Test("is refused what a hook has spoiled", arguments: Outcome.spoiled)
    func refusal(outcome: Outcome) async throws {
        let actual = try await outcome.actual(PublisherLoader())
        #expect(actual == outcome.expected)
    }
}
