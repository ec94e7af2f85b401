import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A download of a request's response to a file, which goes on where an earlier one ended. The
    /// download begins when a loop reads its progress.
    ///
    ///     let model = GetModel(id: 42)
    ///     for try await progress in session.download(in: .production, model, to: file) {
    ///         print(progress.fraction ?? 0)   // 0.41 … 0.99, 1
    ///     }
    ///
    /// The bytes are written to a hidden file beside `destination`, the part. When it is complete,
    /// it is moved to `destination`, as ``ByteStream/save(to:ifExists:progress:clock:)`` says. A
    /// download that is cancelled, fails or is killed leaves the part, unless `keeping` says
    /// otherwise. The next download of the same request to the same `destination` asks for the
    /// rest only, in this process or another one. It is the same request if its method, its URL,
    /// its headers and the account of its credentials are the same. Of the headers, those that may
    /// be others in each call, such as `Date` and `Idempotency-Key`, don't count, and those that
    /// `authorized(by:)` adds are the account's.
    ///
    /// The rest is requested with `Range` and `If-Range` (RFC 9110, sections 13.1.5 and 14.2). This
    /// needs a GET without a `Range` of its own, and a 200 with a strong `ETag` or, without any
    /// `ETag`, a strong `Last-Modified`. Otherwise, and if the file has changed, the whole file is
    /// loaded again. If the server sends less at a time than was asked for, the rest is requested
    /// at once. What arrived in the last half second before a kill or a loss of power may be loaded
    /// again.
    ///
    /// While a download runs, no other one can write the same part: after 2 seconds it fails with
    /// ``FileError/Kind/busy``.
    /// - Parameters:
    ///   - environment: The server.
    ///   - request: A request whose response is a ``ByteStream``.
    ///   - destination: Where the file is to be.
    ///   - ifExists: What to do if the file exists already.
    ///   - keeping: What is kept of a download that doesn't succeed. If a body without a length
    ///     has filled the disk, nothing is kept of it.
    ///   - digest: What the file's digest must be. A `Repr-Digest` or `Content-Digest` of the
    ///     response with `sha-256` (RFC 9530) is checked without it, too. The file appears only if
    ///     it has these digests. Otherwise the error is a `.responseParseError` whose cause is a
    ///     ``WrongDigestError``, and the part is removed. An existing file that is kept and
    ///     doesn't have the digest is an `.endpointError`.
    ///   - lanes: How many requests, from 1 to 8, may load parts of the file at the same time. Each
    ///     goes through the same transport, so that `limited(perOrigin:)` applies. There is one in
    ///     the first 0.3 seconds, for less than 2 MB, and if the response has no ranges
    ///     (`Accept-Ranges: bytes`), no strong validator or no length. If several aren't 1.3 times
    ///     as fast, one goes on. They are faster if the server limits each connection.
    ///   - clock: Waits before each new request after a lost connection: a second, then twice as
    ///     long each time.
    public func download<Request: RequestType>(
        in environment: Request.Environment, _ request: Request, to destination: URL,
        ifExists: ByteStream.ExistingFile = .refuse, keeping: KeptPart = .part,
        digest: FileDigest? = nil, lanes: Int = 1, clock: TransportClock = .system
    ) -> FileDownload<Request> where Request.Response == ByteStream {
        let message = Result { () throws(EndpointError) in
            try TransportRequest(of: request, in: environment)
        }
        return FileDownload(
            message: message, transport: self, destination: destination, ifExists: ifExists,
            keeping: keeping, digest: digest, lanes: lanes, clock: clock)
    }

    /// Downloads a request's response to a file, and returns when the file is complete.
    ///
    ///     let model = try await session.download(in: .production, GetModel(id: 42), to: file)
    ///     print(model.byteCount, model.resumedByteCount)   // 1000000000 410000000
    ///
    /// The other function of this name, which reports the progress, says how the download goes on
    /// where an earlier one ended.
    /// - Throws: A ``RequestType/TaskError``, such as `.errorResponse` if the server refuses the
    ///   request, and `.fileError` for a missing directory, a missing permission, a full disk or a
    ///   file that must not be replaced. If the server's response to a later request can't be used,
    ///   `.unexpectedResponse`. If the task is cancelled, `.cancelled`.
    @discardableResult
    public nonisolated(nonsending) func download<Request: RequestType>(
        in environment: Request.Environment, _ request: Request, to destination: URL,
        ifExists: ByteStream.ExistingFile = .refuse, keeping: KeptPart = .part,
        digest: FileDigest? = nil, lanes: Int = 1, clock: TransportClock = .system
    ) async throws(Request.TaskError) -> DownloadedFile where Request.Response == ByteStream {
        let download: FileDownload = download(
            in: environment, request, to: destination, ifExists: ifExists, keeping: keeping,
            digest: digest, lanes: lanes, clock: clock)
        return try await download.run { _ in }
    }
}

extension EndpointClient {
    /// A download of a request's response to a file, which goes on where an earlier one ended. The
    /// download begins when a loop reads its progress.
    ///
    ///     for try await progress in api.download(GetModel(id: 42), to: file) {
    ///         print(progress.fraction ?? 0)   // 0.41 … 0.99, 1
    ///     }
    ///
    /// The function of this name of a `Transport` says more.
    public func download<Request: RequestType>(
        _ request: Request, to destination: URL,
        ifExists: ByteStream.ExistingFile = .refuse, keeping: KeptPart = .part,
        digest: FileDigest? = nil, lanes: Int = 1, clock: TransportClock = .system
    ) -> FileDownload<Request>
    where Request.Response == ByteStream, Request.Environment == Environment {
        transport.download(
            in: environment, request, to: destination, ifExists: ifExists, keeping: keeping,
            digest: digest, lanes: lanes, clock: clock)
    }

    /// Downloads a request's response to a file, and returns when the file is complete.
    ///
    ///     let model = try await api.download(GetModel(id: 42), to: file)
    ///     print(model.byteCount, model.resumedByteCount)   // 1000000000 410000000
    ///
    /// - Throws: A ``RequestType/TaskError``, as the function of this name of a `Transport` says.
    @discardableResult
    public nonisolated(nonsending) func download<Request: RequestType>(
        _ request: Request, to destination: URL,
        ifExists: ByteStream.ExistingFile = .refuse, keeping: KeptPart = .part,
        digest: FileDigest? = nil, lanes: Int = 1, clock: TransportClock = .system
    ) async throws(Request.TaskError) -> DownloadedFile
    where Request.Response == ByteStream, Request.Environment == Environment {
        try await transport.download(
            in: environment, request, to: destination, ifExists: ifExists, keeping: keeping,
            digest: digest, lanes: lanes, clock: clock)
    }
}

/// A file that a download has written.
public struct DownloadedFile: Sendable {
    /// Where it is.
    public let url: URL
    /// How many bytes it has.
    public let byteCount: Int64
    /// How many of its bytes an earlier download had loaded.
    public let resumedByteCount: Int64
    /// The status and headers of the response; `nil` if the file existed already, and was kept. If
    /// the download went on where an earlier one had ended, this is what the response for the whole
    /// file would be: a 200 (RFC 9110, section 15.3.7.3).
    public let httpResponse: HTTPURLResponse?
}

/// A download to a file, whose progress is read in a loop. The functions `download` of a
/// `Transport` and of an `EndpointClient` make it.
///
/// Each loop over it is a download of its own. Leaving the loop ends the download, as cancelling
/// its task does.
public struct FileDownload<Request: RequestType>: AsyncSequence, Sendable
where Request.Response == ByteStream {
    let message: Result<TransportRequest, EndpointError>
    let transport: any Transport
    let destination: URL
    let ifExists: ByteStream.ExistingFile
    let keeping: KeptPart
    let digest: FileDigest?
    let lanes: Int
    let clock: TransportClock

    /// An iterator that begins the download, and reads its progress.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let download: FileDownload
        private var loop: ProgressLoop<Request.TaskError>?

        fileprivate init(_ download: FileDownload) {
            self.download = download
        }

        /// The progress where the download begins, which isn't 0 if it goes on with an earlier one;
        /// then after another 1% of the file, but at least 64 KB, or after another 1 MB if the size
        /// isn't known; then that of the complete file; then `nil`. It begins again at 0 if the
        /// file has changed on the server.
        public mutating func next() async throws(Request.TaskError) -> TransferProgress? {
            let loop: ProgressLoop<Request.TaskError>
            if let begun = self.loop {
                loop = begun
            } else {
                let download = download
                loop = ProgressLoop { show throws(Request.TaskError) in
                    _ = try await download.run(show)
                }
                self.loop = loop
            }
            return try await loop.next()
        }
    }

    /// The progress.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension FileDownload: CustomReflectable {
    /// No children, because `dump(_:)` would print the request and the transport.
    public var customMirror: Mirror { .hidden(self) }
}

extension FileDownload.AsyncIterator: CustomReflectable {
    /// No children, because `dump(_:)` would print the request and the transport.
    public var customMirror: Mirror { .hidden(self) }
}

extension DownloadedFile: CustomReflectable {
    /// No children, because `dump(_:)` would print the headers.
    public var customMirror: Mirror { .hidden(self) }
}
