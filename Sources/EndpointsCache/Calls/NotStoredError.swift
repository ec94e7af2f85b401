import Endpoints
import Foundation

/// The error of a call with ``CachePolicy/storedOnly`` for which nothing is stored that may be
/// used.
///
///     do {
///         print(try await api.response(to: GetUser(id: 42), cachePolicy: .storedOnly))
///     } catch .transportError(let error) where error.cause is NotStoredError {
///         print("not stored")
///     }
public struct NotStoredError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// One sentence.
    public var description: String {
        "the cache has no response that may be used, and the policy `.storedOnly` forbids to load one"
    }
    /// The same text as `description`.
    public var errorDescription: String? { description }
}

extension NotStoredError: TransientError {
    /// `false`: trying again doesn't help.
    package var isTransient: Bool { false }
}
