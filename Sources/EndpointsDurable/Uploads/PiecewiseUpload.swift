import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An upload to a URL that the server names, to which pieces are sent one after another (tus 1.0.0,
/// https://tus.io/protocols/resumable-upload). How much the server has is always what it says.
struct PiecewiseUpload<Request: ResumableRequest> {
    typealias TaskError = Request.TaskError

    private let run: UploadRun<Request>
    private let first: TransportRequest
    private let file: UploadedFile
    private let store: UploadStore
    private var state: UploadState?
    /// How many bytes the server has; `nil` if it must be asked.
    private var offset: Int64?
    /// The most bytes that the server has ever had. Only bytes beyond these reset the backoff.
    private var furthest: Int64 = 0
    private var backoff = Backoff(delay: 1, limit: 5)
    private var creations = 0

    /// What to do after a response.
    private enum Step {
        case goOn
        case finish(UploadReply)
        /// Ask the server again how much it has, after a wait.
        case tryAgain(TaskError, after: HTTPURLResponse?)
        /// The server doesn't know the upload.
        case beginAnew(TaskError)
    }

    init(
        run: UploadRun<Request>, first: TransportRequest, file: UploadedFile, store: UploadStore,
        state: UploadState?
    ) {
        self.run = run
        self.first = first
        self.file = file
        self.store = store
        self.state = state
    }

    mutating func reply() async throws(TaskError) -> UploadReply {
        if let state, state.file != file.identity { throw try await changed() }
        if let expires = state?.expires, expires <= run.clock.date().timeIntervalSince1970 {
            state = nil
        }
        while true {
            switch try await step() {
            case .goOn: continue
            case .finish(let reply):
                try keeping { try store.remove() }
                return reply
            case .tryAgain(let error, let head):
                offset = nil
                guard let delay = backoff.next() else { throw error }
                try await wait(delay, head)
            case .beginAnew(let error):
                guard creations < 3 else { throw error }
                (state, offset, furthest) = (nil, nil, 0)
            }
        }
    }

    /// One request, and what to do after it.
    private mutating func step() async throws(TaskError) -> Step {
        if Task.isCancelled { throw .cancelled(URLError(.cancelled)) }
        do throws(TaskError) {
            guard let url = state?.url.flatMap(URL.init) else { return try await create() }
            guard let offset else { return try await ask(url) }
            return try await append(from: offset, to: url)
        } catch {
            if case .fileError(let cause) = error, cause.kind == .changed {
                throw try await changed()
            }
            guard error.isTransient, !(error.cause is UploadError) else { throw error }
            return .tryAgain(error, after: nil)
        }
    }

    private func wait(_ delay: TimeInterval, _ head: HTTPURLResponse?) async throws(TaskError) {
        let asked = head?.value(forHTTPHeaderField: "Retry-After")?.trimmingBlanks ?? ""
        let now = run.clock.date()
        let seconds =
            asked.cappedNumber
            ?? HTTPDate.date(asked, now: now).map { $0.timeIntervalSince(now) } ?? 0
        do { try await run.clock.sleep(max(delay, min(seconds, 3600))) } catch {
            throw TaskError(loading: error, Request.self)
        }
    }
}

extension PiecewiseUpload {
    /// Creates an upload, and keeps its URL (extension “creation” of tus).
    private mutating func create() async throws(TaskError) -> Step {
        creations += 1
        var state = UploadState(uploading: "tus", file: file.identity)
        // If this can't be written, nothing was sent.
        try keeping { try store.write(state) }
        let name = run.request.body.name, type = run.request.body.contentType.rawValue
        let reply = try await run.send(
            run.message(
                "POST", at: nil, after: first,
                headers: [
                    "Tus-Resumable": "1.0.0", "Upload-Length": "\(file.size)",
                    "Content-Length": "0",
                    "Upload-Metadata": metadata(["filename": name, "filetype": type]),
                ]))
        guard (200..<300).contains(reply.head.statusCode) else { return try refused(reply) }
        guard let url = reply.location, (try? message("HEAD", at: url)) != nil
        else { throw run.failure(.noLocation, reply.sent) }
        state.url = url.absoluteString
        state.expires = reply.expiry
        do { try keeping { try store.write(state) } } catch {
            self.state = state
            await terminate()
            throw error
        }
        (self.state, offset) = (state, 0)
        return file.size == 0 ? .finish(reply) : .goOn
    }

    /// The metadata that the request declares, and that of the file.
    private func metadata(_ items: KeyValuePairs<String, String>) -> String {
        let declared = (first.urlRequest.value(forHTTPHeaderField: "Upload-Metadata") ?? "")
            .split(separator: ",").map { String($0).trimmingBlanks }
        let names = declared.map { $0.prefix { $0 != " " } }
        let own = items.filter { !names.contains(Substring($0.key)) && !$0.value.isEmpty }
            .map { "\($0.key) \(Data($0.value.utf8).base64EncodedString())" }
        return (declared + own).joined(separator: ",")
    }

    /// Asks how much the server has.
    private mutating func ask(_ url: URL) async throws(TaskError) -> Step {
        let reply = try await run.send(message("HEAD", at: url))
        guard (200..<300).contains(reply.head.statusCode) else { return try refused(reply) }
        guard let offset = reply.offset else { return .tryAgain(run.failure(reply), after: nil) }
        guard offset <= file.size, reply.length ?? file.size == file.size
        else { throw try await gaveUp(.wrongOffset, reply.sent) }
        note(offset)
        return offset == file.size ? .finish(reply) : .goOn
    }

    /// Sends the next piece.
    private mutating func append(from offset: Int64, to url: URL) async throws(TaskError) -> Step {
        let end = min(file.size, offset + min(Request.uploading.chunkSize, file.size))
        var piece = Upload([file.part(offset..<end)])
        let (file, meter) = (file, run.meter)
        piece.observe = { sent, _ in
            // Before these bytes leave, so that the server never has a mixture.
            try file.checkIsUnchanged()
            meter.show(offset + sent, of: file.size)
        }
        let reply = try await run.send(
            message(
                "PATCH", at: url, piece,
                headers: [
                    "Upload-Offset": "\(offset)",
                    "Content-Type": "application/offset+octet-stream",
                ]))
        guard (200..<300).contains(reply.head.statusCode) else { return try refused(reply) }
        guard let next = reply.offset, next > offset, next <= end
        else { return .tryAgain(run.failure(reply), after: nil) }
        note(next)
        return next == file.size ? .finish(reply) : .goOn
    }

    private mutating func note(_ offset: Int64) {
        self.offset = offset
        run.meter.show(offset, of: file.size)
        guard offset > furthest else { return }
        furthest = offset
        backoff.reset()
    }

    /// What to do after a status that isn't a success.
    private func refused(_ reply: UploadReply) throws(TaskError) -> Step {
        let error = run.failure(reply)
        switch reply.head.statusCode {
        case 403 where reply.sent.urlRequest.httpMethod == "HEAD": return .beginAnew(error)
        case 404, 410:
            guard state?.url != nil else { throw error }
            return .beginAnew(error)
        // First: another offset than the server's, locked, and a checksum that doesn't match.
        case 409, 423, 460, 408, 425, 429, 500, 502, 503, 504:
            return .tryAgain(error, after: reply.head)
        case 412: throw run.failure(.unsupported, reply.sent)
        case 413 where state?.url == nil: throw run.failure(.tooLarge, reply.sent)
        default: throw error
        }
    }

    private func message(
        _ method: String, at url: URL, _ piece: Upload? = nil, headers: [String: String] = [:]
    ) throws(TaskError) -> TransportRequest {
        try run.message(
            method, at: url, after: first, piece,
            headers: headers.merging(["Tus-Resumable": "1.0.0"]) { $1 })
    }
}

extension PiecewiseUpload {
    /// Gives the upload up, because the file is another one now.
    private func changed() async throws(TaskError) -> TaskError {
        try await gaveUp(.fileChanged, first)
    }

    private func gaveUp(
        _ kind: UploadError.Kind, _ sent: TransportRequest
    ) async throws(TaskError) -> TaskError {
        try await giveUp()
        return run.failure(kind, sent)
    }

    /// Removes the state, and asks the server to remove what it has.
    func giveUp() async throws(TaskError) {
        await terminate()
        try keeping { try store.remove() }
    }

    /// Asks the server to remove what it has (extension “termination” of tus).
    private func terminate() async {
        guard let url = state?.url.flatMap(URL.init), let message = try? message("DELETE", at: url)
        else { return }
        _ = try? await run.send(message)
    }

    private func keeping(_ body: () throws -> Void) throws(TaskError) {
        do { try body() } catch { throw TaskError(loading: error, Request.self) }
    }
}

extension UploadReply {
    fileprivate func number(_ name: String) -> Int64? {
        head.value(forHTTPHeaderField: name)?.trimmingBlanks.wholeNumber
    }

    fileprivate var offset: Int64? { number("Upload-Offset") }
    fileprivate var length: Int64? { number("Upload-Length") }

    /// When the server forgets the upload (extension “expiration” of tus).
    fileprivate var expiry: Double? {
        let text = head.value(forHTTPHeaderField: "Upload-Expires")?.trimmingBlanks ?? ""
        return HTTPDate.date(text, now: Date())?.timeIntervalSince1970
    }

    /// The URL of a `Location`, which may be relative to the request's.
    fileprivate var location: URL? {
        guard let text = head.value(forHTTPHeaderField: "Location")?.trimmingBlanks, !text.isEmpty
        else { return nil }
        return URL(string: text, relativeTo: head.url ?? sent.urlRequest.url)?.absoluteURL
    }
}

extension EndpointTaskError {
    /// What the transport threw, if it is of no type that the library knows.
    fileprivate var cause: (any Error)? {
        if case .transportError(let error) = self { error.cause } else { nil }
    }
}
