import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A download to a file, or one lane of it. If the connection of a GET is lost, a new request asks
/// for the rest, or for the whole file again, as often as the ``Backoff`` allows.
struct Download {
    /// How many bytes the whole file has; `nil` if that isn't known.
    private(set) var total: Int64?
    /// Whether the whole file is to be loaded again.
    private(set) var isToBegin = false

    /// What is to be loaded. Other lanes may take the end of it.
    private(set) var span: Span
    private let file: PartFile
    private var response: ArrivingResponse
    /// `nil` before the first request of a lane.
    var body: ResponseBody.AsyncIterator?
    /// Where the bytes end that the last response has; `Int64.max` for the rest of the file.
    private var askedEnd: Int64
    /// Whether this is the only lane, so that it may load the whole file again.
    var isAlone: Bool
    /// Whether the server has said, or shown, that it sends parts of the file.
    private var hasRanges: Bool
    private let deadline: Deadline
    private var backoff = Backoff(delay: 1, limit: 5)
    /// The most bytes that the file has ever had. Only bytes beyond these reset the backoff:
    /// bytes that are loaded again are no progress.
    private var furthest: Int64

    /// The download whose first response is here.
    ///
    /// - Parameter gap: What is to be loaded of the file, and where the response ends in it, if
    ///   the response isn't for all of it.
    /// - Throws: An error if the file's length is known and the disk has no room for it, and for a
    ///   206 to a request without a `Range`.
    init(
        _ response: ArrivingResponse, into file: PartFile,
        from gap: (range: Range<Int64>, end: Int64)? = nil,
        _ clock: TransportClock
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
        span = Span(gap?.range ?? 0..<(total ?? .max))
        askedEnd = gap?.end ?? span.rest.upperBound
        isAlone = true
        hasRanges = gap != nil || response.httpResponse.acceptsRanges
        furthest = span.rest.lowerBound
    }

    /// Whether other requests may ask for parts of the file at the same time.
    var allowsLanes: Bool {
        response.canGoOn && hasRanges && total != nil
            && response.httpResponse.strongVersion != nil
    }

    /// Another lane of a download, which begins with a request of its own.
    init(_ span: Span, of first: Download) {
        total = first.total
        file = first.file
        deadline = first.deadline
        response = first.response
        self.span = span
        askedEnd = span.rest.upperBound
        isAlone = false
        hasRanges = first.hasRanges
        furthest = span.rest.lowerBound
    }

    /// The head of the response whose bytes are in the file.
    var head: HTTPURLResponse { response.httpResponse }

    /// How many bytes are in the file.
    var count: Int64 { file.ranges.count }

    /// Whether this lane has bytes left to load.
    var hasRest: Bool { !span.rest.isEmpty }

    /// Writes the next chunk and returns how many bytes are in the file; `nil` after the last one.
    mutating func write() async throws(StreamError) -> Int64? {
        while true {
            let failure: StreamError
            do throws(StreamError) {
                if body == nil { try await ask() }
                if let chunk = try await nextChunk() {
                    try append(chunk)
                    return count
                }
                if isComplete { return nil }
                // The server sends less at a time than was asked for.
                if span.rest.lowerBound == askedEnd {
                    body = nil
                    continue
                }
                failure = .urlLoadError(URLError(.networkConnectionLost))
            } catch {
                failure = error
            }
            try await goOn(after: failure)
        }
    }

    /// Goes on with other bytes of the file.
    mutating func go(to gap: Range<Int64>) {
        body = nil
        span.set(gap)
    }

    /// Loads the whole file again.
    mutating func beginAgain() {
        (total, isToBegin) = (nil, true)
        go(to: 0..<Int64.max)
    }

    /// Moves the complete file to its destination.
    func finish(replacing: Bool) async throws(StreamError) {
        do throws(FileError) { try await file.move(replacing: replacing) } catch {
            throw .fileError(error)
        }
    }

    /// Whether a body that ends now has all that was to be loaded.
    private var isComplete: Bool {
        let rest = span.rest
        return rest.isEmpty || rest.upperBound == .max && total == nil
    }

    private mutating func nextChunk() async throws(StreamError) -> Data? {
        let rest = span.rest
        // Another lane has taken the rest of what this one had asked for.
        if rest.isEmpty, rest.upperBound != askedEnd {
            body = nil
            return nil
        }
        do { return try await body?.next() } catch { throw response.error(loading: error) }
    }

    private mutating func append(_ chunk: Data) throws(StreamError) {
        guard span.rest.lowerBound + Int64(chunk.count) <= askedEnd
        else { throw response.error(parsing: UnsaveableContent.long) }
        let place = span.take(chunk.count)
        let data = place.count == chunk.count ? chunk : chunk.prefix(place.count)
        do throws(FileError) { try file.write(data, at: place.lowerBound) } catch {
            throw .fileError(error)
        }
        guard place.upperBound > furthest else { return }
        furthest = place.upperBound
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
        let (rest, total) = (span.rest, self.total)
        // This lane had all, or another one has taken what was left. Only at the end of the file
        // is it asked whether the file is still the same.
        if rest.isEmpty, !isAlone || rest.upperBound != total {
            body = ResponseBody(Data()).makeAsyncIterator()
            return
        }
        let isPart = !isAlone || rest.lowerBound > 0 || rest.upperBound < total ?? .max
        let version =
            isPart && !isWhole && response.canGoOn ? response.httpResponse.strongVersion : nil
        guard let next = try await response(for: rest, ifStill: version)
        else { return try await ask(isWhole: true) }
        let isSameFile = version.map { next.httpResponse.isOf($0) } ?? true
        switch next.httpResponse.statusCode {
        case 206 where version != nil:
            guard isSameFile, let part = next.httpResponse.part(of: rest, in: total)
            else { throw .unexpectedResponse(httpResponse: next.httpResponse) }
            learn(part.length)
            askedEnd = part.end
            hasRanges = true
        // A 206 comes here only if no `version` was sent. Then it has all of the part that the
        // caller's own `Range` asks for, and is saved from its start, like a 200.
        case 200..<300 where isAlone && next.canBeWholeFile:
            do throws(FileError) { try await file.removeAll(for: PartRecord(next)) } catch {
                throw .fileError(error)
            }
            self.total = next.httpResponse.bodyLength
            span.set(0..<(self.total ?? .max))
            askedEnd = self.total ?? .max
            response = next
            isToBegin = false
            hasRanges = next.httpResponse.acceptsRanges
        // The file has all bytes. Only what ends a body, such as an empty chunk, didn't arrive.
        case 416
        where version != nil && isSameFile && rest.lowerBound == total ?? rest.lowerBound
            && next.httpResponse.saysLength(is: rest.lowerBound):
            learn(rest.lowerBound)
            body = ResponseBody(Data()).makeAsyncIterator()
            return
        case let status where [500, 502, 503, 504].contains(status):
            throw .urlLoadError(URLError(.networkConnectionLost))
        default:
            throw .unexpectedResponse(httpResponse: next.httpResponse)
        }
        body = next.body.makeAsyncIterator()
    }

    /// Requests a range of the file, or all of it without a version. `nil` for a part that comes
    /// from another place, or doesn't say its tag, so that the whole file must be requested. What
    /// arrived is dropped then, so that the next request doesn't wait for its connection.
    private func response(
        for range: Range<Int64>, ifStill version: String?
    ) async throws(StreamError) -> ArrivingResponse? {
        let total = total
        let next = try await response.requestAgain(until: deadline) { request in
            guard let version else { return }
            request.ask(for: range, of: total, ifStill: version)
        }
        // A tag tells versions of one URL apart, and says nothing of another one, to which a
        // redirect may lead now (RFC 9110, section 8.8.3).
        let isElsewhere =
            [206, 416].contains(next.httpResponse.statusCode)
            && next.httpResponse.place != response.httpResponse.place
        // A server that doesn't repeat the tag of a part, which it must (section 15.3.7), may not
        // know `If-Range` either.
        let isUnknown =
            next.httpResponse.statusCode == 206 && version?.hasPrefix("\"") == true
            && next.httpResponse.value(forHTTPHeaderField: "ETag") == nil
        guard version != nil, isElsewhere || isUnknown else { return next }
        if isAlone { return nil }
        throw .unexpectedResponse(httpResponse: next.httpResponse)
    }

    /// Notes how many bytes the whole file has.
    private mutating func learn(_ length: Int64) {
        guard total == nil else { return }
        total = length
        file.setTotal(length)
        span.set(span.rest.lowerBound..<length)
    }
}

/// Why a body isn't saved as a file.
enum UnsaveableContent: LocalizedError {
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
