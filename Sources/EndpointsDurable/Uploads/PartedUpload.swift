import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A multipart upload of S3: its parts are sent in any order, several at a time, and put together
/// at the end. Which parts the server has is always what it says
/// (https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html).
struct PartedUpload<Request: ResumableRequest>: Sendable {
    typealias TaskError = Request.TaskError

    private let run: UploadRun<Request>
    private let first: TransportRequest
    private let file: UploadedFile
    private let store: UploadStore
    private var state: UploadState?
    /// The state of an upload that the server has said it doesn't know, until there is another one.
    private var old: UploadState?

    /// How a series of requests has ended.
    private enum End<Value: Sendable>: Sendable {
        case value(Value)
        /// The server doesn't know the upload.
        case forgotten(UploadReply)
    }

    init(
        run: UploadRun<Request>, first: TransportRequest, file: UploadedFile, store: UploadStore,
        state: UploadState?
    ) {
        self.run = run
        self.first = first
        self.file = file
        self.store = store
        // The file is on a disk, where others may have changed it.
        self.state = state.flatMap { $0.hasUsableParts ? $0 : nil }
    }

    mutating func reply() async throws -> UploadReply {
        if let state, state.file != file.identity { throw try await changed() }
        let store = store
        var isNew = false
        for attempt in 1... {
            do {
                if state?.id == nil {
                    try await create()
                    isNew = true
                }
                let end = try await finish(isNew: isNew)
                switch end {
                case .value(let reply):
                    // The server has all. A state that stays says so to the next call, too.
                    try? await run.keeping { try store.remove() }
                    return reply
                case .forgotten(let reply):
                    guard attempt < 3 else { throw run.failure(reply) }
                    (old, state) = (state, nil)
                }
            } catch {
                if case .fileError(let cause) = run.typed(error), cause.kind == .changed {
                    throw try await changed()
                }
                // A state without the server's name is of no use to the next call.
                if (state ?? old)?.id == nil { try? await run.keeping { try store.remove() } }
                throw error
            }
        }
        throw run.failure(.unsupported, first)
    }

    /// Sends the parts that the server lacks, and has it put them together.
    private mutating func finish(isNew: Bool) async throws -> End<UploadReply> {
        var tags: [Int: String] = [:]
        if !isNew {
            switch try await storedParts() {
            case .value(let parts): tags = parts
            case .forgotten(let reply): return try await completed() ?? .forgotten(reply)
            }
        }
        if let reply = try await sendParts(&tags) { return .forgotten(reply) }
        let list = (1...count).compactMap { tags[$0] }
        // The response to what ends the upload may be lost, and then the server has no upload any
        // more, but the object. If this can't be written, as on a full disk, only this call knows.
        if Self.tag(of: list) != nil, var state {
            state.tags = list
            let (store, new) = (store, state)
            self.state = state
            try? await run.keeping { try store.write(new) }
        }
        let end = try await complete(list)
        guard case .forgotten = end else { return end }
        return try await completed() ?? end
    }
}

extension PartedUpload {
    private var partSize: Int64 { state?.partSize ?? Self.partSize(for: file.size) }

    /// How many parts there are: at least one, which may be empty.
    private var count: Int { Int(max(1, (file.size - 1) / partSize + 1)) }

    private func range(_ number: Int) -> Range<Int64> {
        let start = Int64(number - 1) * partSize
        return start..<start + min(file.size - start, partSize)
    }

    /// The declared size, or a larger one in whole MB, as there may be 10,000 parts.
    static func partSize(for size: Int64) -> Int64 {
        let least = size / 10_000 + (size % 10_000 > 0 ? 1 : 0)
        guard least > Request.uploading.chunkSize else {
            return min(Request.uploading.chunkSize, max(size, 1))
        }
        return (least + (1 << 20) - 1) / (1 << 20) * (1 << 20)
    }

    /// Throws for parts that Amazon S3 would refuse, some of them only when all have been sent.
    private func checkPartSize() throws {
        let host = first.urlRequest.url?.host?.lowercased() ?? ""
        guard
            [".amazonaws.com", ".amazonaws.com.cn", ".amazonaws.eu"].contains(where: host.hasSuffix)
        else { return }
        if count > 1, partSize < 5 << 20 { throw tooSmall }
        guard partSize > 5 << 30 else { return }
        guard Request.uploading.chunkSize > 5 << 30 else { throw run.failure(.tooLarge, first) }
        throw TaskError.endpointError(
            run.refusal(
                .call,
                """
                has parts of \(partSize) bytes, which is more than Amazon S3 takes; write a \
                `partSize` of at most `5 << 30`
                """))
    }

    private mutating func create() async throws {
        try checkPartSize()
        var state = UploadState(uploading: Request.uploading.name, file: file.identity)
        // If this can't be written, nothing was sent.
        let (store, present) = (store, old ?? state)
        try await run.keeping { try store.write(present) }
        let reply = try await run.reply {
            () throws in
            try message(
                "POST", "uploads=", as: .creation,
                headers: ["Content-Type": run.request.body.contentType.rawValue])
        }
        guard (200..<300).contains(reply.head.statusCode) else { throw run.failure(reply) }
        guard let id = XMLTexts(reply.data)["UploadId"], !id.isEmpty
        else { throw run.failure(.unsupported, reply.sent) }
        state.id = id
        state.partSize = Self.partSize(for: file.size)
        self.state = state
        let new = state
        do { try await run.keeping { try store.write(new) } } catch {
            await abort()
            self.state = nil
            throw error
        }
        old = nil
    }

    /// The tags of the parts that the server has whole.
    private func storedParts() async throws -> End<[Int: String]> {
        var tags: [Int: String] = [:]
        var marker = 0
        while true {
            let after = marker
            let reply = try await run.reply { () throws in
                try message("GET", "uploadId=\(id)&part-number-marker=\(after)")
            }
            guard (200..<300).contains(reply.head.statusCode) else { return try refused(reply) }
            let texts = XMLTexts(reply.data)
            var part: [String: String] = [:]
            for (name, text) in texts.elements {
                if let text { part[name] = text }
                guard name == "Part", text == nil else { continue }
                if let number = part["PartNumber"].flatMap(Int.init), (1...count).contains(number),
                    let tag = part["ETag"], part["Size"] == "\(range(number).count)"
                {
                    tags[number] = tag
                }
                marker = max(marker, part["PartNumber"].flatMap(Int.init) ?? marker)
                part = [:]
            }
            guard texts["IsTruncated"] == "true", marker > after, marker < count else {
                return .value(tags)
            }
        }
    }

    /// Sends the parts without a tag, several at a time. Returns the response of a server that
    /// doesn't know the upload any more.
    private func sendParts(_ tags: inout [Int: String]) async throws -> UploadReply? {
        let missing = (1...count).filter { tags[$0] == nil }
        let sent = SentBytes(run.meter, of: file.size)
        sent.set((1...count).filter { tags[$0] != nil }.map { Int64(range($0).count) }.reduce(0, +))
        guard case .s3(let lanes) = Request.uploading.kind else { return nil }
        var failure: TaskError?
        var forgotten: UploadReply?
        await withTaskGroup(of: (Int, Result<End<String>, TaskError>).self) { group in
            var rest = missing[...]
            func begin() {
                guard failure == nil, forgotten == nil, let number = rest.popFirst()
                else { return }
                group.addTask {
                    do {
                        return (number, .success(try await send(number, sent)))
                    } catch { return (number, .failure(run.typed(error))) }
                }
            }
            for _ in 0..<lanes { begin() }
            for await (number, result) in group {
                switch result {
                case .success(.value(let tag)): tags[number] = tag
                case .success(.forgotten(let reply)):
                    forgotten = reply
                    group.cancelAll()
                case .failure(let error):
                    failure = failure ?? error
                    group.cancelAll()
                }
                begin()
            }
        }
        if let failure, forgotten == nil { throw failure }
        return forgotten
    }

    private func send(_ number: Int, _ sent: SentBytes) async throws -> End<String> {
        let (range, file) = (range(number), file)
        let reply = try await run.reply { () throws in
            var piece = Upload([file.part(range)])
            piece.observe = { count, _ in
                // Before these bytes leave, so that the server never has a mixture.
                try file.checkIsUnchanged()
                sent.set(count, of: number)
            }
            return try message("PUT", "partNumber=\(number)&uploadId=\(id)", piece)
        }
        guard (200..<300).contains(reply.head.statusCode) else { return try refused(reply) }
        guard let tag = reply.head.value(forHTTPHeaderField: "ETag"), !tag.isEmpty
        else { throw run.failure(reply) }
        sent.set(Int64(range.count), of: number)
        return .value(tag)
    }

    private func complete(_ tags: [String]) async throws -> End<UploadReply> {
        let parts = tags.enumerated().map { index, tag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(tag.escapedForXML)</ETag></Part>"
        }
        let body = Data(
            "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
        var backoff = Backoff(delay: 1, limit: 5)
        var tries = 0
        while true {
            let reply = try await run.reply { () throws in
                tries += 1
                return try message(
                    "POST", "uploadId=\(id)", as: .end, Upload([.data(body)]),
                    headers: ["Content-Type": "application/xml"])
            }
            let (status, texts) = (reply.head.statusCode, XMLTexts(reply.data))
            let isSuccess = (200..<300).contains(status)
            // S3 begins to respond before it has put the parts together, so a 200 may be an error.
            if isSuccess, !texts.has("Error") { return .value(reply) }
            if texts["Code"] == "EntityTooSmall" {
                try await giveUp()
                throw tooSmall
            }
            if isSuccess, texts["Code"] == "NoSuchUpload" { return .forgotten(reply) }
            // The object that must not be there yet may be that of an earlier try, whose response
            // was lost.
            if status == 412, tries > 1, let end = try await completed() { return end }
            guard isSuccess else { return try refused(reply) }
            let error = TaskError.unexpectedResponse(httpResponse: reply.head)
                .traced(by: reply.sent, reply.data, of: nil)
            try await run.wait(&backoff, after: nil, orThrow: error)
        }
    }

    /// The response that shows that an earlier request has ended the upload: the object has the tag
    /// that S3 makes of its parts' tags. `nil` if that isn't so.
    private func completed() async throws -> End<UploadReply>? {
        guard let tags = state?.tags, let tag = Self.tag(of: tags) else { return nil }
        let reply = try await run.reply { () throws in try message("HEAD", "") }
        guard reply.head.statusCode == 200,
            reply.head.value(forHTTPHeaderField: "ETag")?.filter({ $0 != "\"" }) == tag
        else { return nil }
        return .value(reply)
    }

    /// The tag of an object of parts: the MD5 digest of their MD5 digests, and how many they are.
    static func tag(of tags: [String]) -> String? {
        var bytes: [UInt8] = []
        for tag in tags {
            let digits = Array(tag.filter { $0 != "\"" })
            guard digits.count == 32 else { return nil }
            for index in stride(from: 0, to: 32, by: 2) {
                guard let byte = UInt8(String(digits[index...index + 1]), radix: 16)
                else { return nil }
                bytes.append(byte)
            }
        }
        return "\(MD5.hash(bytes).hex)-\(tags.count)"
    }
}

extension PartedUpload {
    private var id: String {
        let plain = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
        return state?.id?.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private func refused<Value>(_ reply: UploadReply) throws -> End<Value> {
        let code = XMLTexts(reply.data)["Code"]
        // A 404 of another kind is that of something between, such as a load balancer.
        guard reply.head.statusCode == 404, code == "NoSuchUpload"
        else { throw run.failure(reply) }
        return .forgotten(reply)
    }

    /// A request at the declared URL, with more items in its query. Only the one that creates the
    /// upload has the headers that the object gets.
    private func message(
        _ method: String, _ query: String, as role: UploadRole = .piece,
        _ upload: Upload? = nil, headers: [String: String] = [:]
    ) throws -> TransportRequest {
        var message = try run.message(
            method, at: nil, as: role, after: first, upload, headers: headers)
        // A list of 1,000 parts has less than 1 MB, and takes many times as much while it is read.
        message.policy.bodyLimit = min(message.policy.bodyLimit ?? .max, 4 << 20)
        let text = message.urlRequest.url?.absoluteString.prefix { $0 != "#" } ?? ""
        if !query.isEmpty {
            message.urlRequest.url = URL(string: "\(text)\(text.contains("?") ? "&" : "?")\(query)")
        }
        guard role != .creation else { return message }
        for name in (message.urlRequest.allHTTPHeaderFields ?? [:]).keys
        where headers[name] == nil && Self.isOfObject(name.lowercased()) {
            message.urlRequest.setValue(nil, forHTTPHeaderField: name)
        }
        return message
    }

    private static func isOfObject(_ name: String) -> Bool {
        guard name.hasPrefix("x-amz-") else {
            return name.hasPrefix("content-") || ["cache-control", "expires"].contains(name)
        }
        return
            !(name.hasPrefix("x-amz-server-side-encryption-customer-")
            || ["x-amz-request-payer", "x-amz-expected-bucket-owner"].contains(name))
    }

    /// The error of parts that the server never puts together.
    private var tooSmall: TaskError {
        .endpointError(
            run.refusal(
                .call,
                """
                has parts of \(partSize) bytes, which is less than the server takes; write a larger \
                `partSize`, for Amazon S3 at least `5 << 20`
                """))
    }

    private func changed() async throws -> TaskError {
        try await giveUp()
        return run.failure(.fileChanged, first)
    }

    /// Removes the state, and asks the server to remove what it has.
    func giveUp() async throws {
        await abort()
        let store = store
        try await run.keeping { try store.remove() }
    }

    private func abort() async {
        guard state?.id != nil, let message = try? message("DELETE", "uploadId=\(id)")
        else { return }
        _ = try? await run.send(message)
    }
}

extension UploadState {
    /// Whether the parts can be those of an upload: S3 takes up to 10,000.
    fileprivate var hasUsableParts: Bool {
        guard id != nil else { return true }
        guard let partSize, (1...max(1, file.size)).contains(partSize) else { return false }
        return (file.size - 1) / partSize < 10_000
    }
}

/// How many bytes of the parts were sent together.
final class SentBytes: Sendable {
    private let meter: UploadMeter
    private let total: Int64
    private let counts = Locked<[Int: Int64]>([:])

    init(_ meter: UploadMeter, of total: Int64) {
        self.meter = meter
        self.total = total
    }

    /// - Parameter number: The part; 0 for those that the server has.
    func set(_ count: Int64, of number: Int = 0) {
        let sum = counts.withLock { counts in
            counts[number] = count
            return counts.values.reduce(0, +)
        }
        meter.show(sum, of: total)
    }
}
