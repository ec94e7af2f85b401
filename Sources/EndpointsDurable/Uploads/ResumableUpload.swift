import Endpoints
import EndpointsStreams
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension EndpointClient {
    /// An upload in pieces, which goes on where an earlier call has ended, in this process or in
    /// another one.
    ///
    ///     let upload = api.upload(AddFilm(body: File(video)), keepingStateIn: folder)
    ///     for try await progress in upload { print(progress.fraction ?? 0) }   // 0.01 … 0.99, 1
    ///     try await upload.response()
    ///
    /// It begins when a loop over it does, or ``ResumableUpload/response()`` is called. A lost
    /// connection and a response such as a 503 don't end it: it goes on after a wait, until five
    /// tries in a row have brought the server no new bytes. The call asks the server how much it
    /// has. Leaving the loop or cancelling the task ends the call, but keeps the upload. The
    /// next call for the same request, file and account goes on, unless the server has forgotten
    /// the upload: then it begins anew. Declared headers count, except those that change with each
    /// request, such as `Idempotency-Key`.
    ///
    /// A file that grows meanwhile is another one, also if only a range of it is sent.
    ///
    /// The folder is made if it isn't there. Several processes may use it, and other parts of this
    /// library. It has a file for each upload that hasn't ended, which only its owner can read:
    /// with the URL that the server has named, and the file's length, time and digest. A state that
    /// nobody asks for in 30 days is removed.
    /// - Parameters:
    ///   - request: What is sent. Its ``Endpoints/LoadPolicy/timeLimit`` is that of each request.
    ///   - folder: A folder for the state, which should survive the process, such as one in
    ///     `URL.applicationSupportDirectory`.
    ///   - clock: The clock that waits between tries.
    public func upload<Request: ResumableRequest>(
        _ request: Request, keepingStateIn folder: URL, clock: TransportClock = .system
    ) -> ResumableUpload<Request> where Request.Environment == Environment {
        transport.upload(in: environment, with: request, keepingStateIn: folder, clock: clock)
    }
}

extension Transport {
    /// An upload in pieces; see ``Endpoints/EndpointClient/upload(_:keepingStateIn:clock:)``.
    ///
    ///     let upload = session.upload(
    ///         in: .production, with: AddFilm(body: File(video)), keepingStateIn: folder)
    public func upload<Request: ResumableRequest>(
        in environment: Request.Environment, with request: Request, keepingStateIn folder: URL,
        clock: TransportClock = .system
    ) -> ResumableUpload<Request> {
        ResumableUpload(
            request: request, environment: environment, transport: self, folder: folder,
            clock: clock)
    }
}

/// An upload in pieces: see ``Endpoints/EndpointClient/upload(_:keepingStateIn:clock:)``.
///
///     struct AddFilm: FlatRequest, ResumableRequest {
///         let body: File
///         static let endpoint = Endpoint<Self>(method: .post, path: "files")
///         static let uploading = Resumable.tus
///         typealias Response = Void
///     }
///
/// A loop over it reads the progress. Each loop is a call of its own, and two at once are refused
/// with an ``UploadError``.
public struct ResumableUpload<Request: ResumableRequest>: AsyncSequence, Sendable {
    let request: Request
    let environment: Request.Environment
    let transport: any Transport
    let folder: URL
    let clock: TransportClock
    private let last = Locked<UploadReply?>(nil)

    init(
        request: Request, environment: Request.Environment, transport: any Transport, folder: URL,
        clock: TransportClock
    ) {
        self.request = request
        self.environment = environment
        self.transport = transport
        self.folder = folder
        self.clock = clock
    }

    /// The response to the last request of the upload. Without a loop that has ended before, this
    /// uploads the file.
    ///
    ///     try await api.upload(AddFilm(body: File(video)), keepingStateIn: folder).response()
    ///
    /// If the last response was lost, as that to an earlier process, this is the response to the
    /// question how much the server has. It has no content. So a `Response` that needs content is
    /// an ``UploadError`` then, ``UploadError/Kind/responseLost``: the server has the file, and
    /// nothing of the upload is kept.
    /// - Throws: A `TaskError`: `.transportError` with an ``UploadError``; `.fileError` for a file
    ///   that can't be read; `.endpointError` for a declaration that can't be used, and for a
    ///   folder in which the state can't be kept; or the server's error response.
    @discardableResult
    public func response() async throws(Request.TaskError) -> Request.Response {
        let reply: UploadReply
        if let known = last.withLock(\.self) {
            reply = known
        } else {
            reply = try await run(reporting: UploadMeter { _ in })
        }
        do throws(Request.TaskError) {
            return try Request.decode(reply.data, reply.head, of: reply.sent)
        } catch {
            // The server was asked what it has, as its last response was lost, and has all.
            guard reply.sent.urlRequest.httpMethod == "HEAD",
                (200..<300).contains(reply.head.statusCode)
            else { throw error }
            throw .transportError(TransportError(cause: UploadError(.responseLost)))
                .traced(by: reply.sent)
        }
    }

    /// Gives the upload up: removes its state, and asks the server to remove what it has.
    ///
    /// Nothing happens if there is no such upload. The state is removed even if the server doesn't
    /// do as it is asked. The file may have been changed or removed.
    /// - Throws: A `TaskError`, such as an ``UploadError`` if the upload is under way.
    public func discard() async throws(Request.TaskError) {
        let run = UploadRun(of: self, reporting: UploadMeter { _ in })
        do { try await run.discard() } catch { throw run.typed(error) }
    }

    fileprivate func run(
        reporting meter: UploadMeter
    ) async throws(Request.TaskError) -> UploadReply {
        let run = UploadRun(of: self, reporting: meter)
        let reply: UploadReply
        do { reply = try await run.reply() } catch { throw run.typed(error) }
        last.withLock { $0 = reply }
        return reply
    }

    /// An iterator that uploads the file while a loop reads the progress.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let loop: ProgressLoop<Request.TaskError>

        fileprivate init(_ upload: ResumableUpload) {
            loop = ProgressLoop { show throws(Request.TaskError) in
                _ = try await upload.run(reporting: UploadMeter(show))
            }
        }

        /// The progress after another 1% of the file, but at least 64 KB; at the end that of the
        /// whole file; then `nil`. It never falls. A slow loop misses steps, except the last.
        public mutating func next() async throws(Request.TaskError) -> TransferProgress? {
            try await loop.next()
        }
    }

    /// An iterator with which the upload begins, or goes on.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension ResumableUpload: CustomReflectable {
    /// No children, because `dump(_:)` would print the request, the tokens and the response.
    public var customMirror: Mirror { .hidden(self) }
}

extension ResumableUpload.AsyncIterator: CustomReflectable {
    /// No children, because `dump(_:)` would print the request, the tokens and the response.
    public var customMirror: Mirror { .hidden(self) }
}

/// A response, and the request that it is to.
struct UploadReply: Sendable {
    let sent: TransportRequest
    let head: HTTPURLResponse
    let data: Data
}

/// The progress of one call, which never falls, and reaches its end only when the server has all.
final class UploadMeter: Sendable {
    private let reported = Locked(Int64(-1))
    private let report: @Sendable (TransferProgress) -> Void

    init(_ report: @escaping @Sendable (TransferProgress) -> Void) {
        self.report = report
    }

    /// Reports that so many bytes were sent, if they are 1% of all and 64 KB more than before.
    func show(_ count: Int64, of total: Int64) {
        let isNew = reported.withLock { reported in
            guard count < total,
                reported < 0 || count - reported >= max(64 << 10, total / 100)
            else { return false }
            reported = count
            return true
        }
        if isNew { report(TransferProgress(completed: count, total: total)) }
    }

    func finish(_ total: Int64) { report(TransferProgress(completed: total, total: total)) }
}
