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
/// instead of a response, except `.cancelled`. If a stream breaks off, is left or is cancelled,
/// what has arrived is added, marked as `_cut`, with the code of the `URLError` that ended it.
/// ``Replay`` responds from the file. An upload is read into memory.
///
/// As long as a recorder exists, no other one can write its file, in this or another process.
///
/// Secrets are masked, by the rules of the page "Secrets": the values of secret names, secret
/// headers, and these values wherever they are repeated. `…` replaces the values of secret headers.
/// In bodies and URLs, a text becomes another text of its kind, such as `masked01`, and a number
/// another number, so that the response decodes as before. Equal values stay equal. A body that
/// can't be read and has the name of a secret, such as a web page, is recorded as its type and
/// size, unless the request's policy says ``LoadPolicy/showsUnparsedBodies``.
///
/// ``masked`` and the entries' `comment` say whose values were masked, and which bodies aren't
/// recorded. `masking:` are changes to ``SecretNames/usual``: `["access"]` also masks `access`, and
/// `SecretNames().subtracting(["cvc"])` records `cvc` as it is. Give the same to the ``Replay``.
/// Sensitive headers are always masked. A secret in a path, or in a text that has no name for it,
/// is kept, unless it is known by its value, as a ``Secret`` is. Read a recording before you share
/// it. Only its owner may read the file.
public final class Recorder: Transport {
    private let base: any Transport
    private let url: URL
    private let file: Locked<ArchiveFile>
    private let secrets: Secrets

    /// Makes a recorder of what a transport sends and receives. The first entry replaces what an
    /// existing file has. Until there is an entry, that file stays as it is, and a new file is an
    /// archive without entries.
    /// - Throws: A ``RecordingError`` if the file can't be written, if `file` isn't a file URL, if
    ///   another recorder writes the file, or if a name is empty or can't be that of a header.
    public init(
        _ base: some Transport, to file: URL, masking secretNames: SecretNames = [],
        headers: Set<Headers> = []
    ) throws {
        self.base = base
        url = file
        secrets = Secrets(names: .usual.union(secretNames), headers: headers)
        try RecordingError.check(secretNames, "masking", of: "Recorder")
        for header in headers where !header.isToken {
            throw RecordingError(
                wrong: "headers: [\(header.name.quoted)]", of: "Recorder",
                "use letters, digits and `-`")
        }
        guard file.isFileURL else { throw RecordingError(notAFileURL: file) }
        do { self.file = Locked(try ArchiveFile(at: file)) } catch ArchiveFile.Refusal.isInUse {
            throw RecordingError(inUse: file)
        } catch let error as FileError where error.kind == .notAFile {
            throw RecordingError(notAFile: file)
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
                try record(request, start) { _ in HTTPArchive.Response(error) }
            }
            throw error
        }
        let (head, whole) = (response.httpResponse, Locked(Data()))
        response.body = try response.body.observed { chunk in
            whole.withLock { $0.append(chunk) }
        } onEnd: { [self] end in
            let data = whole.withLock { $0 }
            try record(request, start) { masks in
                var response = HTTPArchive.Response(head, data, &masks)
                if let url = head.url, url != request.urlRequest.url {
                    response._url = masks.url(url)
                }
                if case .whole = end {} else { response._cut = true }
                if case .failed(let error) = end, let error = error.asURLError,
                    error.code != .cancelled
                {
                    response._error = "\(error.code.rawValue)"
                }
                return response
            }
        }
        return response
    }

    private func record(
        _ request: TransportRequest, _ start: Date,
        _ response: (inout EntryMasks) -> HTTPArchive.Response
    ) throws {
        let milliseconds = Date().timeIntervalSince(start) * 1000
        var masks = secrets.masks(of: request)
        let recorded = try HTTPArchive.Request(request.urlRequest, &masks)
        let entry = HTTPArchive.Entry(
            startedDateTime: (try? start.pathRepresentation) ?? "", time: milliseconds,
            request: recorded, response: response(&masks),
            timings: HTTPArchive.Timings(wait: milliseconds), comment: masks.comment)
        secrets.add(masks)
        do { try file.withLock { try $0.append(entry) } } catch {
            throw RecordingError(unwritable: url)
        }
    }

    /// The names whose values were masked so far, sorted, and then what wasn't recorded, because it
    /// can't be read and has the name of a secret.
    ///
    ///     let recorder = try Recorder(session, to: file)
    ///     print(recorder.masked)
    ///     // ["Authorization", "access_token",
    ///     //  "the response's body (text/html, 312 bytes) of GetPage"]
    public var masked: [String] { secrets.hidden }
}

extension Recorder: Observing {
    /// The transport that is recorded.
    package var inner: any Transport { base }
}

extension RecordingError {
    /// Throws if a name has no letters, or is a list of names.
    static func check(_ names: SecretNames, _ label: String, of part: String) throws {
        guard let fault = names.fault("write names, such as `stamp`") else { return }
        throw RecordingError(wrong: "\(label): \(fault.names)", of: part, fault.advice)
    }

    fileprivate init(wrong setting: String, of part: String, _ advice: String) {
        self.init(
            description: "the \(part) has `\(setting)`, which can't be meant; \(advice)")
    }

    init(notAFileURL url: URL) {
        self.init(
            description: """
                \(SecretNames.usual.masked(url)) is not a file URL, so there is no recording; write \
                URL(fileURLWithPath: path)
                """)
    }

    fileprivate init(inUse file: URL) {
        self.init(
            description: """
                another Recorder is writing the recording \(file.path), in this process or another \
                one; share one Recorder, release the other one first, or record to another file
                """)
    }

    fileprivate init(notAFile file: URL) {
        self.init(
            description: """
                the recording \(file.path) can't be written, because that isn't a file; record to \
                another path
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

extension Transport {
    /// A ``Replay`` of a file or, if the environment variable `ENDPOINTS_RECORD` is set, a
    /// ``Recorder`` of this transport that writes the file anew. It is set by `1`, `true`, `yes` or
    /// `on`, and not set by `0`, `false`, `no`, `off` or nothing. Any other value is an error.
    ///
    ///     let api = EndpointClient(try URLSession.shared.recorded(at: file), in: .production)
    ///     // swift test                      ->  responds from the file, without a network
    ///     // ENDPOINTS_RECORD=1 swift test   ->  loads, and writes the file
    /// - Throws: A ``RecordingError`` if the file can't be read or written, if `file` isn't a file
    ///   URL, or if the variable has another value.
    public func recorded(
        at file: URL, ignoring names: SecretNames = [], masking secretNames: SecretNames = []
    ) throws -> any Transport {
        let variable = ProcessInfo.processInfo.environment["ENDPOINTS_RECORD"]
        return try Recorder.isOn(variable)
            ? try Recorder(self, to: file, masking: secretNames)
            : try Replay(file, ignoring: names, masking: secretNames)
    }
}

extension Recorder {
    /// Whether the value of `ENDPOINTS_RECORD` turns recording on.
    static func isOn(_ variable: String?) throws(RecordingError) -> Bool {
        let value = variable ?? ""
        switch value.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() {
        case "1", "true", "yes", "on": return true
        case "", "0", "false", "no", "off": return false
        default:
            throw RecordingError(
                description: """
                    the environment variable ENDPOINTS_RECORD is `\(value)`; set it to 1 to \
                    record, or to 0 to replay
                    """)
        }
    }
}

extension Recorder: CustomReflectable {
    /// No children, because `dump(_:)` would print the secrets that it masks.
    public var customMirror: Mirror { .hidden(self) }
}
