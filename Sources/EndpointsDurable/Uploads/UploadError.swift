import Endpoints
import Foundation

/// Why an upload in pieces can't go on, for a reason that a single request doesn't know.
///
///     func text(of error: StreamError) -> String {
///         if case .transportError(let error) = error, let cause = error.cause as? UploadError {
///             return cause.kind == .fileChanged ? "The film was changed meanwhile." : "\(cause)"
///         }
///         return "\(error)"
///     }
///
/// It is the cause of a `.transportError`.
public struct UploadError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// The file was changed since its upload began. The server was asked to remove what it has
        /// of it, and the next call uploads the file as it is then. A server that couldn't be
        /// reached keeps what it has for as long as it keeps uploads that don't end.
        case fileChanged
        /// Another call, or another process, uploads the same file to the same place.
        case inUse
        /// The server says that it has more bytes than were sent, or that the file has another
        /// length, as for an upload of another file. The next call begins anew.
        case wrongOffset
        /// The response that creates an upload doesn't say where to send the file.
        case noLocation
        /// The server speaks another version of the protocol, or lacks what an upload needs.
        case unsupported
        /// The file has more bytes than the server takes.
        case tooLarge
        /// The server redirects a request of an upload that has begun to another origin or, if the
        /// policy follows no redirects, to any URL. Nothing was sent there.
        case redirected
        /// The server has taken all parts of the file, but doesn't join them. It was asked to
        /// remove them.
        case notJoined
        /// The server has all of the file, but its last response was lost, and what it says when it
        /// is asked isn't the request's `Response`. Nothing of the upload is kept, so another call
        /// would upload the file a second time.
        case responseLost
    }

    /// What is wrong.
    public let kind: Kind

    /// Makes an error.
    public init(_ kind: Kind) { self.kind = kind }
}

extension UploadError: TransientError, LocalizedError, CustomStringConvertible {
    /// `true` if another upload of the file is under way, which ends.
    public var isTransient: Bool { kind == .inUse }

    /// What is wrong, and what to do.
    public var description: String {
        switch kind {
        case .fileChanged:
            """
            the file was changed since its upload began, so what was sent of it is discarded; call \
            again to upload it as it is now
            """
        case .inUse:
            """
            another call or process uploads this file to this place, or has locked the folder of \
            the states; wait until that ends, or use another folder
            """
        case .wrongOffset:
            """
            the server says that it has more bytes than were sent, or another length than that of \
            the file, so this upload is given up; call again to begin a new one
            """
        case .noLocation:
            """
            the server's response to a new upload has no `Location` that can be used; check the \
            path and the method, and that the server takes uploads of this protocol
            """
        case .unsupported:
            """
            the server doesn't take uploads of this version of the protocol; choose another \
            `uploading`
            """
        case .responseLost:
            """
            the server has all of the file, but its last response was lost; don't upload the file \
            again, but ask the server for what that response says
            """
        case .redirected:
            """
            the server redirects the upload to another origin, or the policy follows no redirects, \
            so nothing was sent there; check the server, or call `discard()` to begin a new upload
            """
        case .notJoined:
            """
            the server has taken all parts of the file, but doesn't join them, so this upload is \
            given up; leave `lanes` out of `uploading`
            """
        case .tooLarge: "the file has more bytes than the server takes; send a smaller one"
        }
    }

    /// The same text as `description`.
    public var errorDescription: String? { description }
}
