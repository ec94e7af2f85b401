/// One way in which the fault server misbehaves, and what a load of it comes to.
struct Fault: Sendable {
    /// What a request promises to become.
    enum Promise: Sendable {
        /// An `Answer`, read as JSON.
        case json
        /// The text of the body.
        case text
    }

    /// Its path at the fault server, which says there what it does.
    let name: String
    /// What every load of it comes to.
    let outcome: Outcome
    /// What the server is told about amounts and times.
    let settings: [String: Int]
    /// What the answer is read as.
    let promise: Promise
    /// How long the server may be silent, in seconds.
    let patience: Double
    /// Whether the whole load has a limit of a second, as the server may never be silent.
    let isHurried: Bool
    /// How many requests are sent, one after the other; each has the outcome.
    let requests: Int
    /// Why the platform, and not the library, decides on the outcome.
    let platform: String?

    init(
        _ name: String, _ outcome: Outcome, settings: [String: Int] = [:],
        promise: Promise = .json, patience: Double = 60, isHurried: Bool = false,
        requests: Int = 1, platform: String? = nil
    ) {
        self.name = name
        self.outcome = outcome
        self.settings = settings
        self.promise = promise
        self.patience = patience
        self.isHurried = isHurried
        self.requests = requests
        self.platform = platform
    }
}

extension Fault {
    /// Every fault.
    static let table =
        connections + timing + heads + statuses + framing + contents + codings + errors + redirects

    /// Those that a process can live through.
    static let survivable = table.filter { $0.outcome != .stop }
}

extension Fault: CustomStringConvertible {
    var description: String { name }
}
