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
    var trace: LoadTrace.Text?

    /// Makes an error from what a transport threw.
    public init(cause: any Error) {
        self.cause = cause
    }
}

extension TransportError: ReasonedError, CustomStringConvertible, LocalizedError {
    var reason: String { cause.safeReason }

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

/// The error of a stream. It is never an `.errorResponse`: a stream begins after a success. If a
/// later request for the same stream gets an error status, the error is an `.unexpectedResponse`.
/// For a stream that is saved as a file, a 500, 502, 503 or 504 is a `.urlLoadError` instead, as
/// trying again may help.
public typealias StreamError = EndpointTaskError<Never>

/// An error that says whether the same request may succeed later.
///
/// After a transient error, an event stream connects again, and a download goes on. Conform the
/// errors of a ``Transport`` of yours. Its other errors count as transient.
///
///     struct NotAllowed: TransientError { var isTransient: Bool { false } }
public protocol TransientError: Error {
    /// Whether the same request may succeed later.
    var isTransient: Bool { get }
}

extension EndpointTaskError: TransientError {
    /// Whether the same request may succeed later: the device was offline, the transport threw an
    /// error of its own, or the error is a ``URLError`` that is transient. An error of the
    /// transport that is a ``TransientError`` says itself whether it is transient.
    public var isTransient: Bool {
        switch self {
        case .internetConnectionOffline: true
        case .transportError(let error):
            (error.cause as? any TransientError)?.isTransient ?? true
        case .urlLoadError(let error): error.isTransient
        default: false
        }
    }
}

extension TransportError: CustomNSError {
    /// `Endpoints.TransportError`.
    public static var errorDomain: String { "Endpoints.TransportError" }

    /// The texts of an `NSError` made from this error.
    public var errorUserInfo: [String: Any] { localizedTexts }
}
