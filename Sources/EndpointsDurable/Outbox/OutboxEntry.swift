import Endpoints
import Foundation

/// A request in an ``Outbox`` that hasn't succeeded yet.
public struct OutboxEntry: Identifiable, Hashable, Sendable {
    /// What an entry does, or waits for.
    public enum State: Hashable, Sendable {
        /// It is sent when its turn comes, and the server can be reached.
        case waiting
        /// It is being sent.
        case sending
        /// It belongs to an account that isn't signed in, or whose credentials the server refuses.
        case waitingForAccount
        /// The server has refused it too often. It is sent again only after ``Outbox/retry(_:)``.
        case setAside(reason: String)
        /// It can't be sent, as its type has changed or is gone, or as its bytes are damaged.
        ///
        /// If its ``OutboxEntry/name`` is empty, it isn't a request. It stands for bytes of the
        /// outbox's file that are damaged, and requests may be lost with them.
        case unreadable(reason: String)
    }

    /// What tells the entry from others, also after a restart.
    public let id: UUID
    /// The name of the request's type, as ``OutboxType/type(_:named:respond:refused:)`` says; empty
    /// if the entry stands for damaged bytes.
    public let name: String
    /// The request's ``OutboxRequest/outboxKey``.
    public let key: String?
    /// When it was added or, if it stands for damaged bytes, when the damage was found.
    public let added: Date
    /// Whether it belongs to an account. `false` if nobody was signed in when it was added, or if
    /// the client has no sign-in that the outbox knows.
    public let hasAccount: Bool
    /// What it does, or waits for.
    public internal(set) var state: State
    /// How often it was refused, as ``OutboxPolicy/setAsideAfter`` says.
    public internal(set) var refusals: Int
    /// Why the last attempt failed; `nil` if none has failed in this process, and none was refused
    /// in an earlier one.
    public internal(set) var lastFailure: String?
    /// When it may be sent again; `nil` if it needn't wait.
    public internal(set) var nextAttempt: Date?
}

/// The entries of an ``Outbox`` each time that they change, beginning with those of now.
///
///     for await entries in outbox.entries {
///         print(entries.count, "not sent yet")
///     }
///
/// A reader that is slower than the changes gets only the newest entries. The loop ends when its
/// task is cancelled.
public struct OutboxEntries: AsyncSequence, Sendable {
    /// Iterates over the entries.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let outbox: Outbox
        var seen: UInt64?

        /// The entries, when they have changed; `nil` if the task is cancelled.
        public mutating func next() async -> [OutboxEntry]? {
            guard let version = try? await outbox.changes.next(after: seen) else { return nil }
            seen = version
            return outbox.currentEntries
        }
    }

    let outbox: Outbox

    /// Begins with the entries of now.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(outbox: outbox) }
}

/// A stored request that the program can't read any more, for a migration.
public struct OutboxStored: Sendable {
    /// The name of the type that has written it: see ``OutboxType/type(_:named:respond:refused:)``.
    public let name: String
    /// The request as JSON.
    public let json: Data
    let folder: URL

    /// The request as a type with the properties that it had.
    ///
    /// - Throws: A `DecodingError`.
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try OutboxCopies(in: folder).decoder.decode(type, from: json)
    }
}

extension OutboxStored: CustomStringConvertible, CustomReflectable {
    /// The name.
    public var description: String { name }
    /// No children, because `dump(_:)` would print the request.
    public var customMirror: Mirror { .hidden(self) }
}
