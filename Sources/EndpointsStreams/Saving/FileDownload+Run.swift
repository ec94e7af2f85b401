import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension FileDownload {
    /// Downloads the file.
    func run(
        _ show: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(Request.TaskError) -> DownloadedFile {
        let message: TransportRequest
        do {
            message = try self.message.get()
            try check()
        } catch { throw .endpointError(error) }
        let sent = message.startingNow()
        let part: PartFile
        do {
            if let size = try ifExists.sizeToKeep(at: destination) {
                show(TransferProgress(completed: size, total: size))
                return DownloadedFile(
                    url: destination, byteCount: size, resumedByteCount: 0, httpResponse: nil)
            }
            part = try await openPart(for: message)
        } catch { throw Request.TaskError(loading: error, Request.self).traced(by: sent) }
        do throws(Request.TaskError) {
            return try await load(message, into: part, show)
        } catch {
            if keeping.isKept { await part.keep() } else { part.remove() }
            throw error
        }
    }

    /// The part of an earlier download, or a new one.
    private func openPart(for message: TransportRequest) async throws -> PartFile {
        let request = message.urlRequest
        guard request.httpMethod == "GET", request.value(forHTTPHeaderField: "Range") == nil
        else { return try PartFile(for: destination) }
        let account = try await Accounts(inside: transport).account(of: message)
        let target = try destination.followingLink()
        let key = PartKey(request, account: account?.id, to: target)
        // A download that was cancelled just now may not have ended yet.
        for _ in 0..<40 {
            if let part = try part(with: key) {
                // Not before, as this part may be old, too, and is asked for now.
                PartFolder(target.deletingLastPathComponent()).clean(keeping)
                return part
            }
            try await clock.sleep(0.05)
        }
        throw FileError(.busy, at: destination)
    }

    /// The part with a key; `nil` while another download has it. Without locks, two downloads could
    /// write the same part, so one without a key is made.
    private func part(with key: PartKey) throws(FileError) -> PartFile? {
        do throws(FileError) { return try PartFile(for: destination, key: key) } catch {
            let codes = [ENOLCK, EOPNOTSUPP].map { FileError.Kind.other(code: $0) }
            guard codes.contains(error.kind) else { throw error }
            return try PartFile(for: destination)
        }
    }

    private func load(
        _ message: TransportRequest, into part: PartFile,
        _ show: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(Request.TaskError) -> DownloadedFile {
        let first = FirstRequest(transport, part)
        let response = try await first.response(to: message, as: Request.self).response
        let gap = first.gap.withLock { $0 }
        let resumed = gap == nil ? 0 : part.ranges.count
        do throws(StreamError) {
            if gap == nil {
                do throws(FileError) {
                    try await part.removeAll(for: PartRecord(response))
                } catch { throw .fileError(error) }
            }
            let (count, head) = try await loadGaps(from: gap, of: part, response, show)
            // The file may have changed meanwhile, and been loaded again.
            let isOneFile = head === response.httpResponse
            return DownloadedFile(
                url: destination, byteCount: count, resumedByteCount: isOneFile ? resumed : 0,
                httpResponse: head)
        } catch { throw Request.TaskError(response.traced(error)) }
    }

    /// Loads what is missing, and moves the file to its place. Returns how many bytes it has, and
    /// the head of the response that they are of.
    private func loadGaps(
        from gap: Range<Int64>?, of part: PartFile, _ response: ArrivingResponse,
        _ show: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(StreamError) -> (Int64, HTTPURLResponse) {
        var download = try Download(response, into: part, from: gap, clock)
        let steps = ProgressSteps(download.count, of: download.total, show)
        var isInLanes = lanes > 1 && download.allowsLanes
        while true {
            if isInLanes {
                let total = download.total
                let gaps = Array(part.ranges.gaps(of: total).dropFirst())
                do throws(StreamError) {
                    try await download.writeInLanes(lanes, and: gaps) {
                        steps.show(part.ranges.count, of: total)
                    }
                } catch {
                    guard error.isOfChangedFile else { throw error }
                    download.beginAgain()
                }
                isInLanes = false
            } else {
                while let count = try await download.write() {
                    steps.show(count, of: download.total)
                }
            }
            if download.isToBegin { continue }
            guard let total = download.total, let gap = part.ranges.gaps(of: total).first
            else { break }
            download.go(to: gap)
        }
        let count = download.count
        try await check(part, response, download.head)
        try await download.finish(replacing: ifExists == .replace)
        show(TransferProgress(completed: count, total: count))
        return (count, download.head)
    }

    /// Compares the digest of the complete part with those that the call and the response have.
    private func check(
        _ part: PartFile, _ response: ArrivingResponse, _ head: HTTPURLResponse
    ) async throws(StreamError) {
        let digests = [digest].compactMap { $0 } + head.fileDigests
        guard !digests.isEmpty else { return }
        let actual: String
        do { actual = try await part.digest() } catch { throw response.error(loading: error) }
        guard let wrong = digests.first(where: { $0.hex != actual }) else { return }
        part.remove()
        throw response.error(parsing: WrongDigestError(expected: wrong.hex, actual: actual))
    }

    /// Throws for an argument of the call that can't be meant.
    private func check() throws(EndpointError) {
        guard (1...8).contains(lanes) else {
            throw EndpointError(
                requestType: "\(Request.self)", field: .call,
                reason: "has `lanes: \(lanes)`, which can't be meant; write 1 to 8")
        }
        if let digest, !digest.isRight {
            throw EndpointError(
                requestType: "\(Request.self)", field: .call,
                reason: """
                    has a SHA-256 digest that can't be one; write 64 hexadecimal digits
                    """)
        }
    }
}

/// Shows the progress of a download in steps.
private final class ProgressSteps: Sendable {
    private let reported: Locked<Int64>
    private let report: @Sendable (TransferProgress) -> Void

    init(
        _ count: Int64, of total: Int64?, _ report: @escaping @Sendable (TransferProgress) -> Void
    ) {
        reported = Locked(count)
        self.report = report
        report(TransferProgress(completed: count, total: total))
    }

    func show(_ count: Int64, of total: Int64?) {
        reported.withLock { reported in
            guard abs(count - reported) >= TransferProgress.stepSize(of: total), count != total
            else { return }
            reported = count
            report(TransferProgress(completed: count, total: total))
        }
    }
}

extension EndpointTaskError {
    /// The error of a stream as that of a load.
    init(_ error: StreamError) {
        self =
            switch error {
            case .endpointError(let error): .endpointError(error)
            case .urlLoadError(let error): .urlLoadError(error)
            case .internetConnectionOffline(let error): .internetConnectionOffline(error)
            case .transportError(let error): .transportError(error)
            case .fileError(let error): .fileError(error)
            case .cancelled(let error): .cancelled(error)
            case .unexpectedResponse(let head): .unexpectedResponse(httpResponse: head)
            case .errorResponseParseError(let head, let data, let error):
                .errorResponseParseError(httpResponse: head, data: data, error: error)
            case .responseParseError(let head, let data, let error):
                .responseParseError(httpResponse: head, data: data, error: error)
            }
    }
}

/// A transport whose first request asks only for what is missing of a part.
///
/// If the response has that, it is returned as a 200 for the whole file, as RFC 9110 combines parts
/// (section 15.3.7.3). If it can't be used with the part, the whole file is requested. Later
/// requests are sent as they are.
final class FirstRequest: Transport {
    /// What the response has of the file; `nil` if that is all of it.
    let gap = Locked<Range<Int64>?>(nil)
    private let base: any Transport
    private let part: Locked<PartFile?>

    init(_ base: any Transport, _ part: PartFile) {
        self.base = base
        self.part = Locked(part)
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let part = part.withLock({ $0.take() }), let record = part.record,
            let gap = record.gapToAskFor,
            let response = try await self.response(to: request, for: gap, of: record)
        else { return try await base.send(request) }
        return response
    }

    /// The response to a request for a part; `nil` if it can't be used. It is dropped then, so that
    /// the next request doesn't wait for its connection.
    private func response(
        to request: TransportRequest, for gap: Range<Int64>, of record: PartRecord
    ) async throws -> TransportResponse? {
        var message = request
        message.urlRequest.ask(for: gap, of: record.total, ifStill: record.validator)
        let response = try await base.send(message)
        let head = response.httpResponse
        switch head.statusCode {
        case 206:
            guard record.isOf(head), head.isOf(record.validator, isSaid: true),
                let length = head.length(with: gap, of: record.total),
                let whole = HTTPURLResponse(whole: head, length)
            else { return nil }
            self.gap.withLock { $0 = gap.lowerBound..<min(gap.upperBound, length) }
            return TransportResponse(body: response.body, whole)
        // The part has all bytes, though no response has said how many there are.
        case 416:
            let length = gap.lowerBound
            guard record.isOf(head), head.isOf(record.validator), record.total == nil,
                head.saysLength(is: length),
                let whole = HTTPURLResponse(whole: head, length)
            else { return nil }
            self.gap.withLock { $0 = length..<length }
            return TransportResponse(Data(), whole)
        default: return response
        }
    }
}

extension PartRecord {
    /// The bytes to ask for first. If none are missing, these are the last byte, to see whether the
    /// file is still the same. `nil` if a part has nothing to go on with.
    fileprivate var gapToAskFor: Range<Int64>? {
        guard !ranges.all.isEmpty else { return nil }
        return ranges.gaps(of: total).first ?? ranges.end - 1..<ranges.end
    }

    /// Whether a response comes from where the part came from.
    fileprivate func isOf(_ head: HTTPURLResponse) -> Bool {
        head.place.map { Digest(String($0)).hex } == place
    }
}

extension HTTPURLResponse {
    /// The head of a whole file of which a response has a part.
    fileprivate convenience init?(whole part: HTTPURLResponse, _ length: Int64) {
        guard let url = part.url else { return nil }
        var fields: [String: String] = [:]
        for (name, value) in part.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            let isOfPart = [
                "content-range", "content-length", "content-digest", "transfer-encoding",
            ].contains(name.lowercased())
            if !isOfPart { fields[name] = value }
        }
        fields["Content-Length"] = "\(length)"
        self.init(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}
