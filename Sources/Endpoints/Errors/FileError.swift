import Foundation

/// Why a file could not be read or written.
///
/// Its text doesn't show the file's name, which may be private; ``url`` has it.
public struct FileError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// The file exists already and must not be replaced.
        case exists
        /// There is no such file or directory.
        case missing
        /// The URL doesn't lead to a file in a directory.
        case notAFile
        /// The process has no permission to read or write there.
        case notPermitted
        /// The disk is full, or what is to be written is larger than its free space.
        case outOfSpace
        /// The file's length has changed while it was sent; the server didn't get all of it.
        case changed
        /// Anything else, by the system's `errno`.
        case other(code: Int32)
    }

    /// The file, or the directory that it should be in.
    public let url: URL
    /// What is wrong.
    public let kind: Kind

    /// An error about a file.
    public init(_ kind: Kind, at url: URL) {
        self.kind = kind
        self.url = url
    }

    /// An error by the system's `errno`.
    init(_ url: URL, code: Int32) {
        self.init(Kind(code: code), at: url)
    }
}

extension FileError.Kind {
    fileprivate init(code: Int32) {
        switch code {
        case EEXIST: self = .exists
        case ENOENT: self = .missing
        case ENOTDIR, EISDIR: self = .notAFile
        case EACCES, EPERM, EROFS: self = .notPermitted
        case ENOSPC, EDQUOT, EFBIG: self = .outOfSpace
        default: self = .other(code: code)
        }
    }
}

extension FileError: ReasonedError, CustomStringConvertible, LocalizedError {
    var reason: String {
        switch kind {
        case .exists: "the file exists already; use another name, or choose to replace or keep it"
        case .missing: "there is no such file or directory; check the URL"
        case .notAFile: "the URL doesn't lead to a file in a directory; use another one"
        case .notPermitted: "the program has no permission to read or write the file"
        case .outOfSpace: "there is not enough space on the disk"
        case .changed: "the file's length changed while it was sent; send it again"
        case .other(let code): "the file can't be read or written (errno \(code))"
        }
    }

    /// What is wrong, without the file's name.
    public var description: String { reason }
    /// The same.
    public var errorDescription: String? { description }
}
