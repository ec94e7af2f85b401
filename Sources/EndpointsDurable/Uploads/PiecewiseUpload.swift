import Endpoints
import EndpointsShared
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
    private let store: UploadStore
    private let isTus: Bool
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
        isTus = Request.uploading.kind == .tus
        self.run = run
        self.first = first
        self.file = file
        self.store = store
        self.state = state
    }

    mutating func reply() async throws -> UploadReply {
        if let state, state.file != file.identity { throw try await changed() }
        do { return try await finished() } catch {
            // A state without a URL is of no use to the next call.
            let (store, isOfUse) = (store, (state ?? old)?.url != nil)
            if !isOfUse { try? await run.keeping { try store.remove() } }
            throw error
        }
    }

    private mutating func finished() async throws -> UploadReply {
        while true {
            switch try await step() {
            case .goOn: continue
            case .finish(let reply):
                // The server has all. A state that stays says so to the next call, too.
                let store = store
                try? await run.keeping { try store.remove() }
                return reply
            case .tryAgain(let error, let head):
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
            return try await append(from: offset, to: url)
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
        let (store, present) = (store, old ?? state)
        try await run.keeping { try store.write(present) }
        if isTus { state.checksum = try await checksum() }
        let reply = try await run.send(creation())
        guard (200..<300).contains(reply.head.statusCode) else { return try refused(reply) }
        guard let url = reply.location, (try? message("HEAD", at: url)) != nil
        else { throw run.failure(.noLocation, reply.sent) }
        creations += 1
        state.url = url.absoluteString
        let new = state
        do { try await run.keeping { try store.write(new) } } catch {
            self.state = state
            await terminate()
            self.state = nil
            throw error
        }
        (self.state, old, offset, furthest) = (state, nil, 0, 0)
        return file.size == 0 && isTus ? .finish(reply) : .goOn
    }

    /// The digest with which the server checks pieces; `nil` if it doesn't, or doesn't say. Throws
    /// if it says that it can't take this file.
    private func checksum() async throws -> String? {
        let reply = try await run.send(
            run.message("OPTIONS", at: nil, as: .piece, after: first, headers: [:]))
        guard (200..<300).contains(reply.head.statusCode) else { return nil }
        let versions = reply.list("Tus-Version")
        guard versions.isEmpty || versions.contains("1.0.0")
        else { throw run.failure(.unsupported, reply.sent) }
        guard file.size <= reply.number("Tus-Max-Size") ?? .max
        else { throw run.failure(.tooLarge, reply.sent) }
        guard reply.list("Tus-Extension").contains("checksum") else { return nil }
        let algorithms = reply.list("Tus-Checksum-Algorithm")
        return ["sha256", "sha1"].first(where: algorithms.contains)
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
        let (name, type) = (run.request.body.name, run.request.body.contentType.rawValue)
        return try run.message(
            "POST", at: nil, as: .creation, after: first,
            headers: [
                "Tus-Resumable": "1.0.0", "Upload-Length": "\(file.size)",
                "Upload-Metadata": metadata(["filename": name, "filetype": type]),
            ])
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
    private mutating func ask(_ url: URL) async throws -> Step {
        let reply = try await run.send(message("HEAD", at: url))
        guard (200..<300).contains(reply.head.statusCode) else { return try refused(reply) }
        guard let offset = reply.offset else { return .tryAgain(run.failure(reply), after: nil) }
        guard offset <= file.size, reply.length ?? file.size == file.size
        else { throw try await gaveUp(.wrongOffset, reply.sent) }
        note(offset, isProgress: true)
        return offset == file.size && (isTus || reply.isComplete == true) ? .finish(reply) : .goOn
    }

    /// Sends the next piece.
    private mutating func append(from offset: Int64, to url: URL) async throws -> Step {
        let end = min(file.size, offset + min(Request.uploading.chunkSize, file.size))
        var piece = Upload([file.part(offset..<end)])
        var headers = [
            "Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream",
        ]
        if let checksum = state?.checksum {
            headers["Upload-Checksum"] = try await digest(of: piece, by: checksum)
        }
        let (file, meter) = (file, run.meter)
        piece.observe = { sent, _ in
            // Before these bytes leave, so that the server never has a mixture.
            try file.checkIsUnchanged()
            meter.show(offset + sent, of: file.size)
        }
        let isLast = end == file.size
        if !isTus {
            headers["Content-Type"] = "application/partial-upload"
            headers["Upload-Complete"] = isLast ? "?1" : "?0"
        }
        let reply = try await run.send(message("PATCH", at: url, piece, headers: headers))
        guard (200..<300).contains(reply.head.statusCode) else { return try refused(reply) }
        // The response to the last piece is that of the resource, which may have no offset.
        if !isTus, isLast, reply.isComplete != false { return .finish(reply) }
        guard let next = reply.offset, next > offset, next <= end
        else { return .tryAgain(run.failure(reply), after: nil) }
        // If the server takes a byte of each piece, the file must not be sent as often.
        let isProgress = next - offset >= end - next
        note(next, isProgress: isProgress)
        guard isProgress else { return .tryAgain(run.failure(reply), after: nil) }
        return next == file.size && isTus ? .finish(reply) : .goOn
    }

    private mutating func note(_ offset: Int64, isProgress: Bool) {
        self.offset = offset
        run.meter.show(offset, of: file.size)
        guard offset > furthest else { return }
        furthest = offset
        if isProgress { backoff.reset() }
    }

    /// What to do after a status that isn't a success.
    private func refused(_ reply: UploadReply) throws -> Step {
        let error = run.failure(reply)
        switch reply.head.statusCode {
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
        let store = store
        try await run.keeping { try store.remove() }
    }

    /// Asks the server to remove what it has (extension “termination” of tus).
    private func terminate() async {
        guard let url = state?.url.flatMap(URL.init), let message = try? message("DELETE", at: url)
        else { return }
        _ = try? await run.send(message)
    }
}

extension UploadReply {
    fileprivate func number(_ name: String) -> Int64? {
        head.value(forHTTPHeaderField: name)?.trimmingBlanks.wholeNumber
    }

    /// The members of a list, in lower case.
    fileprivate func list(_ name: String) -> [String] {
        head.value(forHTTPHeaderField: name)?.listMembers ?? []
    }

    fileprivate var offset: Int64? { number("Upload-Offset") }
    fileprivate var length: Int64? { number("Upload-Length") }

    /// Whether the server has all of the file, as the draft of the IETF says it; `nil` if it
    /// doesn't.
    fileprivate var isComplete: Bool? {
        switch head.value(forHTTPHeaderField: "Upload-Complete")?.trimmingBlanks {
        case "?1": true
        case "?0": false
        default: nil
        }
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
    var cause: (any Error)? {
        if case .transportError(let error) = self { error.cause } else { nil }
    }
}
