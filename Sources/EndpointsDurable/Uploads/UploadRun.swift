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
    func reply() async throws(TaskError) -> UploadReply {
        let first = try declared()
        let file = try file(of: first)
        let store = try await open(first, file)
        store.removeOld(at: clock.date())
        var upload = PiecewiseUpload(
            run: self, first: first, file: file, store: store, state: store.read())
        let reply = try await upload.reply()
        meter.finish(file.size)
        return reply
    }

    @concurrent
    func discard() async throws(TaskError) {
        let first = try declared()
        let file = try file(of: first)
        let store = try await open(first, file)
        guard let state = store.read() else { return }
        let upload = PiecewiseUpload(
            run: self, first: first, file: file, store: store, state: state)
        try await upload.giveUp()
    }

    /// The request as it is declared, without a body.
    private func declared() throws(TaskError) -> TransportRequest {
        do throws(EndpointError) {
            let size = Request.uploading.chunkSize
            guard size > 0 else {
                throw refusal(
                    .call, "has pieces of \(size) bytes; write a `chunkSize` of 1 or more")
            }
            guard !Request.streamsResponse else {
                throw refusal(
                    .response, "is a stream, which an upload in pieces can't return; use another")
            }
            let first = try TransportRequest(of: request, in: environment)
            guard first.urlRequest.httpMethod == "POST" else {
                throw refusal(.method, "must be POST, with which tus creates an upload")
            }
            return first
        } catch { throw .endpointError(error) }
    }

    private func refusal(_ field: EndpointError.Field, _ reason: String) -> EndpointError {
        EndpointError(requestType: "\(Request.self)", field: field, reason: reason)
    }

    private func file(of first: TransportRequest) throws(TaskError) -> UploadedFile {
        guard let pieces = first.upload?.pieces, pieces.count == 1 else {
            throw .endpointError(
                refusal(.body, "isn't the file any more; don't replace it in `prepare`"))
        }
        do { return try UploadedFile(pieces[0]) } catch { throw .fileError(error) }
    }

    /// The state of the upload of this file to this place by this account.
    private func open(
        _ first: TransportRequest, _ file: UploadedFile
    ) async throws(TaskError) -> UploadStore {
        do {
            let account = try await Accounts(inside: transport).account(of: first)
            let name = Digest(
                """
                \(first.urlRequest.httpMethod ?? "") \(first.urlRequest.url?.absoluteString ?? "")
                \(Request.uploading.kind)
                \(account?.id ?? "")
                \(file.place)
                """)
            return try await store(named: name.hex)
        } catch let error as FolderError {
            throw .endpointError(
                EndpointError(
                    requestType: "\(Request.self)", field: .call,
                    reason: "has a folder for the state that can't be used: \(error.reason)",
                    cause: error.cause))
        } catch { throw TaskError(loading: error, Request.self) }
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

    /// A request of the upload, at the declared URL or at one that the server has named.
    func message(
        _ method: String, at url: URL?, after first: TransportRequest, _ upload: Upload? = nil,
        headers: [String: String]
    ) throws(TaskError) -> TransportRequest {
        do throws(EndpointError) {
            var message =
                if let url {
                    try TransportRequest(
                        of: request, in: environment, at: url, addingQuery: false
                    ).continuing(first)
                } else { first }
            message.urlRequest.httpMethod = method
            message.urlRequest.httpBody = nil
            message.urlRequest.httpBodyStream = nil
            message.urlRequest.setValue(nil, forHTTPHeaderField: "Content-Type")
            message.urlRequest.cachePolicy = .reloadIgnoringLocalCacheData
            message.upload = upload
            for (name, value) in headers {
                message.urlRequest.setValue(value, forHTTPHeaderField: name)
            }
            return message
        } catch { throw .endpointError(error) }
    }

    /// Sends a request and returns the response, whatever its status.
    func send(_ message: TransportRequest) async throws(TaskError) -> UploadReply {
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

    func failure(_ kind: UploadError.Kind, _ sent: TransportRequest) -> TaskError {
        .transportError(TransportError(cause: UploadError(kind))).traced(by: sent)
    }
}
