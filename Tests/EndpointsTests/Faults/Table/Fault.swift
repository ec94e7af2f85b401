/// One way in which the fault server misbehaves, and how a load of it ends.
struct Fault: Sendable {
    /// The response type of a request.
    enum Promise: Sendable {
        /// A `Thing`, read as JSON.
        case json
        /// The text of the body.
        case text
    }

    /// Its path at the fault server.
    let name: String
    /// How every load of it ends.
    let outcome: Outcome
    /// The amounts and times that the query sets.
    let settings: [String: Int]
    /// The type of the response.
    let promise: Promise
    /// How many seconds the server may be silent.
    let patience: Double
    /// Whether the whole load has a limit of a second, for a server that never stops sending.
    let isHurried: Bool
    /// How many requests are sent, one after the other; each has this outcome.
    let requests: Int
    /// How the last request ends if it is a POST, and otherwise than that of a GET.
    let lastPost: Outcome?
    /// How a stream or a download ends, if otherwise than a whole load.
    let streamed: Outcome?
    /// Why the outcome depends on the platform and not on the library.
    let platform: String?

    init(
        _ name: String, _ outcome: Outcome, settings: [String: Int] = [:],
        promise: Promise = .json, patience: Double = 60, isHurried: Bool = false,
        requests: Int = 1, lastPost: Outcome? = nil, streamed: Outcome? = nil,
        platform: String? = nil
    ) {
        self.name = name
        self.outcome = outcome
        self.settings = settings
        self.promise = promise
        self.patience = patience
        self.isHurried = isHurried
        self.requests = requests
        self.lastPost = lastPost
        self.streamed = streamed
        self.platform = platform
    }
}

extension Fault {
    /// Every fault.
    static let table =
        connections + timing + heads + statuses + framing + contents + codings + errors + redirects

    /// The faults that don't stop the process.
    static let survivable = table.filter { $0.outcome != .stop }
}

extension Fault: CustomStringConvertible {
    var description: String { name }
}
