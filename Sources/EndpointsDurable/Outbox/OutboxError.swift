import Endpoints
import Foundation

/// Why an ``Outbox`` can't be opened, or can't take a request.
public enum OutboxError: Error, Sendable {
    /// The request's type isn't among those that the outbox was made with. It has the type's name.
    case undeclaredType(String)
    /// Two types have the same name, so that one would be read as the other.
    case sameName(String)
    /// A setting can't be meant.
    case wrongSetting(String)
    /// The folder can't be used.
    case folder(String)
    /// The file with the entries can't be read or written, or an ``OutboxFile`` can't be copied.
    /// The entries are as before.
    case fileError(FileError)
    /// No `URLRequest` can be made of the request.
    case endpointError(EndpointError)
    /// The request can't be written as JSON, or its JSON would be read as another request, or has
    /// more than 60 MB.
    case encoding(any Error)
    /// It isn't known to which account the request belongs: the account has no name, or
    /// the source of the credentials has failed. Also if the account has signed out meanwhile.
    case account(any Error)
}

extension OutboxError: CustomStringConvertible, LocalizedError {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .undeclaredType(let type):
            "the outbox isn't made for \(type); add `.type(\(type).self)` to its `requests`"
        case .sameName(let name):
            """
            two types of the outbox have the name \(name); give one of them another, as in \
            `.type(\(name).self, named: "…")`
            """
        case .wrongSetting(let reason): reason
        case .folder(let reason): "the outbox's folder can't be used: \(reason)"
        case .fileError(let error):
            "a file of the outbox or of the request can't be used: \(error.description)"
        case .endpointError(let error): error.description
        case .encoding(let error): "the request can't be written as JSON: \(error.safeReason)"
        case .account(let error): "the request isn't kept: \(error.safeReason)"
        }
    }

    /// The same text as `description`.
    public var errorDescription: String? { description }
}

extension OutboxError: CustomReflectable {
    /// No children, because `dump(_:)` would print causes.
    public var customMirror: Mirror { .hidden(self) }
}

extension OutboxError: CustomNSError {
    /// `Endpoints.OutboxError`.
    public static var errorDomain: String { "Endpoints.OutboxError" }

    /// A number for the case, from 1 on.
    public var errorCode: Int {
        switch self {
        case .undeclaredType: 1
        case .sameName: 2
        case .wrongSetting: 3
        case .folder: 4
        case .fileError: 5
        case .endpointError: 6
        case .encoding: 7
        case .account: 8
        }
    }

    /// The texts of an `NSError` made from this error.
    public var errorUserInfo: [String: Any] { localizedTexts }
}
