import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that writes what it sends and receives into an HTTP archive (HAR 1.2).
///
///     let recorder = try Recorder(URLSession.shared, to: file)
///     let api = EndpointClient(recorder, in: .production)
///
/// An entry is added to the file after each whole response, and after each `URLError` that came
/// instead of a response, except `.cancelled`. If a stream is left or cancelled, what has arrived
/// is added, marked as `_cut`. ``Replay`` responds from the file. An upload is read into memory.
///
/// As long as a recorder exists, no other one can write its file, in this or another process.
///
/// `…` replaces the values of headers, query items, form fields, XML elements and parts with secret
/// names, and of the headers `Authorization`, `Cookie`, `Set-Cookie`, `Proxy-Authorization`, the
/// policy's ``LoadPolicy/sensitiveHeaders`` and the `headers` that you pass. In a JSON member with
/// a secret name, each text becomes "masked" and each number becomes 0. Names, `true`, `false` and
/// `null` inside that member are kept. All this is also found in strings, as in a URL or JSON in a
/// JSON string.
///
/// A body that can't be read and has the name of a secret, such as a web page, is recorded as its
/// type and size. A secret in a path, or in a text that has no name for it, is kept. Read a
/// recording before you share it.
public final class Recorder: Transport {
    private let base: any Transport
    private let url: URL
    private let file: Locked<ArchiveFile>
    private let secrets: Secrets

    /// Makes a recorder of what a transport sends and receives. An existing file is replaced at
    /// once.
    /// - Throws: A ``RecordingError`` if the file can't be written, or another recorder writes it.
    public init(
        _ base: some Transport, to file: URL, masking secretNames: SecretNames = .usual,
        headers: Set<Headers> = []
    ) throws {
        self.base = base
        url = file
        secrets = Secrets(names: secretNames, headers: headers)
        do { self.file = Locked(try ArchiveFile(at: file)) } catch ArchiveFile.Refusal.isInUse {
            throw RecordingError(inUse: file)
        } catch {
            throw RecordingError(unwritable: file)
        }
    }

    /// Sends a request with the transport that is recorded, and records request and response.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let start = Date()
        var response: TransportResponse
        do { response = try await base.send(request) } catch {
            if let error = error.asURLError, error.code != .cancelled {
                try record(request, HTTPArchive.Response(error), start)
            }
            throw error
        }
        let (head, whole) = (response.httpResponse, Locked(Data()))
        response.body = try response.body.observed { chunk in
            whole.withLock { $0.append(chunk) }
        } onEnd: { [self] end in
            let data = whole.withLock { $0 }
            var response = HTTPArchive.Response(head, data, secrets, request.policy)
            if let url = head.url, url != request.urlRequest.url {
                response._url = secrets.names.masked(url)
            }
            switch end {
            case .whole: break
            case .failed(let error) where !error.isCancellation: return
            case .failed, .dropped: response._cut = true
            }
            try record(request, response, start)
        }
        return response
    }

    private func record(
        _ request: TransportRequest, _ response: HTTPArchive.Response, _ start: Date
    ) throws {
        let milliseconds = Date().timeIntervalSince(start) * 1000
        let entry = HTTPArchive.Entry(
            startedDateTime: (try? start.pathRepresentation) ?? "", time: milliseconds,
            request: try HTTPArchive.Request(request.urlRequest, secrets, request.policy),
            response: response,
            timings: HTTPArchive.Timings(wait: milliseconds))
        do { try file.withLock { try $0.append(entry) } } catch {
            throw RecordingError(unwritable: url)
        }
    }
}

extension Recorder: Layer {
    /// The transport that is recorded.
    package var inner: any Transport { base }
}

extension Error {
    fileprivate var isCancellation: Bool {
        self is CancellationError || asURLError?.code == .cancelled
    }
}

extension RecordingError {
    fileprivate init(inUse file: URL) {
        self.init(
            description: """
                another Recorder is writing the recording \(file.path), in this process or another \
                one; share one Recorder, release the other one first, or record to another file
                """)
    }

    fileprivate init(unwritable file: URL) {
        self.init(
            description: """
                the recording \(file.path) can't be written; create its directory, give the \
                program permission to write there, or free some space on the disk
                """)
    }
}

/// Hides the secrets of a recording.
struct Secrets: Sendable {
    let names: SecretNames
    let headers: Set<Headers>

    static let mask = "…"

    func masked(_ fields: [String: String], _ policy: LoadPolicy) -> [HTTPArchive.Pair] {
        fields.sorted { $0.key < $1.key }.map { name, value in
            let isListed =
                headers.contains(Headers(name: name)) || name.lowercased() == "set-cookie"
            let shown = isListed ? Self.mask : names.masked(header: name, value, policy)
            return HTTPArchive.Pair(name: name, value: shown)
        }
    }

    /// A body without its secrets, as text, or in Base64 if it isn't text.
    func masked(
        _ body: Data, _ type: String, ofResponse: Bool = false
    ) -> (text: String, isText: Bool) {
        let body = names.masked(body, type, .typed, ofResponse: ofResponse)
        // `String(data:encoding:)` would drop a byte order mark.
        return String(utf8: body).map { ($0, true) }
            ?? (body.base64EncodedString(), false)
    }
}

extension HTTPArchive.Request {
    init(_ urlRequest: URLRequest, _ secrets: Secrets, _ policy: LoadPolicy) throws(FileError) {
        let body = try urlRequest.wholeBody
        method = urlRequest.httpMethod ?? "GET"
        url = secrets.names.masked(urlRequest.url)
        headers = secrets.masked(urlRequest.allHTTPHeaderFields ?? [:], policy)
        queryString = (URLComponents(string: url)?.queryItems ?? []).map {
            HTTPArchive.Pair(name: $0.name, value: $0.value ?? "")
        }
        bodySize = body?.count ?? 0
        if let body, !body.isEmpty {
            let type = urlRequest.value(forHTTPHeaderField: "Content-Type") ?? ""
            let (text, isText) = secrets.masked(body, type)
            postData = HTTPArchive.PostData(
                mimeType: type, text: text, _encoding: isText ? nil : "base64")
        }
    }
}

extension HTTPArchive.Response {
    init(_ error: URLError) {
        status = 0
        headers = []
        content = HTTPArchive.Content(size: 0, mimeType: "x-unknown")
        bodySize = -1
        _error = "\(error.code.rawValue)"
    }

    init(_ head: HTTPURLResponse, _ data: Data, _ secrets: Secrets, _ policy: LoadPolicy) {
        let fields = head.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        let type = head.value(forHTTPHeaderField: "Content-Type") ?? ""
        let (text, isText) = secrets.masked(data, type, ofResponse: true)
        status = head.statusCode
        headers = secrets.masked(Dictionary(fields) { $1 }, policy)
        content = HTTPArchive.Content(
            size: data.count, mimeType: type, text: text, encoding: isText ? nil : "base64")
        redirectURL = secrets.names.masked(text: head.value(forHTTPHeaderField: "Location") ?? "")
        bodySize = data.count
    }
}

extension Transport {
    /// A ``Replay`` of a file or, if the environment variable `ENDPOINTS_RECORD` is set, a
    /// ``Recorder`` of this transport that writes the file anew. The variable counts as not set if
    /// it is empty, `0`, `false` or `no`.
    ///
    ///     let api = EndpointClient(try URLSession.shared.recorded(at: file), in: .production)
    ///     // swift test                      ->  responds from the file, without a network
    ///     // ENDPOINTS_RECORD=1 swift test   ->  loads, and writes the file
    /// - Throws: A ``RecordingError`` if the file can't be read or written.
    public func recorded(
        at file: URL, ignoring names: SecretNames = [], masking secretNames: SecretNames = .usual
    ) throws -> any Transport {
        let variable = ProcessInfo.processInfo.environment["ENDPOINTS_RECORD"]
        return Recorder.isOn(variable)
            ? try Recorder(self, to: file, masking: secretNames)
            : try Replay(file, ignoring: names, masking: secretNames)
    }
}

extension Recorder {
    /// Whether the value of `ENDPOINTS_RECORD` turns recording on.
    static func isOn(_ variable: String?) -> Bool {
        !["", "0", "false", "no"].contains((variable ?? "").lowercased())
    }
}
