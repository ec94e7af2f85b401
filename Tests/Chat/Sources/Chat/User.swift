import Endpoints
import EndpointsMiddleware
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A user who has signed in, and what the app does for them.
struct User: Sendable {
    let name: String
    let id: String
    let api: EndpointClient<Homeserver>

    /// Makes an account and a client that signs in to it.
    ///
    /// - Parameter knowsExpiry: Whether the client knows when a token expires, and so refreshes it
    ///   before that. If not, it does after a 401.
    static func register(
        _ name: String, on homeserver: Homeserver, knowsExpiry: Bool, _ record: Record
    ) async throws -> User {
        let session = URLSession(configuration: .ephemeral).observed(by: record)
        let signIn = EndpointClient(
            session.retrying(.patient, clock: record.clock(.retryWaits)), in: homeserver)
        let account = try await signIn(
            Register(body: .init(username: name, password: UUID().uuidString)))
        let first = AccessToken(
            account.accessToken, account.refreshToken, knowsExpiry ? account.expiresInMs : nil)
        let tokens = MemoryCredentials(for: homeserver, first) { old in
            let pair = try await signIn(Refresh(body: .init(refreshToken: old.refreshToken ?? "")))
            record.add(.refreshes)
            return AccessToken(
                pair.accessToken, pair.refreshToken, knowsExpiry ? pair.expiresInMs : nil)
        }
        // Each attempt is signed last, so that a token isn't old when it has waited for its turn.
        let transport =
            session
            .authorized(by: tokens)
            .paced(waitingAtMost: 30, clock: record.clock(.paceWaits))
            .limited(perOrigin: 8)
            .retrying(.patient, clock: record.clock(.retryWaits))
            .logged { record.log($0) }
        return User(
            name: name, id: account.userId, api: EndpointClient(transport, in: homeserver))
    }

    /// Sends one message after another; returns when the last one is there.
    func write(_ texts: [String], in room: String, _ record: Record) async throws {
        for text in texts {
            let message = SendMessage(room: room, transaction: text, body: .init(body: text))
            try await api(message)
            record.add(.written)
        }
    }

    /// The messages of a room, the oldest first.
    func history(of room: String) async throws -> [Event] {
        var events: [Event] = []
        for try await page in api.pages(of: ListMessages(room: room)) { events += page.chunk }
        return events.reversed()
    }

    /// Waits for messages in a room, until so many have come; returns where to go on as well.
    func receive(
        _ count: Int, in room: String, since: String, _ record: Record
    ) async throws -> (events: [Event], since: String) {
        var (events, since): ([Event], String) = ([], since)
        while events.count < count {
            let response = try await api(Sync(since: since, milliseconds: 10_000))
            let new = response.rooms?.join?[room]?.timeline?.events ?? []
            events += new
            since = response.nextBatch
            record.add(.received, new.count)
        }
        return (events, since)
    }
}

extension RetryPolicy {
    /// For an app that can wait until the server is there again.
    static let patient = RetryPolicy(
        attempts: 60, longestDelay: 3, timeLimit: 120,
        budget: RetryBudget(retriesPerMinute: 600, retriesPerRequest: 1))
}

extension AccessToken {
    /// A token that lasts so many milliseconds, where that is known.
    fileprivate init(_ token: String, _ refreshToken: String, _ milliseconds: Double?) {
        self.init(
            .bearer(token), expires: milliseconds.map { Date() + $0 / 1000 },
            refreshToken: refreshToken)
    }
}
