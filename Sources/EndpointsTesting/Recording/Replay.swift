import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that responds from an HTTP archive (HAR 1.2), made by a ``Recorder``, a browser or a
/// proxy.
///
///     let replay = try Replay(file, ignoring: ["timestamp"])
///     let api = EndpointClient(replay, in: .production)
///     try replay.checkAllUsed()
///
/// An entry is found by method, URL, body and the body's media type. Of several matching entries,
/// the first with the same headers is used, or else the first. Each entry is used once. A request
/// without an entry fails, and the error shows the first difference from the most similar entry. If
/// an entry has no response (status 0), the load fails with the recorded `URLError`, or with
/// `.networkConnectionLost` if none was recorded. That is also the error of reading on after the
/// end of a stream that was left while it was recorded.
public final class Replay: Transport {
    private struct State {
        var entries: [(text: String, entry: HTTPArchive.Entry)]
        var isUsed: [Bool]
        /// The texts of the requests that an entry was found for.
        var sent: [String] = []
    }

    private let volatile: SecretNames
    private let name: String
    private let state: Locked<State>

    /// A transport that responds from a file.
    ///
    /// The values of query items, form fields, parts and JSON members with these names are not
    /// compared. The values of `secretNames` aren't compared either.
    /// - Throws: A ``RecordingError`` if the file can't be read.
    public init(
        _ file: URL, ignoring names: SecretNames = [], masking secretNames: SecretNames = .usual
    ) throws {
        let volatile = secretNames.union(names.exactly)
        let entries = try HTTPArchive(contentsOf: file).log.entries
        self.volatile = volatile
        name = file.lastPathComponent
        state = Locked(
            State(
                entries: try entries.map { (try Self.text(of: $0.request, volatile), $0) },
                isUsed: entries.map { _ in false }))
    }

    /// The requests of the archive that were not sent, as text.
    public var unused: [String] {
        state.withLock { state in
            zip(state.entries, state.isUsed).filter { !$1 }.map(\.0.text)
        }
    }

    /// Throws if a request of the archive was not sent. Call this at the end of a test.
    ///
    ///     let replay = try Replay(file)
    ///     try replay.checkAllUsed()
    /// - Throws: A ``RecordingError`` with the first request that was not sent. It also shows
    ///   the first difference from the most similar request that was replayed, if they differ.
    public func checkAllUsed() throws {
        guard let text = unused.first else { return }
        let what =
            "\(name) has unused entries (\(unused.count)); send their requests, or record the "
            + "file again. The first unused entry is:\n\(text)"
        let sent = state.withLock(\.sent)
        guard let nearest = sent.max(by: { Self.likeness($0, text) < Self.likeness($1, text) }),
            let difference = difference(from: text, to: nearest)
        else { throw RecordingError(description: what) }
        throw RecordingError(
            description: """
                \(what)
                The most similar request that was replayed differs from this entry: \(difference)
                """)
    }

    /// Responds from the archive.
    /// - Throws: A ``RecordingError`` if no unused entry matches, or if the entry's status isn't
    ///   valid; for an entry with status 0, the recorded `URLError`, or `.networkConnectionLost` if
    ///   none was recorded; a ``FileError`` if a file of the body can't be read.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        var plain = request.urlRequest
        let type = plain.value(forHTTPHeaderField: "Content-Type")
        plain.allHTTPHeaderFields = nil
        let text = try Self.text(of: plain, type, volatile)
        let entry = try state.withLock { (state: inout State) throws -> HTTPArchive.Entry in
            let candidates = state.entries.indices.filter {
                !state.isUsed[$0] && state.entries[$0].text == text
            }
            let same = candidates.first {
                state.entries[$0].entry.request.hasHeaders(of: request.urlRequest)
            }
            guard let index = same ?? candidates.first else {
                throw missing(text, request, in: state)
            }
            state.isUsed[index] = true
            state.sent.append(text)
            return state.entries[index].entry
        }
        return try entry.response.transportResponse(to: request)
    }

    private func missing(
        _ text: String, _ request: TransportRequest, in state: State
    ) -> RecordingError {
        let all = state.entries.map(\.text)
        let type = request.requestType
        let rest = "; record the file again. The request is:\n\(text)"
        if all.contains(text) {
            let count = all.count { $0 == text }
            let what = "\(name) has this \(type) request only \(count) ×, but it was sent again"
            return RecordingError(description: "\(what)\(rest)")
        }
        let nearest = all.max { Self.likeness($0, text) < Self.likeness($1, text) }
        guard let nearest, let difference = difference(from: nearest, to: text) else {
            return RecordingError(
                description: "this \(type) request is not in \(name), which has no entries\(rest)")
        }
        return RecordingError(
            description: """
                this \(type) request is not in \(name)\(rest)
                Compared with the most similar entry, \(difference)
                If a query item, form field, part or JSON member of the request changes in each \
                run, add its name to `ignoring:`
                """)
    }

    /// How many characters two texts have in common at the beginning and at the end.
    private static func likeness(_ left: String, _ right: String) -> Int {
        left.commonPrefix(with: right).count
            + String(left.reversed()).commonPrefix(with: String(right.reversed())).count
    }

    private static func text(
        of urlRequest: URLRequest, _ type: String?, _ volatile: SecretNames
    ) throws(FileError) -> String {
        var urlRequest = urlRequest
        if urlRequest.httpBody?.isEmpty == false || urlRequest.upload != nil {
            urlRequest.setValue(type, forHTTPHeaderField: "Content-Type")
        }
        return try RequestText(urlRequest, .default, volatile).text
    }

    private static func text(
        of request: HTTPArchive.Request, _ volatile: SecretNames
    ) throws(FileError) -> String {
        // If a character of a URL isn't legal, as `…`, `URL` also escapes each `%`.
        let address = request.url.replacingOccurrences(of: "…", with: "%E2%80%A6")
        guard let url = URL(string: address) else { return "\(request.method) \(request.url)" }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.postData?.data
        return try text(of: urlRequest, request.postData?.mimeType, volatile)
    }
}

extension HTTPArchive.Request {
    /// Whether each header of a request was recorded with the same value, except for a multipart
    /// boundary. A value recorded as `…`, as a secret is, equals any value. Recorded headers that
    /// the request doesn't have are ignored.
    fileprivate func hasHeaders(of urlRequest: URLRequest) -> Bool {
        let recorded = Dictionary(headers.map { (Headers(name: $0.name), $0.value) }) { $1 }
        return (urlRequest.allHTTPHeaderFields ?? [:]).allSatisfy { name, value in
            let recorded = recorded[Headers(name: name)]
            return recorded == Secrets.mask
                || recorded.map(Self.withoutBoundary) == Self.withoutBoundary(value)
        }
    }

    /// A multipart media type without its boundary, which may be another one in each run.
    private static func withoutBoundary(_ value: String) -> String {
        value.replacingMultipartBoundary(with: "")
    }
}

extension HTTPArchive.Response {
    fileprivate func transportResponse(
        to request: TransportRequest
    ) throws -> TransportResponse {
        if status == 0 {
            // On some platforms, `URLError.Code(rawValue:)` doesn't return an optional; `as` makes
            // it one.
            let code = _error.flatMap(Int.init).flatMap {
                URLError.Code(rawValue: $0) as URLError.Code?
            }
            throw URLError(code ?? .networkConnectionLost)
        }
        // The content is already decoded, so headers about its coding are dropped. With a
        // Content-Encoding, so is Content-Length, which counts the encoded bytes. The
        // pseudo-headers of HTTP/2, whose names begin with a colon, are dropped too.
        var dropped: Set<Headers> = ["Content-Encoding", "Transfer-Encoding"]
        if headers.contains(where: { Headers(name: $0.name) == .contentEncoding }) {
            dropped.insert("Content-Length")
        }
        let fields = headers.filter {
            !dropped.contains(Headers(name: $0.name)) && !$0.name.hasPrefix(":")
        }
        guard let url = request.urlRequest.url,
            let head = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1",
                headerFields: Dictionary(fields.map { ($0.name, $0.value) }) { "\($0), \($1)" })
        else {
            throw RecordingError(
                description: """
                    the recorded response to \(request.requestType) has the status \(status), \
                    which isn't valid; correct it in the archive
                    """)
        }
        guard _cut == true else { return TransportResponse(content.data, head) }
        let rest = Locked<Data?>(content.data)
        let body = ResponseBody {
            guard let data = rest.take() else { throw URLError(.networkConnectionLost) }
            return data
        }
        return TransportResponse(body: body, head)
    }
}

/// Why a request could not be replayed, why a recording could not be read or written, or which
/// recorded request was not sent.
///
/// A load throws this error as ``EndpointTaskError/transportError(_:)``.
public struct RecordingError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// `EndpointsTesting.RecordingError`.
    public static var errorDomain: String { "EndpointsTesting.RecordingError" }

    /// What is wrong and what to do.
    public let description: String
    /// The same text as `description`.
    public var errorDescription: String? { description }
    /// The `description`, for an `NSError` made from this error. On Linux, such an `NSError` gets
    /// its texts only from this property.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
