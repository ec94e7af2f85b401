import Endpoints
import EndpointsShared
import Foundation

/// The keys of an account at AWS, or at a server that signs as AWS does.
///
///     AWSCredentials(accessKeyID: "AKIA…", secretAccessKey: secretKey)
///     AWSCredentials(
///         accessKeyID: "ASIA…", secretAccessKey: secretKey, sessionToken: sessionToken,
///         expires: Date() + 3600)
///
/// The descriptions show only the access key's id, which isn't secret.
public struct AWSCredentials: Sendable, Hashable {
    /// The id of the access key, which is sent.
    public var accessKeyID: String
    /// The key that signs, which is never sent.
    public var secretAccessKey: String
    /// The token of a session, which is sent; `nil` for a key that isn't of a session.
    public var sessionToken: String?
    /// When the keys expire; `nil` if they don't.
    public var expires: Date?

    /// Makes credentials of keys that were issued.
    public init(
        accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil,
        expires: Date? = nil
    ) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.expires = expires
    }
}

extension AWSCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The access key's id, without a secret: `AWSCredentials(AKIDEXAMPLE)`.
    public var description: String { "AWSCredentials(\(accessKeyID))" }
    /// The same text as `description`.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` doesn't print the secrets.
    public var customMirror: Mirror { .hidden(self) }
}

/// Where an ``AWSSigner`` gets its keys, such as from a role of the machine that it runs on.
/// ``AWSCredentials`` are a source of themselves, and an ``AWSSigner`` also takes a function:
///
///     AWSSigner(service: "s3", region: "eu-central-1") { try await assumeRole() }
public protocol AWSCredentialSource: Sendable {
    /// New credentials, with the time at which they expire. Without that time, they are used for as
    /// long as the signer exists.
    ///
    /// An ``AWSSigner`` asks once, and again when they have expired or will in five minutes; then
    /// at most every 30 seconds, unless they have expired. However many requests need new ones,
    /// only one call runs at a time. Keys that have expired already are used, as this machine's
    /// clock may be wrong.
    func credentials() async throws -> AWSCredentials
}

extension AWSCredentials: AWSCredentialSource {
    /// These credentials.
    public func credentials() -> AWSCredentials { self }
}

/// The credentials of a source, which are kept until they expire.
final class KeptCredentials: Sendable {
    private struct State {
        var kept: AWSCredentials?
        /// When the source was asked last.
        var asked = Date.distantPast
        var waiters: [Waiter<AWSCredentials>] = []
    }

    private let source: any AWSCredentialSource
    private let state = Locked(State())

    init(_ source: any AWSCredentialSource) {
        self.source = source
    }

    /// Credentials that are valid at a time. All requests that need new ones wait for one call.
    func credentials(at date: Date) async throws -> AWSCredentials {
        if let fixed = source as? AWSCredentials { return fixed }
        let waiter = Waiter<AWSCredentials>()
        let isFirst = state.withLock { state in
            // A source may keep its keys until they expire, and isn't asked at each request then.
            let wasAsked = (0..<30).contains(date.timeIntervalSince(state.asked))
            if let kept = state.kept, kept.isValid(for: wasAsked ? 0 : 300, at: date) {
                waiter.resume(with: .success(kept))
                return false
            }
            state.asked = date
            state.waiters.append(waiter)
            return state.waiters.count == 1
        }
        if isFirst { renew(at: date) }
        return try await waiter.value()
    }

    /// The last credentials. This machine's clock, which may be wrong, doesn't decide.
    func latest() async throws -> AWSCredentials {
        if let kept = state.withLock(\.kept) { return kept }
        return try await credentials(at: Date())
    }

    /// Calls the source in a task of its own, as the request that needs it first may be cancelled.
    private func renew(at date: Date) {
        Task { [self] in
            do {
                end(with: .success(try await source.credentials()), at: date)
            } catch {
                end(with: .failure(error), at: date)
            }
        }
    }

    private func end(with result: Result<AWSCredentials, any Error>, at date: Date) {
        let (result, waiters) = state.withLock { state in
            var result = result
            if case .success(let new) = result {
                state.kept = new
            } else if let kept = state.kept, kept.isValid(for: 0, at: date) {
                // Keys that are valid for some minutes are better than an error.
                result = .success(kept)
            }
            let waiters = state.waiters
            state.waiters = []
            return (result, waiters)
        }
        for waiter in waiters { waiter.resume(with: result) }
    }
}

extension AWSCredentials {
    fileprivate func isValid(for seconds: TimeInterval, at date: Date) -> Bool {
        expires.map { date + seconds < $0 } ?? true
    }
}
