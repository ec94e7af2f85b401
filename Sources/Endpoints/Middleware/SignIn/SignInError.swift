import Foundation

/// The error if there are no credentials, or if they could not be read or refreshed.
///
///     do {
///         print(try await api(GetUser(id: 42)))
///     } catch .transportError(let error as SignInError) {
///         print("Sign in, please.", error)
///     } catch {
///         print(error)
///     }
///
/// Each request that waited for new credentials ends with this error.
public struct SignInError: Error, Sendable {
    /// What the ``CredentialSource`` threw; `nil` if it has no credentials any more.
    ///
    /// If it is an ``EndpointTaskError/urlLoadError(_:)``, for example, the server could not be
    /// reached, and the same request may succeed later.
    public let cause: (any Error)?

    /// Makes an error; without a cause it means that there are no credentials.
    public init(cause: (any Error)? = nil) {
        self.cause = cause
    }
}

extension SignInError: CustomStringConvertible, LocalizedError {
    /// One sentence, without anything that was sent or received.
    public var description: String {
        guard let cause else { return "there are no credentials; sign in" }
        return "the credentials could not be read or refreshed: \(cause.safeReason)"
    }
    /// The `description`.
    public var errorDescription: String? { description }
    /// What a person can do.
    public var recoverySuggestion: String? {
        cause == nil ? "Sign in, and try again." : "Try again later, or sign in again."
    }
}

extension SignInError: CustomNSError {
    /// `Endpoints.SignInError`.
    public static var errorDomain: String { "Endpoints.SignInError" }
    /// 1 without a cause, 2 with one.
    public var errorCode: Int { cause == nil ? 1 : 2 }

    /// The texts of the error. On Linux, an `NSError` has only what this property returns.
    public var errorUserInfo: [String: Any] { localizedTexts }
}
