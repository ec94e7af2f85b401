import Endpoints
import EndpointsShared
import EndpointsStructuredFields
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An upload to a URL that the server names, to which pieces are sent one after another: tus 1.0.0
/// (https://tus.io/protocols/resumable-upload) and draft-ietf-httpbis-resumable-upload. How much
/// the server has is always what it says.
struct PiecewiseUpload<Request: ResumableRequest> {
    typealias TaskError = Request.TaskError

    private let run: UploadRun<Request>
    private let first: TransportRequest
    private let file: UploadedFile
    private let lane: UploadLane
    private let isTus: Bool
    /// What a server of tus says of itself; `nil` if it must be asked before a new upload.
    private let options: TusOptions?
    private var state: UploadState?
    /// The state of an upload that the server has said it doesn't know. It may know it again, as
    /// after an outage, until there is another one.
    private var old: UploadState?
    /// How many bytes the server has; `nil` if it must be asked.
    private var offset: Int64?
    /// The most bytes that the server has ever had. Only bytes beyond these reset the backoff.
    private var furthest: Int64 = 0
    private var backoff = Backoff(delay: 1, limit: 5)
    private var creations = 0
    /// The end of the last bytes that were sent; `nil` if an earlier call has sent some.
    private var reach: Int64?
    /// How many bytes were sent, those that were sent twice counted twice.
    private let spent = Locked<Int64>(0)
    /// Whether the server is known to have stopped reading the pieces that were sent before.
    private var isConfirmed: Bool
    /// Whether the server takes a piece of no bytes.
    private var takesNoBytes = true

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
        run: UploadRun<Request>, first: TransportRequest, file: UploadedFile, lane: UploadLane,
        state: UploadState?, options: TusOptions? = nil
    ) {
        isTus = if case .tus = Request.uploading.kind { true } else { false }
        self.run = run
        self.first = first
        self.file = file
        self.lane = lane
        self.state = state
        self.options = options
        isConfirmed = state?.url == nil
    }

    /// How many bytes this uploads.
    private var size: Int64 { Int64(lane.range.count) }

    mutating func reply() async throws -> UploadReply {
        if let state, state.file != file.identity { throw try await changed() }
        do { return try await finished() } catch {
            // A state without a URL is of no use to the next call.
            let (lane, isOfUse) = (lane, (state ?? old)?.url != nil)
            if !isOfUse { try? await run.keeping { try lane.remove() } }
            throw error
        }
    }

    private mutating func finished() async throws -> UploadReply {
        while true {
            switch try await step() {
            case .goOn: continue
            case .finish(let reply):
                // The server has all. If the state can't be removed, the next call learns that from
                // the server. The state of a part is needed until the parts are joined.
                let lane = lane
                if !lane.isPart { try? await run.keeping { try lane.remove() } }
                return reply
            case .tryAgain(let error, let head):
                if state == nil { reach = nil }
                (state, offset) = (state ?? old, nil)
                try await run.wait(&backoff, after: head, orThrow: error)
            case .beginAnew(let error):
                guard creations < 3 else { throw error }
                (old, state, offset) = (state, nil, nil)
            }
        }
    }

    /// One request, and what to do after it.
    private mutating func step() async throws -> Step {
        if Task.isCancelled { throw TaskError.cancelled(URLError(.cancelled)) }
        do {
            guard let url = state?.url.flatMap(URL.init) else { return try await create() }
            guard let offset else { return try await ask(url) }
            guard isConfirmed || !takesNoBytes || !isTus
            else { return try await confirm(offset, at: url) }
            isConfirmed = false
            let step = try await append(from: offset, to: url)
            if case .goOn = step { isConfirmed = true }
            return step
        } catch {
            let error = run.typed(error)
            if case .fileError(let cause) = error, cause.kind == .changed {
                throw try await changed()
            }
            guard error.isTransient, !(error.cause is UploadError) else { throw error }
            return .tryAgain(error, after: nil)
        }
    }
}

extension PiecewiseUpload {
    /// Creates an upload, and keeps its URL (extension “creation” of tus).
    private mutating func create() async throws -> Step {
        var state = UploadState(uploading: Request.uploading.name, file: file.identity)
        // If this can't be written, nothing was sent. The old one stays until there is a new one.
        let (lane, present) = (lane, old ?? state)
        try await run.keeping { try lane.write(present) }
        if let options {
            state.checksum = options.checksum
        } else if isTus {
            state.checksum = try await run.options(first, of: file).checksum
        }
        let reply = try await run.send(creation())
        guard (200..<300).contains(reply.head.statusCode) else { return try refused(reply) }
        guard let url = reply.location, (try? message("HEAD", at: url)) != nil
        else { throw run.failure(.noLocation, reply.sent) }
        creations += 1
        state.url = url.absoluteString
        let new = state
        do { try await run.keeping { try lane.write(new) } } catch {
            self.state = state
            await terminate()
            self.state = nil
            throw error
        }
        (self.state, old, offset, furthest) = (state, nil, 0, 0)
        (reach, isConfirmed) = (0, true)
        return size == 0 && isTus ? .finish(reply) : .goOn
    }

    /// The digest of a piece, as `Upload-Checksum` has it (extension “checksum” of tus).
    private func digest(
        of piece: Upload, by algorithm: String
    ) async throws -> String {
        var (sha1, sha256) = (SHA1(), SHA256())
        do {
            for try await chunk in try piece.chunks() {
                if algorithm == "sha1" { sha1.update(chunk) } else { sha256.update(chunk) }
            }
        } catch { throw TaskError(loading: error, Request.self) }
        let digest = algorithm == "sha1" ? sha1.finalized() : sha256.finalized()
        return "\(algorithm) \(Data(digest).base64EncodedString())"
    }

    private func creation() throws -> TransportRequest {
        guard isTus else {
            return try run.message(
                first.urlRequest.httpMethod ?? "POST", at: nil, as: .creation, after: first,
                Upload([]),
                headers: [
                    "Upload-Draft-Interop-Version": Self.interopVersion, "Upload-Complete": "?0",
                    "Upload-Length": "\(file.size)",
                    "Content-Type": run.request.body.contentType.rawValue,
                ])
        }
        guard !lane.isPart else {
            // What is declared of the whole file goes with the request that joins the parts.
            return try run.message(
                "POST", at: nil, as: .piece, after: first,
                headers: [
                    "Tus-Resumable": "1.0.0", "Upload-Length": "\(size)",
                    "Upload-Concat": "partial",
                ])
        }
        return try run.message(
            "POST", at: nil, as: .creation, after: first,
            headers: [
                "Tus-Resumable": "1.0.0", "Upload-Length": "\(size)",
                "Upload-Metadata": run.metadata(first),
            ])
    }

    /// Asks how much the server has.
    private mutating func ask(_ url: URL) async throws -> Step {
        let reply = try await run.send(message("HEAD", at: url))
        guard (200..<300).contains(reply.head.statusCode) else { return try refused(reply) }
        guard let offset = reply.offset else { return .tryAgain(run.failure(reply), after: nil) }
        // A server that has bytes that were never sent would end up with another file.
        guard offset <= reach ?? size, offset <= size, reply.length ?? size == size
        else { throw try await gaveUp(.wrongOffset, reply.sent) }
        note(offset, isProgress: true)
        return offset == size && (isTus || reply.isComplete == true) ? .finish(reply) : .goOn
    }

    /// Asks with a piece of no bytes whether the server would take one at an offset.
    ///
    /// A server may still read what was sent before a cut. Until it notices the cut, it says that
    /// it has less than it will have, or that the upload is locked. It would refuse a piece, which
    /// would then be sent twice.
    private mutating func confirm(_ offset: Int64, at url: URL) async throws -> Step {
        let reply = try await run.send(
            message(
                "PATCH", at: url, Upload([]),
                headers: [
                    "Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream",
                ]))
        switch reply.head.statusCode {
        case 200..<300:
            isConfirmed = true
            return reply.offset ?? offset == offset
                ? .goOn : .tryAgain(run.failure(reply), after: nil)
        case 301..<400, 404, 409, 410, 412, 423, 460: return try refused(reply)
        case let status where run.isTransient(status): return try refused(reply)
        default:
            // A server that takes no such piece is sent the next one, as if it had taken it.
            takesNoBytes = false
            return .goOn
        }
    }

    /// Sends the next piece.
    private mutating func append(from offset: Int64, to url: URL) async throws -> Step {
        let end = min(size, offset + min(Request.uploading.chunkSize, size))
        let start = lane.range.lowerBound
        var piece = Upload([file.part(start + offset..<start + end)])
        var headers = [
            "Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream",
        ]
        if let checksum = state?.checksum {
            headers["Upload-Checksum"] = try await digest(of: piece, by: checksum)
        }
        // Don't capture the lane, which holds the state's lock: an error keeps its request, and
        // with it this closure.
        let (file, show, spent) = (file, lane.show, spent)
        let before = spent.withLock(\.self)
        piece.observe = { sent, _ in
            // Before these bytes leave, so that the server never has a mixture.
            try file.checkIsUnchanged()
            spent.withLock { $0 = max($0, before + sent) }
            show(offset + sent)
        }
        let isLast = end == size
        if !isTus {
            headers["Content-Type"] = "application/partial-upload"
            headers["Upload-Complete"] = isLast ? "?1" : "?0"
        }
        reach = reach.map { max($0, end) }
        let reply = try await run.send(message("PATCH", at: url, piece, headers: headers))
        guard (200..<300).contains(reply.head.statusCode) else { return try refused(reply) }
        // The response to the last piece is that of the resource, which may have no offset.
        if !isTus, isLast, reply.isComplete != false, reply.offset ?? end == end {
            return .finish(reply)
        }
        guard let next = reply.offset, next > offset, next <= end
        else { return .tryAgain(run.failure(reply), after: nil) }
        // If the server takes a byte of each piece, the file must not be sent as often.
        let isProgress = next - offset >= end - next
        note(next, isProgress: isProgress)
        guard isProgress else { return .tryAgain(run.failure(reply), after: nil) }
        return next == size && isTus ? .finish(reply) : .goOn
    }

    private mutating func note(_ offset: Int64, isProgress: Bool) {
        self.offset = offset
        lane.show(offset)
        guard offset > furthest else { return }
        furthest = offset
        // So that a server that refuses all but a byte of each piece doesn't get the file for ever.
        let isWaste = spent.withLock(\.self) / 8 > size + 8 * min(Request.uploading.chunkSize, size)
        if isProgress, !isWaste { backoff.reset() }
    }

    /// What to do after a status that isn't a success.
    private func refused(_ reply: UploadReply) throws -> Step {
        let error = run.failure(reply)
        switch reply.head.statusCode {
        case 300..<400 where state?.url != nil: throw run.failure(.redirected, reply.sent)
        // Servers of tus say so of an upload that they have removed. What is between them and the
        // client, such as a firewall, says it of anything.
        case 403
        where isTus && reply.sent.urlRequest.httpMethod == "HEAD"
            && reply.head.value(forHTTPHeaderField: "Tus-Resumable") != nil:
            return .beginAnew(error)
        case 404, 410:
            guard state?.url != nil else { throw error }
            return .beginAnew(error)
        // First: another offset than the server's, locked, and a checksum that doesn't match.
        case 409, 423, 460: return .tryAgain(error, after: reply.head)
        case let status where run.isTransient(status):
            return .tryAgain(error, after: reply.head)
        case 412: throw run.failure(.unsupported, reply.sent)
        case 413 where state?.url == nil: throw run.failure(.tooLarge, reply.sent)
        default: throw error
        }
    }

    private func message(
        _ method: String, at url: URL, _ piece: Upload? = nil, headers: [String: String] = [:]
    ) throws -> TransportRequest {
        try run.message(
            method, at: url, as: .piece, after: first, piece,
            headers: headers.merging(
                isTus
                    ? ["Tus-Resumable": "1.0.0"]
                    : ["Upload-Draft-Interop-Version": Self.interopVersion]
            ) { $1 })
    }

    /// The version of the draft's protocol on the wire.
    private static var interopVersion: String { "6" }
}

extension PiecewiseUpload {
    /// Gives the upload up, because the file is another one now.
    private func changed() async throws -> TaskError {
        try await gaveUp(.fileChanged, first)
    }

    private func gaveUp(
        _ kind: UploadError.Kind, _ sent: TransportRequest
    ) async throws -> TaskError {
        try await giveUp()
        return run.failure(kind, sent)
    }

    /// Removes the state, and asks the server to remove what it has.
    func giveUp() async throws {
        await terminate()
        let lane = lane
        try await run.keeping { try lane.remove() }
    }

    /// Asks the server to remove what it has (extension “termination” of tus).
    private func terminate() async {
        guard let url = state?.url.flatMap(URL.init), let message = try? message("DELETE", at: url)
        else { return }
        _ = try? await run.send(message)
    }
}

extension UploadReply {
    func number(_ name: String) -> Int64? {
        head.value(forHTTPHeaderField: name)?.trimmingBlanks.wholeNumber
    }

    /// The members of a list, in lower case.
    func list(_ name: String) -> [String] {
        head.value(forHTTPHeaderField: name)?.listMembers ?? []
    }

    var offset: Int64? { size("Upload-Offset") }
    var length: Int64? { size("Upload-Length") }

    /// The value of a field that is an item (RFC 9651, section 3.3), as the draft of the IETF says.
    private func item(_ name: String) -> StructuredValue? {
        head.value(forHTTPHeaderField: name).flatMap(StructuredValue.init(item:))
    }

    /// A number of bytes: digits, as many as tus allows, or an integer (RFC 9651) of the draft.
    private func size(_ name: String) -> Int64? {
        if let size = number(name) { return size }
        guard case .integer(let size)? = item(name), size >= 0 else { return nil }
        return size
    }

    /// Whether the server has all of the file, by the draft's `Upload-Complete`; `nil` if the
    /// response doesn't say.
    fileprivate var isComplete: Bool? {
        guard case .boolean(let isComplete)? = item("Upload-Complete") else { return nil }
        return isComplete
    }

    /// The URL of a `Location`, which may be relative to the request's.
    var location: URL? {
        guard let text = head.value(forHTTPHeaderField: "Location")?.trimmingBlanks, !text.isEmpty
        else { return nil }
        return URL(string: text, relativeTo: head.url ?? sent.urlRequest.url)?.absoluteURL
    }
}

extension EndpointTaskError {
    /// What the transport threw, if it is of no type that the library knows.
    var cause: (any Error)? {
        if case .transportError(let error) = self { error.cause } else { nil }
    }
}
