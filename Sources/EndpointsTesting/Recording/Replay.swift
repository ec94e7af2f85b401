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
/// `.networkConnectionLost` if none was recorded. Such an error also ends a stream that broke off,
/// or was left, while it was recorded.
///
/// A redirect in the archive is followed to its entry, as the request's ``LoadPolicy`` says. A
/// ``Recorder`` writes only the last response, and its URL if that isn't the request's (`_url`). A
/// body may be in a file beside the archive (`_file`). An entry that can't be read is ``skipped``.
public final class Replay: Transport {
    private struct Entry {
        /// The texts of the requests that match: mostly one.
        let texts: [String]
        let entry: HTTPArchive.Entry

        var text: String { texts.first ?? "" }
    }

    private struct State {
        let entries: [Entry]
        /// Which entries have a text.
        let places: [String: [Int]]
        var isUsed: [Bool]
        /// The texts of the requests that an entry was found for.
        var sent: [String] = []
        /// The secrets of the requests so far, which no text shows.
        var secrets = LoadPolicy.default.masking()

        init(_ entries: [Entry]) {
            self.entries = entries
            let texts = entries.indices.flatMap { index in
                Set(entries[index].texts).map { ($0, index) }
            }
            places = Dictionary(grouping: texts, by: \.0).mapValues { $0.map(\.1) }
            isUsed = entries.map { _ in false }
        }

        /// A text without the secrets of the requests so far.
        func hidden(_ text: String) -> String { secrets.hidingKnown(in: text) }
    }

    private let volatile: SecretNames
    private let secretNames: SecretNames
    private let file: URL
    private let state: Locked<State>

    private var name: String { file.lastPathComponent }

    /// The entries of the archive that can't be read, each with the reason.
    ///
    ///     let replay = try Replay(file)
    ///     print(replay.skipped)
    ///     // ["entry 3 (GET https://h/a): the value at `response.status` is missing"]
    public let skipped: [String]

    /// A transport that responds from a file.
    ///
    /// The values of query items, form fields, parts and JSON members with these names are not
    /// compared. Nor are the values of secret names: those of ``SecretNames/usual`` with the
    /// changes of `secretNames`, which must be the same that the ``Recorder`` had. A name is that
    /// of the value alone: `stamp`, not `user.stamp`.
    /// - Throws: A ``RecordingError`` if `file` isn't a file URL, if the file or all its entries
    ///   can't be read, or if a name has no letters.
    public init(
        _ file: URL, ignoring names: SecretNames = [], masking secretNames: SecretNames = []
    ) throws {
        try RecordingError.check(names, "ignoring", of: "Replay")
        try RecordingError.check(secretNames, "masking", of: "Replay")
        let secretNames = SecretNames.usual.union(secretNames)
        let volatile = secretNames.union(names.exactly)
        let archive = try HTTPArchive(contentsOf: file)
        let folder = file.deletingLastPathComponent()
        var (entries, skipped): ([Entry], [String]) = ([], archive.skipped)
        for entry in archive.entries {
            do {
                let texts = try entry.request.texts(in: folder, volatile)
                entries.append(Entry(texts: texts, entry: entry))
            } catch {
                skipped.append("\(entry.request.method) \(entry.request.url): \(error.safeReason)")
            }
        }
        self.volatile = volatile
        self.secretNames = secretNames
        self.file = file
        self.skipped = skipped
        state = Locked(State(entries))
    }

    /// The requests of the archive that were not sent, as text.
    public var unused: [String] {
        state.withLock { state in
            zip(state.entries, state.isUsed).filter { !$1 }.map { state.hidden($0.0.text) }
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

    /// Responds from the archive, and follows the redirects in it.
    /// - Throws: A ``RecordingError`` if no unused entry matches, if the entry's status isn't
    ///   valid, if its `_file` can't be read, or if the body is to be read, and it or a part of it
    ///   wasn't recorded; for an entry with status 0, the recorded `URLError`, or
    ///   `.networkConnectionLost` if none was recorded; the `URLError` of a redirect that can't be
    ///   followed; a ``FileError`` if a file of the body can't be read.
    public func send(_ first: TransportRequest) async throws -> TransportResponse {
        var (request, redirection) = (first, Redirection(of: first))
        while true {
            let response = try response(to: request)
            guard let next = try redirection.next(after: response.httpResponse, to: request)
            else { return try response.heedingCancellation(of: request) }
            request = next
        }
    }

    private func response(to request: TransportRequest) throws -> TransportResponse {
        // This notes the request for errors; a replay also takes what a session refuses.
        try? request.check()
        var plain = request.urlRequest
        let type = plain.value(forHTTPHeaderField: "Content-Type")
        plain.allHTTPHeaderFields = nil
        let secrets = (known: secrets(of: request), policy: request.policy)
        let text = try HTTPArchive.Request.text(of: plain, type, volatile, hiding: secrets)
        // What is a secret of this request, such as a part of its path, is hidden in the entries
        // too.
        let plainText = try HTTPArchive.Request.text(
            of: plain, type, volatile, hiding: ([], .default))
        let entry = try state.withLock { (state: inout State) throws -> HTTPArchive.Entry in
            for secret in secrets.known { state.secrets.insert(secret) }
            let hidden = text == plainText ? nil : texts(in: state, hiding: secrets)
            let places =
                hidden.map { texts in texts.indices.filter { texts[$0].contains(text) } }
                ?? state.places[text, default: []]
            let candidates = places.filter { !state.isUsed[$0] }
            let same = candidates.first {
                state.entries[$0].entry.request.hasHeaders(of: request.urlRequest)
            }
            guard let index = same ?? candidates.first else {
                throw RecordingError(
                    description: state.hidden(
                        missing(text, request, among: hidden ?? state.entries.map(\.texts))))
            }
            state.isUsed[index] = true
            state.sent.append(text)
            return state.entries[index].entry
        }
        let response = try entry.response.transportResponse(
            to: request, from: file, entry.comment)
        if let missing = entry.missing, request.requestType.reads(response.httpResponse) {
            throw RecordingError(
                description: """
                    the response to this \(request.requestType) request was recorded without \
                    \(missing); \(name) says: \(entry.comment ?? "")
                    """)
        }
        return response
    }

    /// The texts of each entry, without the secrets of a request.
    private func texts(in state: State, hiding secrets: ([String], LoadPolicy)) -> [[String]] {
        let folder = file.deletingLastPathComponent()
        return state.entries.map { entry in
            (try? entry.entry.request.texts(in: folder, volatile, hiding: secrets)) ?? entry.texts
        }
    }

    private func secrets(of request: TransportRequest) -> [String] {
        guard secretNames != .nothing else { return [] }
        return request.policy.pathSecrets.compactMap(\.pathRepresentation)
            + request.notedSecrets(secretNames)
            + request.urlRequest.secrets(under: request.policy, secretNames)
    }

    /// Why there is no entry for a request.
    /// - Parameter entries: The texts of each entry, under the request's policy.
    private func missing(
        _ text: String, _ request: TransportRequest, among entries: [[String]]
    ) -> String {
        let all = entries.map { $0.first ?? "" }
        let type = request.requestType
        let first = skipped.first.map {
            "\nThe file has entries that can't be read (\(skipped.count)). The first is \($0)"
        }
        let rest = "; record the file again. The request is:\n\(text)\(first ?? "")"
        let count = entries.count { $0.contains(text) }
        if count > 0 {
            return "\(name) has this \(type) request only \(count) ×, but it was sent again\(rest)"
        }
        let nearest = all.max { Self.likeness($0, text) < Self.likeness($1, text) }
        guard let nearest, let difference = difference(from: nearest, to: text) else {
            return "this \(type) request is not in \(name), which has no entries\(rest)"
        }
        let path = Self.withoutOrigin(text)
        guard !all.contains(where: { Self.withoutOrigin($0) == path }) else {
            return """
                \(name) has this \(type) request, but to another server; replay with the base URL \
                that was recorded, such as one with a fixed port: \(difference)
                """
        }
        return """
            this \(type) request is not in \(name)\(rest)
            Compared with the most similar entry, \(difference)
            If a query item, form field, part or JSON member of the request changes in each run, \
            add its name to `ignoring:`, without the names of what it is in: `stamp`, not \
            `user.stamp`. If the recorder had `masking:`, pass the same to the replay
            """
    }

    /// The text of a request without the scheme, host and port of its URL.
    private static func withoutOrigin(_ text: String) -> String {
        guard let mark = text.range(of: "://") else { return text }
        let rest = text[mark.upperBound...].drop { $0 != "/" && !$0.isNewline }
        return (text[..<mark.lowerBound].split(separator: " ").first.map(String.init) ?? "") + rest
    }

    /// How many characters two texts have in common at the beginning and at the end.
    private static func likeness(_ left: String, _ right: String) -> Int {
        left.commonPrefix(with: right).count
            + String(left.reversed()).commonPrefix(with: String(right.reversed())).count
    }
}

extension RequestType {
    /// Whether the body of a response is read as the `Response`. An error response is thrown with
    /// its status, and its error says what wasn't recorded.
    fileprivate static func reads(_ httpResponse: HTTPURLResponse) -> Bool {
        let unread: [Any.Type] = [
            Void.self, Void?.self, EmptyResponse.self, EmptyResponse?.self,
            WithHTTPResponse<Void>.self, WithHTTPResponse<Void?>.self,
            WithHTTPResponse<EmptyResponse>.self, WithHTTPResponse<EmptyResponse?>.self,
        ]
        return succeeded(httpResponse) && !unread.contains { $0 == Response.self }
    }
}

extension Replay: CustomReflectable {
    /// No children, because `dump(_:)` would print the archive.
    public var customMirror: Mirror { .hidden(self) }
}
