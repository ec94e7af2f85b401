import Endpoints
import Foundation

/// A middleware.
enum Layer: String, CaseIterable {
    case retrying, limited, paced, authorized, logged, coalesced, cached
}

/// How a response is read.
enum Kind: String, CaseIterable {
    case whole, bytes, lines, values, events, file, pages

    /// Whether the response is read while it arrives.
    var isStream: Bool { self != .whole && self != .pages }
}

/// How a server, or the caller, ends a load.
enum Ending: String, CaseIterable {
    case success
    case typedError
    case undecodable
    /// A 401 to the first request, or to an old token.
    case refusedOnce
    case refusedAlways
    /// A 503 to the first request.
    case unavailableOnce
    case unavailableAlways
    /// The connection of the first request is lost before its response.
    case lostBefore
    /// The connection of the first request is lost within its response's body.
    case lostWithin
    /// The same, by a server that sends the rest of a file.
    case continued
    case movedWithin
    case movedAway
    /// No response arrives, and the request has a time limit.
    case silent
    /// A 503 to the first request, no response to the next one, and the request has a time limit.
    case busyThenSilent
    /// A body stops arriving, and the request has a time limit.
    case stalled
    case cancelledBefore
    case cancelledWaiting
    case cancelledWithin
    /// The loop is left after its first element.
    case left
    case neverRead

    /// The seconds that a load may take; `nil` without a limit.
    var timeLimit: TimeInterval? {
        [.silent, .busyThenSilent, .stalled].contains(self) ? 5 : nil
    }

    var isCancelled: Bool {
        [.cancelledBefore, .cancelledWaiting, .cancelledWithin].contains(self)
    }
}

/// One case: what is sent, through which middleware, how the response is read, and how it ends.
struct Cell: CustomStringConvertible, Sendable {
    /// The middleware, from the one next to the server to the one next to the caller.
    let stack: [Layer]
    let content: any Content.Type
    let kind: Kind
    let ending: Ending
    /// Whether the transport returns also a whole response in chunks.
    let isInChunks: Bool

    var description: String {
        let stack = stack.isEmpty ? "no middleware" : stack.map(\.rawValue).joined(separator: ".")
        return "\(stack), \(content), \(kind)\(isInChunks ? " in chunks" : ""), \(ending)"
    }

    static let contents: [any Content.Type] = [
        NoContent.self, DataContent.self, FormContent.self, FileContent.self, PartsContent.self,
    ]

    /// No middleware, each one, each ordered pair of two, and all in two orders.
    static let stacks: [[Layer]] = {
        let pairs = Layer.allCases.flatMap { first in
            Layer.allCases.filter { $0 != first }.map { [first, $0] }
        }
        let all: [Layer] = [
            .logged, .limited, .paced, .authorized, .cached, .coalesced, .retrying,
        ]
        return [[]] + Layer.allCases.map { [$0] } + pairs + [all, all.reversed()]
    }()

    static let all: [Cell] = stacks.flatMap { stack in
        contents.flatMap { content in
            Kind.allCases.flatMap { kind in
                Ending.allCases.filter { $0.isPossible(for: kind) }.flatMap { ending in
                    (kind.isStream ? [true] : [false, true]).map {
                        Cell(
                            stack: stack, content: content, kind: kind, ending: ending,
                            isInChunks: $0)
                    }
                }
            }
        }
    }
}

extension Ending {
    fileprivate func isPossible(for kind: Kind) -> Bool {
        switch self {
        case .undecodable: ![.bytes, .lines, .file].contains(kind)
        case .continued: kind == .file
        // A stream that connects again counts its time by the system's clock.
        case .stalled: ![.events, .file].contains(kind)
        case .left: kind != .whole
        case .neverRead: kind.isStream && kind != .file
        default: true
        }
    }
}
