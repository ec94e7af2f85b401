import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A file in parts that are uploads of their own, several at a time, and that the server of tus
/// joins at the end (https://tus.io/protocols/resumable-upload#concatenation).
struct JoinedUpload<Request: ResumableRequest>: Sendable {
    typealias TaskError = Request.TaskError

    private let run: UploadRun<Request>
    private let first: TransportRequest
    private let file: UploadedFile
    private let store: UploadStore
    private let state: UploadState?

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

    /// Uploads in as many lanes, or in one if the server doesn't join parts.
    func reply(_ lanes: Int) async throws -> UploadReply {
        if let state, state.file != file.identity {
            try await giveUp()
            throw run.failure(.fileChanged, first)
        }
        // The state is on a disk, where others may have changed it.
        if let state, state.hasUsableParts {
            return try await joined(PartsState(state, in: store), lanes)
        }
        let options = try await options()
        let parts = parts(lanes)
        guard options.joins, parts.count > 1 else {
            var upload = PiecewiseUpload(
                run: run, first: first, file: file,
                lane: UploadLane(of: file, in: store, reporting: run.meter), state: nil,
                options: options)
            return try await upload.reply()
        }
        var state = UploadState(uploading: Request.uploading.name, file: file.identity)
        state.checksum = options.checksum
        state.parts = parts
        // If this can't be written, nothing was sent.
        let (store, new) = (store, state)
        try await run.keeping { try store.write(new) }
        return try await joined(PartsState(state, in: store), lanes)
    }

    private func joined(_ parts: PartsState, _ lanes: Int) async throws -> UploadReply {
        for attempt in 1... {
            do { try await send(parts, lanes) } catch {
                if [.fileChanged, .wrongOffset].contains(run.uploadError(in: error)?.kind) {
                    await terminate(parts.state)
                    try await remove()
                } else if parts.state.parts?.allSatisfy({ $0.url == nil }) != false {
                    // A state without a URL is of no use to the next call.
                    try? await remove()
                }
                throw error
            }
            let reply = try await join(parts.state)
            switch reply.head.statusCode {
            case 200..<300:
                // The server has all. If this fails, the next call joins the parts again.
                try? await remove()
                try await checkLength(reply)
                return reply
            // A part is gone, or isn't whole any more: then the server is asked for each.
            case 400, 404, 410:
                guard attempt < 3 else { throw try await refused(reply, parts.state) }
            default: throw try await refused(reply, parts.state)
            }
        }
        throw run.failure(.notJoined, first)
    }

    private func refused(_ reply: UploadReply, _ state: UploadState) async throws -> TaskError {
        switch reply.head.statusCode {
        case 400, 404, 405, 410, 413, 415, 422, 501:
            await terminate(state)
            try await remove()
            let isTooLarge = reply.head.statusCode == 413
            return run.failure(isTooLarge ? .tooLarge : .notJoined, reply.sent)
        case 412: return run.failure(.unsupported, reply.sent)
        default: return run.failure(reply)
        }
    }

    /// Sends what the server lacks of the parts, several at a time.
    private func send(_ parts: PartsState, _ lanes: Int) async throws {
        let state = parts.state
        let (ends, sent) = (state.parts ?? [], SentBytes(run.meter, of: file.size))
        let options = TusOptions(checksum: state.checksum, joins: true)
        var failure: TaskError?
        await withTaskGroup(of: TaskError?.self) { group in
            var rest = ends.indices[...]
            func begin() {
                guard failure == nil, let index = rest.popFirst() else { return }
                let start = index == 0 ? 0 : ends[index - 1].end
                let lane = UploadLane(
                    range: start..<ends[index].end, isPart: true,
                    show: { sent.set($0, of: index + 1) },
                    write: { try parts.set($0.url, of: index) },
                    remove: { try parts.set(nil, of: index) })
                var own = state
                (own.url, own.parts) = (ends[index].url, nil)
                let known = own.url == nil ? nil : own
                group.addTask {
                    var upload = PiecewiseUpload(
                        run: run, first: first, file: file, lane: lane, state: known,
                        options: options)
                    do { _ = try await upload.reply() } catch { return run.typed(error) }
                    return nil
                }
            }
            for _ in 0..<max(1, lanes) { begin() }
            for await error in group {
                if let error {
                    failure = failure ?? error
                    group.cancelAll()
                }
                begin()
            }
        }
        if let failure { throw failure }
    }

    /// Has the server join the parts. Sends the request again while a failure may be transient.
    private func join(_ state: UploadState) async throws -> UploadReply {
        let urls = (state.parts ?? []).compactMap(\.url)
        // It is locked if the server still reads a part.
        return try await run.reply(whileLocked: true) {
            try run.message(
                "POST", at: nil, as: .creation, after: first,
                headers: [
                    "Tus-Resumable": "1.0.0",
                    "Upload-Concat": "final;\(urls.joined(separator: " "))",
                    "Upload-Metadata": run.metadata(first),
                ])
        }
    }

    /// Throws if the server says that what it has joined has another length than the file.
    private func checkLength(_ reply: UploadReply) async throws {
        guard let url = reply.location,
            let message = try? run.message(
                "HEAD", at: url, as: .piece, after: first, headers: ["Tus-Resumable": "1.0.0"]),
            let asked = try? await run.send(message), asked.head.statusCode / 100 == 2
        else { return }
        guard asked.length ?? file.size == file.size
        else { throw run.failure(.wrongOffset, asked.sent) }
    }

    private func options() async throws -> TusOptions {
        var backoff = Backoff(delay: 1, limit: 5)
        while true {
            do { return try await run.options(first, of: file) } catch {
                let error = run.typed(error)
                guard error.isTransient, run.uploadError(in: error) == nil else { throw error }
                try await run.wait(&backoff, after: nil, orThrow: error)
            }
        }
    }

    /// The parts of a new upload: whole pieces, about as many in each.
    private func parts(_ lanes: Int) -> [UploadState.Part] {
        let size = file.size, piece = Request.uploading.chunkSize
        guard size > piece else { return [] }
        let pieces = (size - 1) / piece + 1
        let length = ((pieces - 1) / Int64(max(1, lanes)) + 1) * piece
        return stride(from: 0, to: size, by: Int64.Stride(length)).map {
            UploadState.Part(end: $0 + min(length, size - $0))
        }
    }
}

extension JoinedUpload {
    /// Removes the state, and asks the server to remove the parts.
    func giveUp() async throws {
        await terminate(state)
        try await remove()
    }

    private func remove() async throws {
        let store = store
        try await run.keeping { try store.remove() }
    }

    /// Asks the server to remove the parts (extension “termination” of tus).
    private func terminate(_ state: UploadState?) async {
        for url in (state?.parts ?? []).compactMap({ $0.url.flatMap(URL.init) }) {
            guard
                let message = try? run.message(
                    "DELETE", at: url, as: .piece, after: first,
                    headers: ["Tus-Resumable": "1.0.0"])
            else { continue }
            _ = try? await run.send(message)
        }
    }
}

extension UploadState {
    /// Whether the parts can be those of the file, one after another.
    fileprivate var hasUsableParts: Bool {
        guard let parts, (2...8).contains(parts.count), parts.last?.end == file.size
        else { return false }
        return zip([0] + parts.map(\.end), parts).allSatisfy { $0 < $1.end }
    }
}

/// The state of the parts, which several lanes change.
private final class PartsState: Sendable {
    private let store: UploadStore
    private let locked: Locked<UploadState>

    var state: UploadState { locked.withLock(\.self) }

    init(_ state: UploadState, in store: UploadStore) {
        self.store = store
        locked = Locked(state)
    }

    /// Writes where the server takes a part, so that it is on the disk when this returns.
    func set(_ url: String?, of part: Int) throws {
        try locked.withLock { state in
            var new = state
            new.parts?[part].url = url
            guard new != state else { return }
            try store.write(new)
            state = new
        }
    }
}

/// The bytes that one upload at the server has, and where its state is kept.
struct UploadLane: Sendable {
    /// The bytes of the file.
    let range: Range<Int64>
    /// Whether the server is to join it with others.
    let isPart: Bool
    /// Shows how many of the bytes were sent.
    let show: @Sendable (Int64) -> Void
    let write: @Sendable (UploadState) throws -> Void
    let remove: @Sendable () throws -> Void
}

extension UploadLane {
    /// The whole file.
    init(of file: UploadedFile, in store: UploadStore, reporting meter: UploadMeter) {
        range = 0..<file.size
        isPart = false
        show = { meter.show($0, of: file.size) }
        write = { try store.write($0) }
        remove = { try store.remove() }
    }
}

/// What a server of tus says of itself.
struct TusOptions: Sendable {
    /// The digest with which it checks pieces; `nil` if it doesn't, or doesn't say.
    var checksum: String?
    /// Whether it joins parts.
    var joins = false
}

extension UploadRun {
    /// Asks a server of tus what it takes. Throws if it says that it can't take this file.
    func options(
        _ first: TransportRequest, of file: UploadedFile
    ) async throws -> TusOptions {
        let reply = try await send(
            message("OPTIONS", at: nil, as: .piece, after: first, headers: [:]))
        guard (200..<300).contains(reply.head.statusCode) else { return TusOptions() }
        let versions = reply.list("Tus-Version")
        guard versions.isEmpty || versions.contains("1.0.0")
        else { throw failure(.unsupported, reply.sent) }
        guard file.size <= reply.number("Tus-Max-Size") ?? .max
        else { throw failure(.tooLarge, reply.sent) }
        let extensions = reply.list("Tus-Extension")
        var options = TusOptions(joins: extensions.contains("concatenation"))
        if extensions.contains("checksum") {
            let algorithms = reply.list("Tus-Checksum-Algorithm")
            options.checksum = ["sha256", "sha1"].first(where: algorithms.contains)
        }
        return options
    }

    /// The metadata of tus: what the request declares, and that of the file.
    func metadata(_ first: TransportRequest) -> String {
        let items = ["filename": request.body.name, "filetype": request.body.contentType.rawValue]
        let declared = (first.urlRequest.value(forHTTPHeaderField: "Upload-Metadata") ?? "")
            .split(separator: ",").map { String($0).trimmingBlanks }
        let names = declared.map { $0.prefix { $0 != " " } }
        let own = items.sorted { $0.key < $1.key }
            .filter { !names.contains(Substring($0.key)) && !$0.value.isEmpty }
            .map { "\($0.key) \(Data($0.value.utf8).base64EncodedString())" }
        return (declared + own).joined(separator: ",")
    }

    func uploadError(in error: any Error) -> UploadError? {
        typed(error).cause as? UploadError
    }
}
