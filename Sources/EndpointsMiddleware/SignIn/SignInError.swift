import Endpoints
import Foundation

/// The error of a request whose credentials could not be read or refreshed, or were removed or
/// replaced by those of another account before the request got new ones. (A request that begins
/// after a sign-out is sent without credentials.)
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
    /// Whether another account has signed in since the request began. The request wasn't sent with
    /// the credentials of that account.
    public let accountHasChanged: Bool
    /// When a refresh is tried again; `nil` if the next request tries it.
    ///
    /// After a refresh that has failed with a status of 500 or more or a 429, a lost connection or
    /// another passing error, that is 1 second later, 2 seconds after the next one, and so on up to
    /// a minute, or the `Retry-After` of the response, of which at most an hour counts. Until then,
    /// each request that needs new credentials ends with this error at once. A device that is
    /// offline doesn't wait.
    public internal(set) var nextRefresh: Date?

    /// Makes an error. Without a cause, the error means that there are no credentials, or that
    /// those which there are belong to another account.
    public init(cause: (any Error)? = nil, accountHasChanged: Bool = false) {
        self.cause = cause
        self.accountHasChanged = accountHasChanged
    }
}

extension SignInError: CustomStringConvertible, LocalizedError {
    /// One sentence. Of what was sent or received, it shows only a status and the text of a
    /// `LocalizedError`. That error is the ``cause``, or the error response that the cause holds,
    /// such as a ``ProblemDetails``.
    public var description: String {
        guard !accountHasChanged else {
            return
                "the account has changed since the request began; send it again for the new account"
        }
        guard let cause else { return "there are no credentials; sign in" }
        let reason = "the credentials could not be read or refreshed: \(cause.safeReason)"
        guard let nextRefresh else { return reason }
        return "\(reason); the next refresh is tried after \(nextRefresh.formatted(.iso8601))"
    }
    /// The same text as `description`.
    public var errorDescription: String? { description }
    /// What a person can do.
    public var recoverySuggestion: String? {
        guard !accountHasChanged else { return "Try again." }
        return cause == nil ? "Sign in, and try again." : "Try again later, or sign in again."
    }
}

extension SignInError: CustomDebugStringConvertible {
    /// The ``description`` and, if the ``cause`` is the error of a load, the method, the URL, the
    /// status, the time and the beginning of the body of that load, as in
    /// ``EndpointTaskError/debugDescription``.
    ///
    /// ```text
    /// the credentials could not be read or refreshed: Refresh: the server responded with an error,
    /// status 400; POST https://api.example.com/token -> 400, 0.081 s; the body begins with "{}"
    /// ```
    public var debugDescription: String {
        loadTrace.text.map { "\(description); \($0)" } ?? description
    }
}

extension SignInError: TracingError {
    package var loadTrace: (text: String?, requestTypes: [String]) {
        (cause as? any TracingError)?.loadTrace ?? (nil, [])
    }
}

extension SignInError: CustomNSError {
    /// `Endpoints.SignInError`.
    public static var errorDomain: String { "Endpoints.SignInError" }
    /// 3 if ``accountHasChanged``; 1 if there is no ``cause``, or else 2.
    public var errorCode: Int { accountHasChanged ? 3 : cause == nil ? 1 : 2 }

    /// The texts of an `NSError` made from this error. On Linux, it gets its texts only from here.
    public var errorUserInfo: [String: Any] { localizedTexts }
}

extension SignInError: TransientError {
    /// Whether the same request may succeed later: the ``cause`` is transient.
    public var isTransient: Bool {
        (cause as? any TransientError ?? cause?.asURLError)?.isTransient ?? false
    }
}

extension SignInError: CustomReflectable {
    /// No children, because `dump(_:)` would print the cause.
    public var customMirror: Mirror { .hidden(self) }
}
