import Foundation

/// Holds an error that a ``Transport`` threw, such as a ``SignInError``, or the
/// ``RepeatedPageError`` that ends a loop over pages.
///
///     do {
///         print(try await api(GetUser(id: 42)))
///     } catch .transportError(let error) where error.cause is SignInError {
///         print("Sign in, please.")
///     } catch {
///         print(error)
///     }
///
/// A `URLError`, an ``EndpointError``, a ``FileError`` and a `CancellationError` of a transport
/// aren't kept as a `TransportError`: ``EndpointTaskError`` has a case for each of them.
public struct TransportError: Error, Sendable {
    /// The error that the transport threw, or the ``RepeatedPageError``.
    public let cause: any Error
    /// The load's method, URL (with `…` for secrets), status and time, as far as they are known.
    var trace: String?

    /// Makes an error from what a transport threw.
    public init(cause: any Error) {
        self.cause = cause
    }
}

extension TransportError: ReasonedError, CustomStringConvertible, LocalizedError {
    package var reason: String { cause.safeReason }

    /// What the ``cause`` says, if it is a `LocalizedError` or of a type that the library knows; or
    /// else its type's name. Only a `LocalizedError`'s text may show what was sent or received.
    public var description: String { reason }
    /// The same text as `description`.
    public var errorDescription: String? { description }
    /// The `failureReason` of the ``cause``, if it has one; or else the same text as `description`.
    public var failureReason: String? { (cause as? any LocalizedError)?.failureReason ?? reason }
    /// What a person can do, if the ``cause`` is a `LocalizedError` that says it; otherwise `nil`.
    public var recoverySuggestion: String? { (cause as? any LocalizedError)?.recoverySuggestion }
}
