import Endpoints
import EndpointsMiddleware
import EndpointsShared
import Foundation

/// A request that an ``Outbox`` can keep on the disk and send later.
///
///     struct SetTitle: FlatRequest, OutboxRequest {
///         struct Body: Codable { let title: String }
///         let id: UUID
///         let body: Body
///         var outboxKey: String? { id.uuidString }   // what is sent about a note keeps its order
///         static let endpoint = Endpoint<Self>(method: .put, path: "notes/\(path: \.id)/title")
///         typealias Response = Void
///     }
///
/// The request is written as JSON, with its own `Codable`, in a file that only the user may read.
/// So don't let it have a token or a password: a transport such as
/// `authorized(by:)` adds these when the request is sent.
public protocol OutboxRequest: RequestType, Codable, Sendable {
    /// Requests with the same key are sent in the order in which they were added: each one after
    /// the one before it has succeeded. A request whose key is `nil` waits for no other: write
    /// `var outboxKey: String? { nil }` if the order doesn't matter.
    ///
    /// Requests of different types share the order if their keys are equal. Those of different
    /// accounts don't.
    var outboxKey: String? { get }
}

/// A type whose requests an ``Outbox`` sends, and what is done with their responses.
///
///     let types: [OutboxType<ServerEnvironment>] = [
///         .type(EditNote.self, named: "ChangeNote"),
///         .type(CreateNote.self) { note, request, entry in print(note.id, entry.added) },
///     ]
public struct OutboxType<Environment: EnvironmentType>: Sendable {
    let name: String
    let type: any OutboxRequest.Type
    let deliver: @Sendable (Data, Delivery<Environment>) async -> Outcome

    /// A type whose requests are sent.
    ///
    /// - Parameters:
    ///   - type: The type, whose `Environment` is that of the outbox's client.
    ///   - name: The name by which an entry on the disk finds its type again; by default the
    ///     type's name. If a version of the program gives the type another name, write the old one
    ///     here. A type may stand in the list with several names: a new entry gets the first one.
    ///   - respond: Called with the response to each request, before its entry ends. If the process
    ///     ends meanwhile, the request is sent again with its `Idempotency-Key`, and this is called
    ///     again. Without it, a response that can't be read counts as a success.
    ///   - refused: Called with the error of each refusal, such as one that has the server's error
    ///     response, before the refusal is noted. The entry's state says whether it is set aside.
    ///     If the process ends meanwhile, the request is sent again, and this is called again.
    public static func type<Request: OutboxRequest>(
        _ type: Request.Type, named name: String? = nil,
        respond: (@Sendable (Request.Response, Request, OutboxEntry) async -> Void)? = nil,
        refused: (@Sendable (Request.TaskError, Request, OutboxEntry) async -> Void)? = nil
    ) -> Self where Request.Environment == Environment {
        OutboxType(name: name ?? "\(Request.self)", type: type) { data, delivery in
            let request: Request
            do { request = try delivery.deliveries.decoder.decode(Request.self, from: data) } catch
            {
                return .unreadable(
                    """
                    it can't be read as a \(Request.self): \(error.safeReason); give the outbox a \
                    migration, or cancel the entry
                    """)
            }
            return await delivery.deliver(request, respond, refused)
        }
    }

    private init(
        name: String, type: any OutboxRequest.Type,
        deliver: @escaping @Sendable (Data, Delivery<Environment>) async -> Outcome
    ) {
        self.name = name
        self.type = type
        self.deliver = deliver
    }
}

extension OutboxType: CustomReflectable {
    /// No children, because `dump(_:)` would print what the closure keeps.
    public var customMirror: Mirror { .hidden(self) }
}

/// How an ``Outbox`` sends what it keeps.
///
///     OutboxPolicy(setAsideAfter: 1, whenSetAside: .goOn)
///
/// A wait is random, from 0 to a limit, which doubles with each attempt from ``firstDelay`` to
/// ``longestDelay``. If a server asks for a longer one with `Retry-After`, that is waited, up to a
/// day.
public struct OutboxPolicy: Sendable, Hashable {
    /// What becomes of later entries with the key of one that was set aside.
    public enum SetAside: Sendable, Hashable {
        /// They wait until it is retried or cancelled, so that nothing is sent out of order.
        case holdKey
        /// They are sent.
        case goOn
    }

    /// What becomes of an account's entries when it signs out.
    public enum SignOut: Sendable, Hashable {
        /// They wait until the account signs in again.
        case keep
        /// They are removed. The client needs an `authorized(by:)`, as a `signed(by:)` has no
        /// sign-out; otherwise the outbox isn't made, and throws an ``OutboxError``.
        case drop
    }

    /// After how many refusals an entry is set aside.
    ///
    /// These are refusals: a status such as 400, 404, 422, 501 or 505; a request that can't be made
    /// any more; and a response that can't be decoded, if the type has a function for responses. A
    /// 500, or a status above 505, is one only if other requests have succeeded since this one
    /// failed before. A lost connection isn't one. Neither is a 401, 408, 425, 429, 502, 503 or
    /// 504, nor any error status with a `Retry-After`.
    public var setAsideAfter: Int
    /// What becomes of later entries with the key of one that was set aside.
    public var whenSetAside: SetAside
    /// What becomes of an account's entries when it signs out.
    public var whenSignedOut: SignOut
    /// The most requests that are sent at the same time; one while the server can't be reached.
    public var requestsAtOnce: Int
    /// The most seconds before the second attempt.
    public var firstDelay: TimeInterval
    /// The most seconds before any attempt.
    public var longestDelay: TimeInterval
    /// How often an outbox looks for what other processes have added, in seconds.
    public var interval: TimeInterval

    /// Makes a policy.
    public init(
        setAsideAfter: Int = 3, whenSetAside: SetAside = .holdKey, whenSignedOut: SignOut = .keep,
        requestsAtOnce: Int = 4, firstDelay: TimeInterval = 1, longestDelay: TimeInterval = 60,
        interval: TimeInterval = 1
    ) {
        self.setAsideAfter = setAsideAfter
        self.whenSetAside = whenSetAside
        self.whenSignedOut = whenSignedOut
        self.requestsAtOnce = requestsAtOnce
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.interval = interval
    }

    /// What can't be meant; `nil` if nothing is.
    var fault: String? {
        let numbers: [(String, Double, least: Double)] = [
            ("setAsideAfter", Double(setAsideAfter), 1),
            ("requestsAtOnce", Double(requestsAtOnce), 1),
            ("firstDelay", firstDelay, 0.01), ("longestDelay", longestDelay, 0.01),
            ("interval", interval, 0.01),
        ]
        return numbers.first { !($0.1 >= $0.least) }.map { name, _, least in
            "the policy's `\(name)` can't be meant; write \(least) or more"
        }
    }
}
