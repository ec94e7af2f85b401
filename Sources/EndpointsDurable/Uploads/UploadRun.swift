import Endpoints
import EndpointsFolder
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One call of an upload: finds its state, goes on with it, and keeps it.
struct UploadRun<Request: ResumableRequest>: Sendable {
    typealias TaskError = Request.TaskError

    let request: Request
    let environment: Request.Environment
    let transport: any Transport
    let clock: TransportClock
    let meter: UploadMeter
    private let folder: URL

    init(of upload: ResumableUpload<Request>, reporting meter: UploadMeter) {
        request = upload.request
        environment = upload.environment
        transport = upload.transport
        folder = upload.folder
        clock = upload.clock
        self.meter = meter
    }

    /// Uploads what the server lacks. Returns the response to the last request.
    @concurrent
    func reply() async throws -> UploadReply {
        let first = try declared()
        let file: UploadedFile
        do { file = try UploadedFile(piece(of: first)) } catch { throw typed(error) }
        let store = try await open(first, file.piece)
        let date = clock.date()
        try? await inBackground { store.removeOld(at: date) }
        // One of which the server knows nothing is of no use.
        let state = try await keeping { store.read().flatMap { $0.isBegun ? $0 : nil } }
        let reply: UploadReply
        switch Request.uploading.kind {
        case .s3:
            var upload = PartedUpload(
                run: self, first: first, file: file, store: store, state: state)
            reply = try await upload.reply()
        case .tus(let lanes) where state?.parts != nil || lanes > 1 && state?.url == nil:
            reply = try await JoinedUpload(
                run: self, first: first, file: file, store: store, state: state
            ).reply(lanes)
        default:
            var upload = PiecewiseUpload(
                run: self, first: first, file: file,
                lane: UploadLane(of: file, in: store, reporting: meter), state: state)
            reply = try await upload.reply()
        }
        meter.finish(file.size)
        return reply
    }

    @concurrent
    func discard() async throws {
        let first = try declared()
        let piece = try piece(of: first)
        let store = try await open(first, piece)
        guard let state = try await keeping({ store.read() }) else { return }
        // It may have been changed or removed since then.
        let file = UploadedFile(piece, as: state.file)
        switch Request.uploading.kind {
        case .s3:
            try await PartedUpload(
                run: self, first: first, file: file, store: store, state: state
            ).giveUp()
        case .tus where state.parts != nil:
            try await JoinedUpload(
                run: self, first: first, file: file, store: store, state: state
            ).giveUp()
        default:
            try await PiecewiseUpload(
                run: self, first: first, file: file,
                lane: UploadLane(of: file, in: store, reporting: meter), state: state
            ).giveUp()
        }
    }

    /// The request as it is declared, without a body.
    private func declared() throws -> TransportRequest {
        do throws(EndpointError) {
            let size = Request.uploading.chunkSize
            guard size > 0 else {
                throw refusal(
                    .call, "has pieces of \(size) bytes; write a `chunkSize` of 1 or more")
            }
            if case .s3(let lanes) = Request.uploading.kind, !(1...16).contains(lanes) {
                throw refusal(.call, "has \(lanes) lanes; write `lanes` from 1 to 16")
            }
            if case .tus(let lanes) = Request.uploading.kind, !(1...8).contains(lanes) {
                throw refusal(.call, "has \(lanes) lanes; write `lanes` from 1 to 8")
            }
            guard !Request.streamsResponse else {
                throw refusal(
                    .response, "is a stream, which an upload in pieces can't return; use another")
            }
            let first = try TransportRequest(of: request, in: environment)
            let method = first.urlRequest.httpMethod
            switch Request.uploading.kind {
            case .tus where method != "POST":
                throw refusal(.method, "must be POST, with which tus creates an upload")
            case .s3 where method != "PUT":
                throw refusal(.method, "must be PUT, with which S3 stores an object")
            default: return first
            }
        } catch { throw TaskError.endpointError(error) }
    }

    func refusal(_ field: EndpointError.Field, _ reason: String) -> EndpointError {
        EndpointError(requestType: "\(Request.self)", field: field, reason: reason)
    }

    private func piece(of first: TransportRequest) throws -> Upload.Piece {
        guard let pieces = first.upload?.pieces, pieces.count == 1 else {
            throw TaskError.endpointError(
                refusal(.body, "isn't the file any more; don't replace it in `prepare`"))
        }
        return pieces[0]
    }

    /// The state of the upload of this file to this place by this account, with these headers.
    private func open(
        _ first: TransportRequest, _ piece: Upload.Piece
    ) async throws -> UploadStore {
        do {
            let account = try await Accounts(inside: transport).account(of: first)
            let name = Digest(
                """
                \(first.urlRequest.httpMethod ?? "") \(first.urlRequest.url?.absoluteString ?? "")
                \(Request.uploading.name)
                \(account?.id ?? "")
                \(UploadedFile.place(of: piece))
                \([request.body.name, request.body.contentType.rawValue].map(Self.measured))
                \(Self.fields(of: first))
                """)
            return try await store(named: name.hex)
        } catch { throw failure(keeping: error) }
    }

    /// The declared fields, which may have credentials, and what the server is to make of the file.
    private static func fields(of first: TransportRequest) -> String {
        (first.urlRequest.allHTTPHeaderFields ?? [:])
            .map { ($0.key.lowercased(), $0.value) }
            .filter { !volatile.contains($0.0) }
            .sorted { $0 < $1 }
            .map { "\($0.0) \(measured($0.1))" }.joined(separator: "\n")
    }

    /// A text with its length, so that no two lists of texts are the same as one text.
    private static func measured(_ text: String) -> String { "\(text.utf8.count) \(text)" }

    /// The fields that change from call to call, though the upload is the same.
    private static var volatile: Set<String> {
        [
            "date", "idempotency-key", "traceparent", "tracestate", "baggage", "user-agent",
            "x-amz-date", "x-correlation-id", "x-request-id",
        ]
    }

    /// The error of a state that can't be kept.
    func failure(keeping error: any Error) -> TaskError {
        let (reason, cause): (String, FileError)
        switch error {
        case let error as FolderError: (reason, cause) = (error.reason, error.cause)
        case let error as FileError: (reason, cause) = (error.description, error)
        default: return TaskError(loading: error, Request.self)
        }
        return .endpointError(
            EndpointError(
                requestType: "\(Request.self)", field: .call,
                reason: "has a folder for the state that can't be used: \(reason)", cause: cause))
    }
}

extension UploadRun {
    /// The state of a name, for which this waits two seconds: a call that was cancelled may still
    /// have it.
    private func store(named name: String) async throws -> UploadStore {
        for _ in 0..<40 {
            do { return try UploadStore(named: name, in: folder) } catch let error as UploadError {
                guard error.kind == .inUse else { throw error }
            }
            try await TransportClock.system.sleep(0.05)
        }
        return try UploadStore(named: name, in: folder)
    }

    /// A request of the upload, at the declared URL or at one that the server has named. Of the
    /// declared headers, it has those that are about it.
    func message(
        _ method: String, at url: URL?, as role: UploadRole, after first: TransportRequest,
        _ upload: Upload? = nil, headers: [String: String]
    ) throws -> TransportRequest {
        do throws(EndpointError) {
            var message =
                if let url {
                    try TransportRequest(of: request, in: environment, at: url, addingQuery: false)
                } else {
                    try TransportRequest(of: request, in: environment)
                }
            message = message.continuing(first)
            // An upload stays where it was begun.
            if url != nil, message.policy.redirects == .follow {
                message.policy.redirects = .followSameOrigin
            }
            message.urlRequest.httpMethod = method
            message.urlRequest.httpBodyStream = nil
            // A POST without a body must say so with a `Content-Length`.
            message.urlRequest.httpBody = method == "POST" && upload == nil ? Data() : nil
            for name in (message.urlRequest.allHTTPHeaderFields ?? [:]).keys
            where !role.isAbout(name.lowercased(), of: Request.uploading.kind) {
                message.urlRequest.setValue(nil, forHTTPHeaderField: name)
            }
            message.urlRequest.setValue(nil, forHTTPHeaderField: "Content-Type")
            // A cache's response would say what the server had earlier.
            message.urlRequest.cachePolicy = .reloadIgnoringLocalCacheData
            message.upload = upload
            for (name, value) in headers {
                message.urlRequest.setValue(value, forHTTPHeaderField: name)
            }
            return message
        } catch { throw TaskError.endpointError(error) }
    }

    /// Sends a request and returns the response, whatever its status.
    func send(_ message: TransportRequest) async throws -> UploadReply {
        let sent = message.startingNow()
        do {
            let (data, head) = try await transport.load(sent)
            return UploadReply(sent: sent, head: head, data: data)
        } catch { throw TaskError(loading: error, Request.self).traced(by: sent) }
    }

    /// The error of a response that the upload can't go on with.
    func failure(_ reply: UploadReply) -> TaskError {
        let unexpected = TaskError.unexpectedResponse(httpResponse: reply.head)
            .traced(by: reply.sent)
        guard (400..<600).contains(reply.head.statusCode) else { return unexpected }
        do {
            _ = try Request.decode(reply.data, reply.head, of: reply.sent)
            return unexpected
        } catch { return error }
    }

    /// Whether a later request may succeed, though a response has this status.
    func isTransient(_ status: Int) -> Bool {
        [408, 425, 429, 500, 502, 503, 504].contains(status)
    }

    /// The response to a request that is sent again while a failure may be transient.
    ///
    /// - Parameter isLocked: Whether a 409 or 423 says that the server will take it later.
    func reply(
        whileLocked isLocked: Bool = false, to make: () throws -> TransportRequest
    ) async throws -> UploadReply {
        var backoff = Backoff(delay: 1, limit: 5)
        while true {
            if Task.isCancelled { throw TaskError.cancelled(URLError(.cancelled)) }
            let failure: TaskError
            var head: HTTPURLResponse?
            do {
                let reply = try await send(make())
                let status = reply.head.statusCode
                guard isLocked && [409, 423].contains(status) || isTransient(status)
                else { return reply }
                (failure, head) = (self.failure(reply), reply.head)
            } catch {
                failure = typed(error)
                guard failure.isTransient else { throw failure }
            }
            try await wait(&backoff, after: head, orThrow: failure)
        }
    }

    /// Waits before another try: at least as long as a `Retry-After` asks, up to an hour.
    /// - Throws: The error if there were too many tries.
    func wait(
        _ backoff: inout Backoff, after head: HTTPURLResponse?, orThrow error: TaskError
    ) async throws {
        guard let delay = backoff.next() else { throw error }
        let asked = head?.value(forHTTPHeaderField: "Retry-After")?.trimmingBlanks ?? ""
        let now = clock.date()
        let seconds =
            asked.cappedNumber
            ?? HTTPDate.date(asked, now: now).map { $0.timeIntervalSince(now) } ?? 0
        do { try await clock.sleep(max(delay, min(seconds, 3600))) } catch {
            throw TaskError(loading: error, Request.self)
        }
    }

    /// Reads or writes the state. Waits ten seconds for others who change the folder.
    func keeping<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        for attempt in 1... {
            do { return try await inBackground(body) } catch {
                guard attempt < 1000, (error as? UploadError)?.kind == .inUse
                else { throw failure(keeping: error) }
            }
            // Also in a task that is cancelled, so that what the server has isn't forgotten.
            await Task.detached { try? await TransportClock.system.sleep(0.01) }.value
        }
        throw failure(keeping: UploadError(.inUse))
    }

    /// Runs calls that may take a while, such as `fsync`. A task shouldn't block its thread for so
    /// long.
    private func inBackground<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// An error of this type as what it is.
    ///
    /// Functions of an upload don't say which type they throw: the optimizer of Swift 6.3.1 ends
    /// with a crash for some that throw a generic one.
    func typed(_ error: any Error) -> TaskError {
        error as? TaskError ?? TaskError(loading: error, Request.self)
    }

    func failure(_ kind: UploadError.Kind, _ sent: TransportRequest) -> TaskError {
        .transportError(TransportError(cause: UploadError(kind))).traced(by: sent)
    }
}

/// What a request of an upload is for.
enum UploadRole {
    case creation
    /// A piece, or a question.
    case piece
    /// The one that makes an object of the parts.
    case end

    /// Whether a declared header, in lower case, is about this request. Those about the content say
    /// nothing of a piece, a key is that of one request, and a condition is that of the one after
    /// which the file is there.
    func isAbout(_ name: String, of kind: Resumable.Kind) -> Bool {
        switch name {
        // No request has the whole content.
        case "content-digest", "content-md5", "content-length", "content-range", "digest": false
        case "idempotency-key", "upload-metadata": self == .creation
        case "if-match", "if-none-match", "if-modified-since", "if-unmodified-since":
            if case .s3 = kind { self == .end } else { self == .creation }
        default: self == .creation || !name.hasPrefix("content-")
        }
    }
}
