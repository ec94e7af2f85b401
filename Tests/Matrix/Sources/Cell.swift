import Endpoints
import Foundation

/// A middleware.
enum Layer: String, CaseIterable {
    case retrying, limited, paced, authorized, logged, coalesced, cached
}

/// How a response is read.
enum Kind: String, CaseIterable {
    case whole, bytes, lines, values, events, file, download, pages

    /// Whether the response is read while it arrives.
    var isStream: Bool { self != .whole && self != .pages }
    /// Whether the response is written to a file.
    var isSaved: Bool { self == .file || self == .download }
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
    /// Another account signs in while the first request is answered with a 503, with its response,
    /// or with a part of it before the connection is lost.
    case accountThenBusy
    case accountThenSuccess
    case accountThenLost

    /// The seconds that a load may take; `nil` without a limit.
    var timeLimit: TimeInterval? {
        [.silent, .busyThenSilent, .stalled].contains(self) ? 5 : nil
    }

    var isCancelled: Bool {
        [.cancelledBefore, .cancelledWaiting, .cancelledWithin].contains(self)
    }

    var changesAccount: Bool {
        [.accountThenBusy, .accountThenSuccess, .accountThenLost].contains(self)
    }
}

/// Where a request is redirected to before the load ends as it does.
enum Detour: String, CaseIterable {
    case none
    /// Within the origin, by a 303 or a 307.
    case within303, within307
    /// To another origin, and back from there.
    case back303, back307

    var status: Int { [.within303, .back303].contains(self) ? 303 : 307 }
    /// Whether the request arrives without what only its own origin may get.
    var leavesOrigin: Bool { [.back303, .back307].contains(self) }
}

/// One case: what is sent, through which middleware, how the response is read, and how it ends.
struct Cell: CustomStringConvertible, Sendable {
    /// The middleware, from the one next to the server to the one next to the caller.
    let stack: [Layer]
    let content: any Content.Type
    let kind: Kind
    let ending: Ending
    let detour: Detour
    /// Whether the transport returns also a whole response in chunks.
    let isInChunks: Bool

    var description: String {
        let stack = stack.isEmpty ? "no middleware" : stack.map(\.rawValue).joined(separator: ".")
        let way = detour == .none ? "" : ", \(detour)"
        return "\(stack), \(content), \(kind)\(isInChunks ? " in chunks" : "")\(way), \(ending)"
    }

    /// How many loads there are at the same time. An account changes while there is one.
    var loadCount: Int { ending.changesAccount ? 1 : 3 }

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

    /// Each stack with each content, kind and ending.
    static let all: [Cell] = stacks.enumerated().flatMap { number, stack in
        contents.flatMap { content in
            Kind.allCases.flatMap { kind in
                Ending.allCases.enumerated().flatMap { order, ending in
                    cells(
                        stack, content, kind, ending,
                        status: (number + order).isMultiple(of: 2) ? 303 : 307)
                }
            }
        }
    }

    /// One case without a detour, or two if a whole response may be returned in chunks; and one
    /// with each detour that has this status, without a body and with one that is read again for
    /// each request.
    ///
    /// The status only decides what the transport sends next. It follows the redirect below each
    /// middleware, which gets the same request and a response of the same kind after a 303 as after
    /// a 307. So one of the two is tried with each stack and ending, and the other with the next.
    private static func cells(
        _ stack: [Layer], _ content: any Content.Type, _ kind: Kind, _ ending: Ending, status: Int
    ) -> [Cell] {
        var ways: [(detour: Detour, isInChunks: Bool)] = [(.none, true)]
        if !kind.isStream { ways.append((.none, false)) }
        if content == NoContent.self || content == FileContent.self {
            ways += Detour.allCases.filter { $0 != .none && $0.status == status }.map { ($0, true) }
        }
        return ways.filter { ending.isPossible(for: kind, $0.detour) }.map { way in
            Cell(
                stack: stack, content: content, kind: kind, ending: ending, detour: way.detour,
                isInChunks: way.isInChunks)
        }
    }
}

extension Ending {
    fileprivate func isPossible(for kind: Kind, _ detour: Detour) -> Bool {
        switch self {
        // These are redirects themselves.
        case .movedWithin, .movedAway: detour == .none
        case .undecodable: kind != .bytes && kind != .lines && !kind.isSaved
        case .continued: kind.isSaved
        case .left: kind != .whole
        case .neverRead: kind.isStream && !kind.isSaved
        default: true
        }
    }
}
