import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tells when a token isn't refreshed although a server has refused it: the token has replaced
/// another refused one, so the server may refuse whatever it gets.
///
/// Such a token is refreshed when it is 30 seconds old; the next one in a row when it is a minute
/// old, and so on up to 10 minutes.
struct RefusedTokens {
    /// The number of the token that was refused last.
    private var refused: Int?
    /// The number of the token that has replaced a refused one, until a request that was sent again
    /// with it is accepted.
    private var unproven: Int?
    private var ages = Self.ages
    /// How old the unproven token must be; `nil` until it is refused.
    private var age: TimeInterval?

    private static var ages: Backoff { Backoff(delay: 30, limit: .max, longest: 600) }

    /// Records that a token was refused.
    mutating func add(_ generation: Int) {
        refused = generation
        if unproven == generation { age = age ?? ages.next() }
    }

    /// Records that a request that was sent again with a token wasn't refused.
    mutating func remove(_ generation: Int) {
        if unproven == generation { self = RefusedTokens() }
    }

    /// Records that a refresh has replaced a token by the next one.
    mutating func replace(_ old: Int?, by new: Int) {
        if refused == old { (unproven, age) = (new, nil) } else { self = RefusedTokens() }
    }

    /// How many seconds old a token must be before it is refreshed after a 401.
    func leastAge(of generation: Int) -> TimeInterval { unproven == generation ? age ?? 0 : 0 }
}

/// When the next refresh is tried after some in a row have failed because the server of the tokens
/// is down: after 1 second, 2, 4, and so on up to a minute, or when its `Retry-After` says, which
/// counts for at most an hour.
struct RefreshOutage {
    private var delays = Backoff(delay: 1, limit: .max)

    /// The error for all requests that need a new token until the next refresh is tried.
    mutating func error(_ error: SignInError, _ now: Date) -> SignInError {
        guard let seconds = error.cause?.secondsOfOutage(now) else { return error }
        var error = error
        let delay = max(delays.next() ?? 0, seconds)
        error.nextRefresh = now + min(delay, 3600)
        return error
    }
}

extension SignInError {
    /// Whether another refresh would come too early.
    func isHeld(_ now: Date) -> Bool {
        guard let nextRefresh else { return false }
        // After that time, this device's clock was set back.
        return now < nextRefresh && nextRefresh.timeIntervalSince(now) <= 3600
    }
}

/// An error of a load, whatever its type of error responses.
private protocol LoadError: Error {
    var httpResponse: HTTPURLResponse? { get }
    var urlError: URLError? { get }
}

extension EndpointTaskError: LoadError {
    fileprivate var urlError: URLError? {
        switch self {
        case .urlLoadError(let error): error
        case .transportError(let error): error.asURLError
        default: nil
        }
    }
}

extension Error {
    /// The seconds that a server which is down asks for, 0 if it doesn't; `nil` if it isn't down.
    /// A device that is offline may have a network again at any time.
    fileprivate func secondsOfOutage(_ now: Date) -> TimeInterval? {
        let load = self as? any LoadError
        if let response = load?.httpResponse {
            if let date = response.retryAfter(now: now) { return date.timeIntervalSince(now) }
            return response.statusCode >= 500 || response.statusCode == 429 ? 0 : nil
        }
        if let code = (load?.urlError ?? asURLError)?.code {
            let codes: [URLError.Code] = [
                .timedOut, .networkConnectionLost, .cannotConnectToHost,
            ]
            return codes.contains(code) ? 0 : nil
        }
        guard load == nil else { return nil }
        return (self as? any TransientError)?.isTransient == true ? 0 : nil
    }
}
