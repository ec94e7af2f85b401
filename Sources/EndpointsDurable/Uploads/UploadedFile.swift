import Endpoints
import EndpointsShared
import Foundation

/// The file of an upload as it was when the upload began: its pieces, and whether it has changed.
struct UploadedFile: Sendable {
    /// What tells a file from a changed one.
    struct Identity: Codable, Equatable, Sendable {
        var size: Int64
        /// Seconds and nanoseconds since 1970; 0 for bytes in memory.
        var modified: [Int64]
        var inode: UInt64
        /// The digest of the first and the last 64 KB, or of all bytes in memory.
        var digest: String
    }

    /// The bytes that are sent: `size` of them.
    let piece: Upload.Piece
    let identity: Identity

    var size: Int64 { identity.size }

    /// Measures a file.
    /// - Throws: A ``Endpoints/FileError`` if it can't be read.
    init(_ piece: Upload.Piece) throws(FileError) {
        self.piece = piece
        switch piece {
        case .data(let data):
            identity = Identity(
                size: Int64(data.count), modified: [0, 0], inode: 0,
                digest: SHA256.hash(data).hex)
        case .file(let url), .range(let url, _):
            let size = try Upload([piece]).contentLength
            let status = try Self.status(of: url)
            let ends = try [0..<min(size, 64 << 10), max(0, size - 64 << 10)..<size].map {
                (range) throws(FileError) in
                try Upload([Self.part(range, of: piece)]).data()
            }
            identity = Identity(
                size: size, modified: status.modified, inode: UInt64(status.st_ino),
                digest: SHA256.hash(ends[0] + ends[1]).hex)
            try checkIsUnchanged()
        }
    }

    /// A file as it was when its upload began, which need not be there any more.
    init(_ piece: Upload.Piece, as identity: Identity) {
        self.piece = piece
        self.identity = identity
    }

    /// A part of the bytes.
    func part(_ range: Range<Int64>) -> Upload.Piece { Self.part(range, of: piece) }

    private static func part(_ range: Range<Int64>, of piece: Upload.Piece) -> Upload.Piece {
        switch piece {
        case .data(let data):
            .data(data.dropFirst(Int(range.lowerBound)).prefix(range.count))
        case .file(let url): .range(url, range)
        case .range(let url, let whole):
            .range(
                url,
                whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound)
        }
    }

    /// Throws ``Endpoints/FileError/Kind/changed`` if the file isn't the one that was measured.
    func checkIsUnchanged() throws(FileError) {
        switch piece {
        case .data: break
        case .file(let url):
            let status = try Self.status(of: url)
            guard status.identifies(identity), Int64(status.st_size) == size
            else { throw FileError(.changed, at: url) }
        case .range(let url, _):
            guard try Self.status(of: url).identifies(identity)
            else { throw FileError(.changed, at: url) }
        }
    }

    private static func status(of url: URL) throws(FileError) -> stat {
        var status = stat()
        guard stat(url.path, &status) == 0 else { throw FileError(url, code: errno) }
        return status
    }

    /// What stands for the file in the name of its state: the path, without that of the user's
    /// home, which differs after an update of an app.
    static func place(of piece: Upload.Piece) -> String {
        switch piece {
        case .data(let data): "memory \(SHA256.hash(data).hex)"
        case .file(let url): place(url)
        case .range(let url, let range): "\(place(url)) \(range)"
        }
    }

    private static func place(_ url: URL) -> String {
        let (path, home) = (url.standardizedFileURL.path, NSHomeDirectory())
        return path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
    }
}

extension stat {
    fileprivate var modified: [Int64] {
        #if canImport(Darwin)
            let time = st_mtimespec
        #else
            let time = st_mtim
        #endif
        return [Int64(time.tv_sec), Int64(time.tv_nsec)]
    }

    fileprivate func identifies(_ identity: UploadedFile.Identity) -> Bool {
        modified == identity.modified && UInt64(st_ino) == identity.inode
    }
}
