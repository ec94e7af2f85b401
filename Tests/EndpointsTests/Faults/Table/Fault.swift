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
    /// What the server is told about amounts and times.
    var settings: [String: Int] = [:]
    /// What the answer is read as.
    var promise = Promise.json
    /// How long the server may be silent, in seconds.
    var patience = 60.0
    /// Whether the whole load has a limit of a second, as the server may never be silent.
    var isHurried = false
    /// How many requests are sent, one after the other; each has the outcome.
    var requests = 1
    /// The text of the response or of the error.
    let outcome: String
    /// Why the outcome is not what the RFCs ask for, where it is the platform that decides.
    var platform: String?
}

extension Fault {
    /// Every fault.
    static let table =
        connections + timing + heads + statuses + framing + contents + codings + errors + redirects

    /// Those that a process can live through.
    static let survivable = table.filter { $0.outcome != stop }

    /// The outcome of a fault that makes `URLSession` itself stop the process, whoever calls it.
    static let stop = "URLSession stops the process"
}

extension Fault: CustomStringConvertible {
    var description: String { name }
}
