import EndpointsShared
import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsMiddleware

@Suite("The state of a refresh")
struct RefreshStateTests {
    static let start = Date(timeIntervalSince1970: 1_700_000_000)

    /// A state whose token `t0` lives 100 seconds.
    private func signedIn() throws -> (state: RefreshState, old: IssuedToken) {
        var state = RefreshState()
        let token = AccessToken(.bearer("t0"), expires: Self.start + 100)
        state.adopt(token, asOf: 0, Self.start)
        return (state, try #require(state.issued))
    }

    /// Ends a refresh, and resumes those who wait for it.
    private func finish(
        _ state: inout RefreshState, _ result: Result<AccessToken, SignInError>
    ) -> AccessToken? {
        let (ended, next) = state.finish(result, Self.start)
        for (waiter, result) in ended { waiter.resume(with: result) }
        return next
    }

    static let lives: [(life: Double, age: Double, need: RefreshState.Need)] = [
        (100, 0, .none), (100, 89, .none), (100, 90, .newIfPossible), (100, 100, .new),
        (100, 1e6, .new), (1000, 969, .none), (1000, 970, .newIfPossible), (5, 4.4, .none),
        (5, 4.5, .newIfPossible), (-1, 0, .new),
    ]

    @Test(
        "A token is refreshed in the last tenth of its life, at most 30 s early", arguments: lives)
    func life(row: (life: Double, age: Double, need: RefreshState.Need)) {
        var state = RefreshState()
        state.adopt(AccessToken(.bearer("t0"), expires: Self.start + row.life), asOf: 0, Self.start)
        #expect(state.need(Self.start + row.age) == row.need)
    }

    @Test(
        "A token that has expired when a refresh gives it is used until it is refused",
        arguments: [(life: 0.0, isMisdated: true), (-1e9, true), (0.1, false), (100, false)])
    func misdated(row: (life: Double, isMisdated: Bool)) throws {
        var (state, old) = try signedIn()
        _ = state.join(Waiter(), after: old, Self.start)
        let new = AccessToken(.bearer("t1"), expires: Self.start + row.life)
        #expect(finish(&state, .success(new)) == nil)
        #expect(state.need(Self.start + 1e6) == (row.isMisdated ? .none : .new))
        // The source may compute the date anew, which makes no other token.
        state.adopt(
            AccessToken(.bearer("t1"), expires: Self.start + row.life + 1),
            asOf: state.generation, Self.start)
        #expect(state.need(Self.start + 1e6) == (row.isMisdated ? .none : .new))
        #expect(state.refuse(try #require(state.issued), Self.start) == nil)
        #expect(state.need(Self.start) == .new)
    }

    @Test("A refresh that fails after somebody has signed in again doesn't count for the new token")
    func failureOfAnOldToken() async throws {
        var (state, old) = try signedIn()
        _ = state.join(Waiter(), after: old, Self.start)
        state.adopt(
            AccessToken(.bearer("t1"), expires: Self.start + 100), asOf: old.generation, Self.start)
        #expect(finish(&state, .failure(SignInError())) == nil)
        #expect(state.issued?.token.credentials == .bearer("t1"))
        #expect(state.need(Self.start + 89) == .none)
        #expect(state.need(Self.start + 95) == .newIfPossible)
    }

    @Test(
        "While a refresh runs, a request needs a new token only if its own token is not valid",
        arguments: [
            (isEarly: true, age: 95.0, isRefused: false, need: RefreshState.Need.none),
            (true, 100, false, .new), (true, 95, true, .new), (false, 95, false, .new),
            (false, 10, false, .new), (true, 10, false, .none),
        ])
    func running(
        row: (isEarly: Bool, age: TimeInterval, isRefused: Bool, need: RefreshState.Need)
    ) throws {
        var (state, old) = try signedIn()
        if row.isEarly {
            _ = state.beginEarly()
        } else {
            _ = state.join(Waiter(), after: old, Self.start)
        }
        if row.isRefused { #expect(state.refuse(old, Self.start) == nil) }
        #expect(state.need(Self.start + row.age) == row.need)
    }

    @Test("A 401 during an early refresh makes other requests wait for the refresh, too")
    func refusedDuringEarly() throws {
        var (state, old) = try signedIn()
        #expect(state.beginEarly() == old.token)
        #expect(state.beginEarly() == nil)
        #expect(state.join(Waiter(), after: old, Self.start) == nil)
        #expect(state.need(Self.start) == .new)
    }

    @Test("A new account doesn't wait for the refresh of the old one")
    func otherAccount() throws {
        var (state, old) = try signedIn()
        _ = state.join(Waiter(), after: old, Self.start)
        state.adopt(AccessToken(.bearer("b")), asOf: old.generation, Self.start)
        #expect(state.need(Self.start) == .none)
    }

    @Test(
        "A token that the source returns during a refresh is of the same account if the refresh made it",
        arguments: [true, false])
    func undecided(isMadeByRefresh: Bool) async throws {
        var (state, old) = try signedIn()
        let waiters = (0..<2).map { _ in Waiter<IssuedToken>() }
        _ = state.join(waiters[0], after: old, Self.start)
        state.adopt(
            AccessToken(.bearer(isMadeByRefresh ? "t1" : "b")), asOf: old.generation, Self.start)
        #expect(state.join(waiters[1], after: old, Self.start) == nil)
        #expect(state.waiters.count == 2)
        #expect(finish(&state, .success(AccessToken(.bearer("t1")))) == nil)
        for waiter in waiters {
            let result: Result<IssuedToken, any Error>
            do { result = .success(try await waiter.value()) } catch { result = .failure(error) }
            switch result {
            case .success(let issued):
                #expect(isMadeByRefresh && issued.token.credentials == .bearer("t1"))
            case .failure(let error):
                #expect(!isMadeByRefresh && (error as? SignInError)?.accountHasChanged == true)
            }
        }
    }

    @Test("A token that is refused during the refresh of another one is refreshed after it")
    func nextRefresh() async throws {
        var (state, old) = try signedIn()
        _ = state.join(Waiter(), after: old, Self.start)
        state.adopt(AccessToken(.bearer("b")), asOf: old.generation, Self.start)
        let waiter = Waiter<IssuedToken>()
        #expect(state.join(waiter, after: try #require(state.issued), Self.start) == nil)
        let next = finish(&state, .failure(SignInError()))
        #expect(next == AccessToken(.bearer("b")))
        #expect(finish(&state, .success(AccessToken(.bearer("b1")))) == nil)
        #expect(try await waiter.value().token.credentials == .bearer("b1"))
    }
}
