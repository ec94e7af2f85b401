import Endpoints
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A long talk of two users, in the middle of which the homeserver is killed and started again.
struct Conversation {
    /// What there was at the end.
    struct Outcome {
        var history: [Event]
        var received: [Event]
        var file: (sent: Data, received: Data)
        /// How many seconds the homeserver didn't respond.
        var outage: Double
        /// How many seconds it took to leave a long poll, and whether that ended as it should.
        var leaving: Double
        var wasCancelled: Bool
    }

    static let writers = 5
    static let messages = 30
    /// Two users, with five windows each, in which they write thirty messages.
    static let total = 2 * writers * messages

    let homeserver: Homeserver
    let starter: EndpointClient<Starter>
    let record: Record

    func run() async throws -> Outcome {
        async let first = User.register("ann", on: homeserver, knowsExpiry: true, record)
        async let second = User.register("bob", on: homeserver, knowsExpiry: false, record)
        let (ann, bob) = try await (first, second)
        let room = try await ann.api(CreateRoom(body: .init(name: "Tea", invite: [bob.id]))).roomId
        try await bob.api(JoinRoom(room: room))
        let beginning = try await bob.api(Sync(since: nil, milliseconds: 0)).nextBatch
        async let inbox = bob.receive(Self.total, in: room, since: beginning, record)

        let data = Data.random(count: 20_000_000)
        async let upload = ann.api(Upload(name: "film.bin", body: data))
        try await write(1...Self.messages / 2, by: [ann, bob], in: room)
        let address = try await upload.contentUri

        async let restart = starter(Restart())
        async let download = bob.api(Download(address: address))
        try await write(Self.messages / 2 + 1...Self.messages, by: [ann, bob], in: room)
        let outage = try await restart.seconds

        let (received, since) = try await inbox
        let (leaving, wasCancelled) = try await leave(bob, since: since)
        return Outcome(
            history: try await ann.history(of: room), received: received,
            file: (data, try await download), outage: outage, leaving: leaving,
            wasCancelled: wasCancelled)
    }

    /// Each user writes in several windows at the same time.
    private func write(_ numbers: ClosedRange<Int>, by users: [User], in room: String) async throws
    {
        try await withThrowingTaskGroup { group in
            for user in users {
                for window in 1...Self.writers {
                    let texts = numbers.map { "\(user.name)-\(window)-\($0)" }
                    group.addTask { try await user.write(texts, in: room, record) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Waits for something new where there is nothing, and cancels that after a second.
    private func leave(_ user: User, since: String) async throws -> (Double, Bool) {
        let poll = Task { try await user.api(Sync(since: since, milliseconds: 30_000)) }
        try await Task.sleep(for: .seconds(1))
        let start = ContinuousClock.now
        poll.cancel()
        let result = await poll.result
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        guard case .failure(Sync.TaskError.cancelled) = result else { return (seconds, false) }
        return (seconds, true)
    }
}

extension Data {
    fileprivate static func random(count: Int) -> Data {
        let words = (0..<count / 8).map { _ in UInt64.random(in: 0 ... .max) }
        return words.withUnsafeBytes { Data($0) }
    }
}
