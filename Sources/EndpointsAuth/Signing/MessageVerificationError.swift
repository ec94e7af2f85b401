import Endpoints
import Foundation

/// Why a response isn't what the server has signed.
///
///     do {
///         print(try await api(GetUser(id: 42)))
///     } catch .transportError(let error) where error.cause is MessageVerificationError {
///         print("Don't trust this network.", error)
///     } catch {
///         print(error)
///     }
///
/// A stream throws it in place of its last chunk.
public struct MessageVerificationError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The response has no `Signature` and `Signature-Input`, as one that a proxy has made.
        case unsigned
        /// `Signature`, `Signature-Input` or a parameter in it can't be read, or one of the headers
        /// has more than 32 KB.
        case malformed
        /// No signature is by a key, and with a label and a tag, that the verifier knows.
        case unknownKey
        /// The signature names another algorithm than the key's.
        case otherAlgorithm
        /// The signature covers something that isn't supported, such as a trailer. Its name is cut
        /// after 100 characters.
        case unknownComponent(String)
        /// The signature doesn't cover a component that is required.
        case uncovered(MessageComponent)
        /// The signature covers a component that the response or its request hasn't.
        case unreadable(MessageComponent)
        /// The signature is older than allowed, or has expired.
        case expired
        /// The signature was made in the future, by this clock.
        case fromTheFuture
        /// The signature doesn't say when it was made.
        case withoutTime
        /// The signature isn't that of the response.
        case invalid
        /// The signature covers no digest of the body.
        case bodyUncovered
        /// The response is compressed, so that the digest of what was sent can't be checked.
        case compressed
        /// The response has a digest of the body, but none by SHA-256 or SHA-512.
        case unknownDigest
        /// The body isn't the one whose digest was signed.
        case otherBody
        /// The connection ended before the body's digest could be checked. What had arrived is
        /// not verified.
        case incomplete
    }

    /// What is wrong.
    public let reason: Reason
    /// The status of the response.
    public let statusCode: Int

    /// Makes an error, such as for a test of how your program shows it.
    public init(reason: Reason, statusCode: Int) {
        self.reason = reason
        self.statusCode = statusCode
    }
}

extension MessageVerificationError: CustomStringConvertible, LocalizedError {
    /// One sentence. It shows nothing that was sent or received, except the status and the names of
    /// components.
    public var description: String {
        "the response with status \(statusCode) can't be trusted: \(text)"
    }
    /// The same text as `description`.
    public var errorDescription: String? { description }

    private var text: String {
        switch reason {
        case .unsigned: "it has no signature"
        case .malformed: "its `Signature` or `Signature-Input` can't be read"
        case .unknownKey: "no signature has the key, the label and the tag that are required"
        case .otherAlgorithm: "its signature names another algorithm than the key's"
        case .unknownComponent: "its signature covers something that isn't supported"
        case .uncovered(let component): "its signature doesn't cover \(component.shortText)"
        case .unreadable(let component):
            "its signature covers \(component.shortText), which can't be read"
        case .expired: "its signature is too old"
        case .fromTheFuture: "its signature was made in the future; check this device's clock"
        case .withoutTime: "its signature doesn't say when it was made"
        case .invalid: "its signature isn't valid"
        case .bodyUncovered: "its signature covers no `Content-Digest`, so the body isn't signed"
        case .compressed: "it is compressed, though the request asked for no compression"
        case .unknownDigest: "its `Content-Digest` has no digest that can be checked"
        case .otherBody: "its body isn't the one that was signed"
        case .incomplete: "the connection ended before its body could be checked"
        }
    }
}

extension MessageComponent {
    /// The description, of which a text shows at most 100 characters: a server may have named it.
    fileprivate var shortText: String {
        let text = description
        return text.count <= 100 ? text : text.prefix(100) + "…"
    }
}

extension MessageVerificationError: TransientError {
    /// Whether the same request may succeed later: an unsigned 500 to 599 may be a proxy's. `false`
    /// otherwise, so that no download goes on from bytes that weren't verified.
    public var isTransient: Bool { reason == .unsigned && (500..<600).contains(statusCode) }
}

extension MessageVerificationError: CustomNSError {
    /// `Endpoints.MessageVerificationError`.
    public static var errorDomain: String { "Endpoints.MessageVerificationError" }
}
