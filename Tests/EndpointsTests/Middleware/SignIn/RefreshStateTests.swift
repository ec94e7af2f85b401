import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsMiddleware

@Suite("The state of a refresh")
struct RefreshStateTests {
    @Test("A refresh that fails after somebody has signed in again doesn't count for the new token")
    func failureOfAnOldToken() async throws {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        var state = RefreshState()
        state.adopt(AccessToken(.bearer("t0"), expires: start), asOf: 0, start)
        let old = try #require(state.issued)
        let waiter = Waiter<IssuedToken>()
        _ = state.join(waiter, after: old, isEarly: false)
        let new = AccessToken(.bearer("t1"), expires: start + 100)
        state.adopt(new, asOf: old.generation, start)
        let (waiters, result) = state.finish(.failure(SignInError()), start)
        for waiter in waiters { waiter.resume(with: result) }
        let issued = try await waiter.value()
        #expect(issued.token.credentials == .bearer("t1"))
        #expect(state.need(start + 89) == .none)
        #expect(state.need(start + 95) == .newIfPossible)
    }

    @Test(
        "While a refresh runs, a request needs a new token only if its own token is not valid",
        arguments: [
            (isEarly: true, age: 95.0, isRefused: false, need: RefreshState.Need.newIfPossible),
            (true, 100, false, .new), (true, 95, true, .new), (false, 95, false, .new),
            (false, 10, false, .new), (true, 10, false, .newIfPossible),
        ])
    func running(
        row: (isEarly: Bool, age: TimeInterval, isRefused: Bool, need: RefreshState.Need)
    ) throws {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        var state = RefreshState()
        state.adopt(AccessToken(.bearer("t0"), expires: start + 100), asOf: 0, start)
        let old = try #require(state.issued)
        _ = state.join(Waiter(), after: old, isEarly: row.isEarly)
        if row.isRefused { state.refuse(old) }
        #expect(state.need(start + row.age) == row.need)
    }
}
