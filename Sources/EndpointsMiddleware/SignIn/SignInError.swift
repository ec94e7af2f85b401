import Endpoints
import Foundation

/// The error of a request whose credentials could not be read or refreshed, or were removed before
/// the request got new ones. (A request that begins after a sign-out is sent without credentials.)
///
///     do {
///         print(try await api(GetUser(id: 42)))
///     } catch .transportError(let error) where error.cause is SignInError {
///         print("Sign in, please.", error)
///     } catch {
///         print(error)
///     }
///
/// If a refresh fails, each request that needs the new credentials ends with this error.
public struct SignInError: Error, Sendable {
    /// What the ``CredentialSource`` threw; `nil` if it has no credentials any more.
    ///
    /// The same request may succeed later if, for example, the cause is an
    /// ``EndpointTaskError/urlLoadError(_:)`` because the server could not be reached.
    public let cause: (any Error)?

    /// Makes an error. Without a cause, the error means that there are no credentials.
    public init(cause: (any Error)? = nil) {
        self.cause = cause
    }
}

extension SignInError: CustomStringConvertible, LocalizedError {
    /// One sentence. Of what was sent or received, it shows only a status and the text of a
    /// `LocalizedError`. That error is the ``cause``, or the error response that the cause holds,
    /// such as a ``ProblemDetails``.
    public var description: String {
        guard let cause else { return "there are no credentials; sign in" }
        return "the credentials could not be read or refreshed: \(cause.safeReason)"
    }
    /// The same text as `description`.
    public var errorDescription: String? { description }
    /// What a person can do.
    public var recoverySuggestion: String? {
        cause == nil ? "Sign in, and try again." : "Try again later, or sign in again."
    }
}

extension SignInError: CustomNSError {
    /// `Endpoints.SignInError`.
    public static var errorDomain: String { "Endpoints.SignInError" }
    /// 1 if there is no ``cause``, or else 2.
    public var errorCode: Int { cause == nil ? 1 : 2 }

    /// The texts of an `NSError` made from this error. On Linux, it gets its texts only from here.
    public var errorUserInfo: [String: Any] { localizedTexts }
}

extension SignInError: TransientError {
    /// Whether the same request may succeed later: the ``cause`` is transient.
    package var isTransient: Bool { (cause as? any TransientError)?.isTransient ?? false }
}
