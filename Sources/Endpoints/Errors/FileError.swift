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
        /// The URL isn't a file URL, or it names something else than a file, such as a directory or
        /// a file of `/proc`, whose size isn't known. Or its path leads through a file as if that
        /// were a directory: `/a.txt/b`.
        case notAFile
        /// The process has no permission to read or write the file, or the disk is read-only.
        case notPermitted
        /// There is too little free space for the file on the disk or in the user's quota, or the
        /// file is larger than the file system allows.
        case outOfSpace
        /// The file's length changed while it was sent, so the server didn't get all of it. Or the
        /// unfinished file of a download was deleted, so what had arrived is lost.
        case changed
        /// Another download, of this process or another one, is writing the same file.
        case busy
        /// Anything else, by the system's `errno`.
        case other(code: Int32)
    }

    /// The file. On Linux, if a stream's unread bytes can't be kept in a temporary file, the
    /// directory of that file.
    public let url: URL
    /// What is wrong.
    public let kind: Kind
    /// The load's method, URL (with `…` for secrets) and status, and how many seconds it took, as
    /// far as they are known.
    var trace: LoadTrace.Text?

    /// Makes an error about a file.
    public init(_ kind: Kind, at url: URL) {
        self.kind = kind
        self.url = url
    }

    /// Whether both errors have the same file and kind; their traces may differ.
    public static func == (left: FileError, right: FileError) -> Bool {
        left.url == right.url && left.kind == right.kind
    }

    /// Hashes the file and the kind.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(kind)
    }

    /// Makes an error about a file from the system's `errno`.
    package init(_ url: URL, code: Int32) {
        self.init(Kind(code: code), at: url)
    }
}

extension FileError.Kind {
    fileprivate init(code: Int32) {
        switch code {
        case EEXIST: self = .exists
        case ENOENT: self = .missing
        case ENOTDIR, EISDIR, ENXIO: self = .notAFile
        case EACCES, EPERM, EROFS: self = .notPermitted
        case ENOSPC, EDQUOT, EFBIG: self = .outOfSpace
        default: self = .other(code: code)
        }
    }
}

extension FileError {
    /// The file's path, or the whole URL, with `…` for secrets, if it isn't that of a file.
    var place: String { url.isFileURL ? url.path : SecretNames.usual.masked(url) }
}

extension FileError: ReasonedError, CustomStringConvertible, LocalizedError {
    var reason: String {
        switch kind {
        case .exists: "the file exists; use another name, or `ifExists: .replace` or `.keep`"
        case .missing: "there is no such file, or its directory is missing; check the file's URL"
        case .notAFile: "the URL is not that of a file; use a file URL, and not that of a directory"
        case .notPermitted:
            "the file or its directory is protected, or the disk is read-only; choose another place"
        case .outOfSpace: "the disk has too little space for the file, or allows only smaller files"
        case .changed: "the file was changed or deleted meanwhile; try again"
        case .busy: "another download is writing the file; wait until that one has ended"
        case .other(EOVERFLOW):
            "the files have more bytes together than can be sent; send fewer or smaller ones"
        case .other(ERANGE):
            "the file ends before the part to send does; choose a `range` within the file"
        case .other(ELOOP):
            "the file is a symbolic link that leads back to itself; remove the link"
        case .other(ENAMETOOLONG): "the file's name or path is too long; use a shorter one"
        case .other(EMFILE), .other(ENFILE): "too many files are open; close some, and try again"
        case .other(let code): "the file can't be read or written (errno \(code))"
        }
    }

    /// What is wrong and, in most cases, what to do, without the file's name.
    public var description: String { reason }
    /// The same text as `description`.
    public var errorDescription: String? { description }
}

extension FileError {
    /// What is wrong and, in most cases, what to do, without the file's name.
    public var failureReason: String? { reason }
    /// What a person can do; `nil` for ``FileError/Kind/other(code:)``.
    public var recoverySuggestion: String? {
        switch kind {
        case .exists: "Choose another name, or replace the file."
        case .missing: "Check that the file to send, or the directory to save in, exists."
        case .notAFile: "Choose a file, not a directory."
        case .notPermitted: "Choose a place where files may be read and written."
        case .outOfSpace: "Free some space on the disk, or use another disk, and try again."
        case .changed: "Try again when no other program changes the file."
        case .busy: "Wait until the other download of the file has ended."
        case .other: nil
        }
    }
}

extension FileError: CustomNSError {
    /// `Endpoints.FileError`.
    public static var errorDomain: String { "Endpoints.FileError" }

    /// A number from 1 to 7 for the kind, or 1000 plus `errno` for ``FileError/Kind/other(code:)``.
    public var errorCode: Int {
        switch kind {
        case .exists: 1
        case .missing: 2
        case .notAFile: 3
        case .notPermitted: 4
        case .outOfSpace: 5
        case .changed: 6
        case .busy: 7
        case .other(let code): 1000 + Int(code)
        }
    }

    /// The texts of an `NSError` made from this error.
    public var errorUserInfo: [String: Any] { localizedTexts }
}
