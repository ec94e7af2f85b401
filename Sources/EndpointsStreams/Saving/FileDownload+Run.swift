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
        let deadline = Deadline(of: message, clock)
        let (part, inTime): (PartFile, TransportRequest)
        do {
            if let file = try await fileToKeep(show) { return file }
            part = try await openPart(for: message, until: deadline)
            inTime = try deadline.limited(message)
        } catch { throw Request.TaskError(loading: error, Request.self).traced(by: sent) }
        do throws(Request.TaskError) {
            return try await load(inTime, into: part, show)
        } catch {
            if keeping.isKept, !part.isEndless(after: error) {
                await part.keep()
            } else {
                try? await inBackground { part.remove() }
            }
            // It has appeared meanwhile.
            guard ifExists == .keep, case .fileError(let cause) = error, cause.kind == .exists
            else { throw error }
            let file: DownloadedFile?
            do { file = try await fileToKeep(show) } catch {
                throw Request.TaskError(loading: error, Request.self).traced(by: sent)
            }
            guard let file else { throw error }
            return file
        }
    }

    /// The file that exists, if it is to be kept; `nil` if one is to be loaded.
    ///
    /// - Throws: A ``FileError``; an ``EndpointError`` if another file was meant, by the digest.
    private func fileToKeep(
        _ show: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> DownloadedFile? {
        guard let size = try ifExists.sizeToKeep(at: destination) else { return nil }
        if let digest {
            let target = try destination.followingLink()
            let file = try OpenFile(
                open(target.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), at: target)
            guard try await file.digest() == digest.hex else {
                throw EndpointError(
                    requestType: "\(Request.self)", field: .call,
                    reason: """
                        has `ifExists: .keep` and a `digest:` that the file at \
                        \(destination.path) doesn't have; remove the file, or write \
                        `ifExists: .replace`
                        """)
            }
        }
        show(TransferProgress(completed: size, total: size))
        return DownloadedFile(
            url: destination, byteCount: size, resumedByteCount: 0, httpResponse: nil)
    }

    /// The part of an earlier download, or a new one.
    private func openPart(
        for message: TransportRequest, until deadline: Deadline
    ) async throws -> PartFile {
        let request = message.urlRequest
        guard request.httpMethod == "GET", request.value(forHTTPHeaderField: "Range") == nil
        else { return try PartFile(for: destination) }
        let account = try await Accounts(inside: transport).account(of: message)
        let target = try destination.followingLink()
        let key = PartKey(request, account: account?.id, to: target)
        // A download that was cancelled just now may not have ended yet.
        for _ in 0..<40 {
            let part = try await inBackground { () throws(FileError) in
                let part = try self.part(with: key)
                // Not before, as this part may be old, too, and is asked for now.
                if part != nil {
                    PartFolder(target.deletingLastPathComponent())
                        .clean(megabytes: self.keeping.megabytes)
                }
                return part
            }
            if let part {
                part.setDays(keeping.days)
                return part
            }
            try await deadline.sleep(0.05)
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
        let first = FirstRequest(transport, part, clock)
        let response = try await first.response(to: message, as: Request.self).response
        let gap = first.gap.withLock { $0 }
        let resumed = gap == nil ? 0 : part.ranges.count
        do throws(StreamError) {
            if gap != nil {
                response.httpResponse.bodyLength.map(part.setTotal)
            } else {
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
        from gap: (range: Range<Int64>, end: Int64)?, of part: PartFile,
        _ response: ArrivingResponse,
        _ show: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(StreamError) -> (Int64, HTTPURLResponse) {
        var download = try Download(response, into: part, from: gap, clock)
        let steps = ProgressSteps(download.count, of: download.total, show)
        var pace = lanes > 1 ? LanePace(clock) : nil
        while true {
            while let count = try await download.write() {
                steps.show(count, of: download.total)
                guard pace?.isTimeForLanes(at: count) ?? false, download.allowsLanes
                else { continue }
                let total = download.total
                let gaps = Array(part.ranges.gaps(of: total).dropFirst())
                do throws(StreamError) {
                    try await download.writeInLanes(lanes, and: gaps, pace) {
                        steps.show($0, of: total)
                    }
                } catch {
                    guard error.isOfChangedFile else { throw error }
                    pace = nil
                    download.beginAgain()
                }
                if !download.hasRest { break }
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
        do { actual = try await part.file.digest() } catch { throw response.error(loading: error) }
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
        guard keeping.isRight else {
            throw EndpointError(
                requestType: "\(Request.self)", field: .call,
                reason: """
                    has a `keeping: .part` whose days or megabytes can't be meant; write numbers \
                    greater than 0, or `.nothing`
                    """)
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
    /// What is to be loaded of the file, and where the response ends in it; `nil` if that is all.
    let gap = Locked<(range: Range<Int64>, end: Int64)?>(nil)
    private let base: any Transport
    private let part: Locked<PartFile?>
    private let clock: TransportClock

    init(_ base: any Transport, _ part: PartFile, _ clock: TransportClock) {
        self.base = base
        self.part = Locked(part)
        self.clock = clock
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let part = part.withLock({ $0.take() }), let record = part.record,
            let gap = record.gapToAskFor
        else { return try await base.send(request) }
        // The time limit is for both requests together.
        let deadline = Deadline(of: request, clock)
        if let response = try await response(to: request, for: gap, of: record) { return response }
        return try await base.send(try deadline.limited(request))
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
        // The bytes in the part weren't verified together with these.
        if request.needsWholeBody, [206, 416].contains(head.statusCode) { return nil }
        switch head.statusCode {
        case 206:
            // A server must repeat a tag, and should not repeat a date (RFC 9110, section 15.3.7).
            let isSaid = record.validator.hasPrefix("\"")
            guard record.isOf(head), head.isOf(record.validator, isSaid: isSaid),
                let (end, length) = head.part(of: gap, in: record.total),
                let whole = HTTPURLResponse(whole: head, length, record.validator)
            else { return nil }
            let range = gap.lowerBound..<min(gap.upperBound, length)
            self.gap.withLock { $0 = (range, end) }
            return TransportResponse(body: response.body, whole)
        // The part has all bytes, though no response has said how many there are.
        case 416:
            let length = gap.lowerBound
            guard record.isOf(head), head.isOf(record.validator, isSaid: true),
                record.total == nil, head.saysLength(is: length),
                let whole = HTTPURLResponse(whole: head, length, record.validator)
            else { return nil }
            self.gap.withLock { $0 = (length..<length, length) }
            return TransportResponse(Data(), whole)
        default: return response
        }
    }
}

extension PartFile {
    /// Whether a body without a known length has filled the disk. Then it may have no end, and its
    /// bytes are of no use.
    func isEndless<Content>(after error: EndpointTaskError<Content>) -> Bool {
        if case .fileError(let error) = error, error.kind == .outOfSpace {
            record?.total == nil
        } else {
            false
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
    fileprivate convenience init?(
        whole part: HTTPURLResponse, _ length: Int64, _ validator: String
    ) {
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
        if part.value(forHTTPHeaderField: "ETag") == nil,
            part.value(forHTTPHeaderField: "Last-Modified") == nil
        {
            fields["Last-Modified"] = validator
        }
        self.init(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}
