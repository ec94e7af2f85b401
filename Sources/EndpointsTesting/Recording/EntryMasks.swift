import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a recording has masked so far, so that equal values stay equal.
final class Secrets: Sendable {
    /// What stands for the value of a secret header.
    static let mask = "…"

    private struct State {
        var known: Set<String> = []
        var hidden: Set<String> = []
        /// The bodies that aren't recorded, with their request types.
        var unshown: Set<String> = []
        /// The number of each masked value.
        var numbers: [String: Int] = [:]
    }

    private let names: SecretNames
    private let headers: Set<Headers>
    private let state = Locked(State())

    init(names: SecretNames, headers: Set<Headers>) {
        self.names = names
        self.headers = headers
    }

    var hidden: [String] {
        state.withLock { $0.hidden.subtracting([""]).sorted() + $0.unshown.sorted() }
    }

    /// The masks of a new entry.
    func masks(of request: TransportRequest) -> EntryMasks {
        var policy = request.policy
        policy.sensitiveHeaders.formUnion(headers)
        let sent =
            names == .nothing
            ? [] : request.notedSecrets(names) + request.urlRequest.secrets(under: policy, names)
        let known = state.withLock { state in
            state.known.formUnion(sent.filter { $0.utf8.count > 5 })
            return Array(state.known)
        }
        var masking = policy.masking(names, known, whole: nil)
        masking.replacement = { [self] in mask(of: $0, isNumber: $1) }
        return EntryMasks(
            requestType: "\(request.requestType)", policy: policy, masking: masking, names: names)
    }

    func add(_ masks: EntryMasks) {
        state.withLock { state in
            state.hidden.formUnion(masks.hidden)
            state.unshown.formUnion(masks.unshown)
            state.known.formUnion(masks.known)
        }
    }

    /// A value of the same kind, which is the same for the same value.
    /// A date of RFC 3339, with or without a time.
    private static let date =
        #"\A[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9]{2}:?[0-9]{2}))?\z"#

    private func mask(of text: String, isNumber: Bool) -> String {
        let number = state.withLock { state in
            let number = state.numbers[text] ?? state.numbers.count + 1
            state.numbers[text] = number
            return number
        }
        // Of a length that is valid Base64 too.
        let digits = String(number)
        let width = digits.count < 3 ? 2 : 6
        let mask = "masked" + String(repeating: "0", count: max(0, width - digits.count)) + digits
        if isNumber { return digits }
        if UUID(uuidString: text) != nil {
            return "00000000-0000-4000-8000-"
                + String(String(number + 1_000_000_000_000).dropFirst())
        }
        // A number, or a date: only the digits change.
        if text.utf8.allSatisfy(\.isDigit) {
            return String(repeating: "0", count: max(0, text.count - digits.count)) + digits
        }
        if text.range(of: Self.date, options: .regularExpression) != nil {
            return String(text.map { $0.isNumber ? "1" : $0 })
        }
        if text.hasPrefix("https://") || text.hasPrefix("http://") {
            return "https://\(mask).invalid/"
        }
        return mask
    }
}

/// Hides the secrets of one entry of a recording.
struct EntryMasks {
    /// The name of the request type.
    private let requestType: String
    let policy: LoadPolicy
    fileprivate var masking: Masking
    /// Values of the response that are masked in later entries too.
    private(set) var known: [String] = []
    private var headers: Set<String> = []
    /// The bodies, or what of them, that can't be read and have the name of a secret.
    private var unread: [String] = []
    private let names: SecretNames

    /// - Parameter names: The names that the recorder was given.
    fileprivate init(
        requestType: String, policy: LoadPolicy, masking: Masking, names: SecretNames
    ) {
        self.requestType = requestType
        self.policy = policy
        self.masking = masking
        self.names = names
    }

    var hidden: Set<String> { headers.union(masking.found.map(\.name)) }

    /// What can't be read, with the name of the request type.
    var unshown: [String] { unread.map { "\($0) of \(requestType)" } }

    /// What is masked in the entry; `nil` if nothing is.
    var comment: String? {
        let names = hidden.subtracting([""]).sorted()
        guard !hidden.isEmpty || !unread.isEmpty else { return nil }
        var comment = Self.masks
        if !names.isEmpty { comment += ": the values of \(names.joined(separator: ", "))" }
        if let name = names.first(where: canBeShown) {
            comment += """
                . To record \(name) as it is, pass \
                `masking: SecretNames().subtracting(["\(name)"])`
                """
        }
        if !unread.isEmpty {
            comment += """
                . Not recorded, as it can't be read and has the name of a secret: \
                \(unread.joined(separator: ", ")). To record it as it is, set \
                `showsUnparsedBodies: true` in the LoadPolicy of \(requestType)
                """
        }
        return comment
    }

    /// Whether the value of a name is recorded as it is if the recorder's names are without it.
    /// Sensitive headers never are, nor is a name with another part that is secret, such as
    /// `user[token]`.
    private func canBeShown(_ name: String) -> Bool {
        let rest = policy.masking(names.subtracting([name])).names
        return !policy.hides(name, masking: rest) && name.lowercased() != "set-cookie"
            && SecretNames.Place.allCases.allSatisfy { !rest.contains(name, in: $0) }
    }

    private static var masks: String { HTTPArchive.Entry.masks }

    mutating func url(_ url: URL?) -> String { masking.url(url) }

    mutating func fields(_ fields: [String: String]) -> [HTTPArchive.Pair] {
        fields.sorted { $0.key < $1.key }.map { name, value in
            guard policy.hides(name, masking: masking.names) || name.lowercased() == "set-cookie"
            else {
                return HTTPArchive.Pair(name: name, value: masking.header(value))
            }
            headers.insert(name)
            if masking.names != .nothing { note(Masking.secrets(inHeader: name, value)) }
            return HTTPArchive.Pair(name: name, value: Secrets.mask)
        }
    }

    /// A body without its secrets, as text, or in Base64 if it isn't text.
    /// - Parameter name: What the body is, such as `the response's body`.
    mutating func body(
        _ body: Data, _ type: String, as name: String
    ) -> (text: String, isText: Bool) {
        let count = masking.found.count
        let (masked, unshown) = masking.body(Array(body), type)
        note(masking.found[count...].map(\.value).filter(\.isDistinctive))
        guard let masked else {
            let summary = Masking.summary(type, body.count)
            unread.append("\(name) (\(summary))")
            return (summary, true)
        }
        for part in unshown {
            let what = "\(part == "a line" ? part : "a part (\(part))") of \(name)"
            if !unread.contains(what) { unread.append(what) }
        }
        // `String(data:encoding:)` would drop a byte order mark.
        return String(utf8: masked).map { ($0, true) } ?? (
            Data(masked).base64EncodedString(), false
        )
    }

    private mutating func note(_ secrets: [String]) {
        for secret in secrets where secret.utf8.count > 5 {
            known.append(secret)
            masking.insert(secret)
        }
    }
}

extension HTTPArchive.Entry {
    /// How the comment of an entry with masks begins.
    static let masks = "Secrets are masked"
    /// How a comment calls the body of the response.
    static let responseBody = "the response's body"

    /// What of the response the recorder hasn't written, because it can't be read: its body, or a
    /// part of it; `nil` if nothing is missing. The comment has the text that stands for a whole
    /// body, unless somebody has since put the body there. It doesn't have what stands for a part.
    var missing: String? {
        guard let comment, comment.hasPrefix(Self.masks) else { return nil }
        if let text = response.content.text, comment.contains("\(Self.responseBody) (\(text))") {
            return "its body"
        }
        return comment.contains(" of \(Self.responseBody)") ? "a part of its body" : nil
    }
}

extension HTTPArchive.Request {
    init(_ urlRequest: URLRequest, _ masks: inout EntryMasks) throws(FileError) {
        let body = try urlRequest.wholeBody
        method = urlRequest.method
        url = masks.url(urlRequest.url)
        headers = masks.fields(urlRequest.allHTTPHeaderFields ?? [:])
        queryString = (URLComponents(string: url)?.queryItems ?? []).map {
            HTTPArchive.Pair(name: $0.name, value: $0.value ?? "")
        }
        bodySize = body?.count ?? 0
        if let body, !body.isEmpty {
            let type = urlRequest.value(forHTTPHeaderField: "Content-Type") ?? ""
            let (text, isText) = masks.body(body, type, as: "the request's body")
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

    init(_ head: HTTPURLResponse, _ data: Data, _ masks: inout EntryMasks) {
        let fields = head.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        let type = head.value(forHTTPHeaderField: "Content-Type") ?? ""
        status = head.statusCode
        headers = masks.fields(Dictionary(fields) { $1 })
        let (text, isText) = masks.body(data, type, as: HTTPArchive.Entry.responseBody)
        content = HTTPArchive.Content(
            size: data.count, mimeType: type, text: text, encoding: isText ? nil : "base64")
        redirectURL = headers.first { Headers(name: $0.name) == "Location" }?.value ?? ""
        bodySize = data.count
    }
}
