import Foundation
import Testing

@testable import Endpoints

@Suite("The state of a refresh")
struct RefreshStateTests {
    @Test("A refresh that fails after somebody has signed in again doesn't count for the new token")
    func failureOfAnOldToken() async throws {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        var state = RefreshState()
        state.adopt(AccessToken(.bearer("t0"), expires: start), asOf: 0, start)
        let old = try #require(state.issued)
        let issued = try await withCheckedThrowingContinuation { continuation in
            _ = state.join(1, after: old, continuation)
            let new = AccessToken(.bearer("t1"), expires: start + 100)
            state.adopt(new, asOf: old.generation, start)
            let (waiters, result) = state.finish(.failure(SignInError()), start)
            for waiter in waiters { waiter.resume(with: result) }
        }
        #expect(issued.token.credentials == .bearer("t1"))
        #expect(state.need(start + 89) == .none)
        #expect(state.need(start + 95) == .newIfPossible)
    }
}
