import Endpoints

extension Cell {
    /// Whether a token arrives with a request.
    var signs: Bool { stack.contains(.authorized) && !detour.leavesOrigin }
    /// Whether another attempt is one for the account with which the load began, and is refused if
    /// that isn't signed in any more. A middleware inside of the sign-in sends the old token again.
    private var checksAccountAgain: Bool {
        guard let signIn = stack.firstIndex(of: .authorized),
            let retries = stack.firstIndex(of: .retrying)
        else { return false }
        return signIn < retries
    }
    /// Whether a failed request is sent again.
    private var retries: Bool {
        stack.contains(.retrying) && content.method.isIdempotent
    }
    /// Whether a stream asks again when its connection is lost within the body.
    private var asksAgain: Bool {
        content.method == .get && (kind == .events || kind.isSaved)
    }

    static let wholeFile = ["a", "b", "c"].map { String(repeating: $0, count: 100) }.joined()

    private var value: String {
        switch kind {
        case .whole: "value a"
        case .bytes, .file, .download: "value " + Self.wholeFile
        default: "value a b c"
        }
    }

    /// What a load must give.
    var expected: String {
        switch ending {
        case .success, .movedWithin, .movedAway: value
        case .typedError: "error 422 bad"
        case .undecodable: "unreadable"
        // A request that has lost its token on a detour isn't one with the old token.
        case .refusedOnce: stack.contains(.authorized) ? value : "error 401 who"
        case .refusedAlways: "error 401 who"
        case .unavailableOnce: retries ? value : "error 503 busy"
        case .unavailableAlways: "error 503 busy"
        case .lostBefore: retries ? value : "lost"
        case .lostWithin: asksAgain || !kind.isStream && retries ? value : "lost"
        case .continued: asksAgain ? value : "lost"
        case .silent, .stalled: "timed out"
        case .busyThenSilent: retries ? "timed out" : "error 503 busy"
        case .cancelledBefore, .cancelledWaiting, .cancelledWithin: "cancelled"
        case .left: "left"
        case .neverRead: "not read"
        case .accountThenBusy:
            if !retries {
                "error 503 busy"
            } else if checksAccountAgain || kind == .pages && stack.contains(.authorized) {
                "other account"
            } else {
                value
            }
        case .accountThenSuccess:
            kind == .pages && stack.contains(.authorized) ? "other account" : value
        case .accountThenLost:
            if asksAgain {
                stack.contains(.authorized) ? "other account" : value
            } else if kind == .pages && stack.contains(.authorized) && retries {
                "other account"
            } else if !kind.isStream && retries {
                checksAccountAgain ? "other account" : value
            } else {
                "lost"
            }
        }
    }

    /// The most requests that the server may get of one load: with a method that isn't idempotent,
    /// none is sent twice but after a 401, which says that it was not carried out.
    var requestLimit: Int {
        let pages = kind == .pages ? 2 : 1
        let hops = [.movedWithin, .movedAway].contains(ending) ? 2 : 1
        let isRefused = [.refusedOnce, .refusedAlways].contains(ending)
        let again = (isRefused && signs ? 1 : 0) + (retries ? 2 : 0) + (asksAgain ? 1 : 0)
        return pages * hops + again
    }

    /// The most seconds that the loads of a case may take.
    var secondsLimit: Double {
        ending.timeLimit ?? (ending == .unavailableAlways ? 20 : 10)
    }
}
