import Endpoints

/// A call of a ``CredentialSource``, which marks the requests that the source sends meanwhile.
final class SourceCall: Sendable {
    /// The calls in which the current task has begun.
    @TaskLocal static var current: [SourceCall] = []

    let source: ObjectIdentifier
    private let running = Locked(true)

    private init(_ source: ObjectIdentifier) { self.source = source }

    /// Whether the call goes on. A task that the source has started keeps its mark, but the mark
    /// has no meaning after the call.
    var isRunning: Bool { running.withLock { $0 } }

    static func run<Value: Sendable>(
        _ source: ObjectIdentifier, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let call = SourceCall(source)
        defer { call.running.withLock { $0 = false } }
        return try await $current.withValue(current + [call]) { try await body() }
    }
}
