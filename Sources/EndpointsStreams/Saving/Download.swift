import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A download to a file. If the connection of a GET is lost, a new request asks for the rest, or
/// for the whole file again, as often as the ``Backoff`` allows.
struct Download {
    /// How many bytes are in the file.
    private(set) var count: Int64 = 0
    /// How many bytes the whole file has; `nil` if that isn't known.
    private(set) var total: Int64?

    private let file: PartFile
    private var response: ArrivingResponse
    private var body: ResponseBody.AsyncIterator
    private let deadline: Deadline
    private var backoff = Backoff(delay: 1, limit: 5)
    /// The most bytes that the file has ever had. Only bytes beyond these reset the backoff:
    /// bytes that are loaded again are no progress.
    private var furthest: Int64 = 0

    /// - Throws: An error if the file's length is known and the disk has no room for it, and for a
    ///   206 to a request without a `Range`.
    init(
        _ response: ArrivingResponse, into file: PartFile, _ clock: TransportClock
    ) throws(StreamError) {
        guard response.httpResponse.statusCode != 206 || response.mayBePartial
        else { throw response.error(parsing: UnsaveableContent.partial) }
        total = response.httpResponse.bodyLength
        do throws(FileError) { try file.checkRoom(for: total ?? 0) } catch {
            throw .fileError(error)
        }
        self.file = file
        deadline = response.deadline(clock)
        self.response = response
        body = response.body.makeAsyncIterator()
    }

    /// Writes the next chunk and returns how many bytes are in the file; `nil` after the last one.
    mutating func write() async throws(StreamError) -> Int64? {
        while true {
            let failure: StreamError
            do throws(StreamError) {
                if let chunk = try await nextChunk() {
                    try append(chunk)
                    return count
                }
                if count == total ?? count { return nil }
                failure = .urlLoadError(URLError(.networkConnectionLost))
            } catch {
                failure = error
            }
            try await goOn(after: failure)
        }
    }

    /// Moves the complete file to its destination.
    func finish(replacing: Bool) async throws(StreamError) {
        do throws(FileError) { try await file.move(replacing: replacing) } catch {
            throw .fileError(error)
        }
    }

    private mutating func nextChunk() async throws(StreamError) -> Data? {
        do { return try await body.next() } catch { throw response.error(loading: error) }
    }

    private mutating func append(_ chunk: Data) throws(StreamError) {
        let count = self.count + Int64(chunk.count)
        guard count <= total ?? count else { throw response.error(parsing: UnsaveableContent.long) }
        do throws(FileError) { try file.append(chunk) } catch { throw .fileError(error) }
        self.count = count
        guard count > furthest else { return }
        furthest = count
        backoff.reset()
    }
}

extension Download {
    /// After a failure that may be transient, requests the rest of the file, or all of it.
    private mutating func goOn(after failure: StreamError) async throws(StreamError) {
        var failure = failure
        while true {
            guard response.canAskAgain, failure.isTransient, !deadline.isOver,
                let delay = backoff.next()
            else { throw failure }
            try await response.wait(delay, until: deadline)
            do throws(StreamError) { return try await ask() } catch { failure = error }
        }
    }

    /// - Parameter isWhole: Whether all of the file is requested, though the rest might be enough.
    private mutating func ask(isWhole: Bool = false) async throws(StreamError) {
        let count = self.count
        let version = count > 0 && !isWhole ? response.httpResponse.strongVersion : nil
        let next = try await response.requestAgain(until: deadline) { request in
            guard let version else { return }
            request.setValue("bytes=\(count)-", forHTTPHeaderField: "Range")
            request.setValue(version, forHTTPHeaderField: "If-Range")
            // The bytes in the file are not compressed, so the others must not be compressed.
            request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        // A tag tells versions of one URL apart, and says nothing of another one, to which a
        // redirect may lead now (RFC 9110, section 8.8.3).
        if version != nil, [206, 416].contains(next.httpResponse.statusCode),
            next.httpResponse.place != response.httpResponse.place
        {
            return try await ask(isWhole: true)
        }
        let isSameFile = version == next.httpResponse.value(forHTTPHeaderField: "ETag") ?? version
        switch next.httpResponse.statusCode {
        case 206 where version != nil:
            guard isSameFile,
                let length = next.httpResponse.length(withRestFrom: count, of: total)
            else { throw .unexpectedResponse(httpResponse: next.httpResponse) }
            total = length
        // A 206 comes here only if no `version` was sent. Then it has all of the part that the
        // caller's own `Range` asks for, and is saved from its start, like a 200.
        case 200..<300 where next.canBeWholeFile:
            do throws(FileError) { try file.removeAll() } catch { throw .fileError(error) }
            self.count = 0
            total = next.httpResponse.bodyLength
            response = next
        // The file has all bytes. Only what ends a body, such as an empty chunk, didn't arrive.
        case 416
        where version != nil && isSameFile && count == total ?? count
            && next.httpResponse.saysLength(is: count):
            body = ResponseBody(Data()).makeAsyncIterator()
            return
        case let status where [500, 502, 503, 504].contains(status):
            throw .urlLoadError(URLError(.networkConnectionLost))
        default:
            throw .unexpectedResponse(httpResponse: next.httpResponse)
        }
        body = next.body.makeAsyncIterator()
    }
}

/// Why a body isn't saved as a file.
private enum UnsaveableContent: LocalizedError {
    case partial
    case long

    var errorDescription: String? {
        switch self {
        case .partial:
            """
            the server sent a part of the content, but the request has no `Range`; the server must \
            send all of it
            """
        case .long: "the server sent more bytes than it had said; load the file again"
        }
    }
}

extension ArrivingResponse {
    /// Whether this successful response to a repeated request can have all that is to be saved. A
    /// 204 and a 205 have no content, so they can't replace the content that had begun to arrive.
    fileprivate var canBeWholeFile: Bool {
        switch httpResponse.statusCode {
        case 204, 205: false
        case 206: mayBePartial
        default: true
        }
    }
}

extension HTTPURLResponse {
    /// The URL without its query, which may have another signature after each redirect.
    fileprivate var place: Substring? {
        url?.absoluteString.prefix { $0 != "?" && $0 != "#" }
    }

    /// How many bytes the body has; `nil` if that isn't known, or the body is compressed.
    fileprivate var bodyLength: Int64? {
        guard ![204, 205].contains(statusCode),
            value(forHTTPHeaderField: "Content-Encoding") == nil,
            value(forHTTPHeaderField: "Transfer-Encoding") == nil,
            let text = value(forHTTPHeaderField: "Content-Length")
        else { return nil }
        return text.wholeNumber
    }

    /// The `ETag` of a whole, uncompressed body, if it is strong (RFC 9110, section 8.8.3).
    fileprivate var strongVersion: String? {
        guard statusCode == 200, value(forHTTPHeaderField: "Content-Encoding") == nil,
            let tag = value(forHTTPHeaderField: "ETag"), tag.hasPrefix("\"")
        else { return nil }
        return tag
    }

    /// Whether a `Content-Range`, such as `bytes */1000`, says that the whole file has this length
    /// (RFC 9110, section 14.4).
    fileprivate func saysLength(is length: Int64) -> Bool {
        value(forHTTPHeaderField: "Content-Range")?.lowercased() == "bytes */\(length)"
    }

    /// The length of the whole file, if a `Content-Range`, such as `bytes 500-999/1000`, says that
    /// the body is the rest of the file (RFC 9110, section 14.4); else `nil`.
    func length(withRestFrom start: Int64, of total: Int64?) -> Int64? {
        guard value(forHTTPHeaderField: "Content-Encoding") == nil,
            let range = value(forHTTPHeaderField: "Content-Range")?.lowercased(),
            range.hasPrefix("bytes \(start)-")
        else { return nil }
        let end = range.dropFirst("bytes \(start)-".count).split(separator: "/")
        guard end.count == 2, let last = String(end[0]).wholeNumber,
            let length = end[1] == "*" ? total : String(end[1]).wholeNumber,
            start <= last, last < length, last + 1 == length, length == total ?? length
        else { return nil }
        return length
    }
}
