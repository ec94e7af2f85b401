import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a load had sent and received when it failed. Its texts have `…` for secrets, and are made
/// when they are asked for: most errors are never printed.
struct LoadTrace: Sendable, CustomReflectable {
    /// What an error that isn't a response keeps of the trace.
    struct Text: Sendable {
        let requestType: String
        let line: String
    }

    /// The name of the request type.
    let requestType: String
    let method: String
    let url: URL?
    /// The status of the response, if one arrived and the error doesn't hold it.
    let status: Int?
    let seconds: TimeInterval
    /// What the load received, if the text shows it.
    let received: Received?
    /// Whether the load failed after its stream had begun. If so, an `.unexpectedResponse` holds
    /// the response to a later request for the stream, and not the first response.
    let isOfStream: Bool
    /// Makes what hides the secrets of the request.
    let masking: @Sendable () -> Masking

    /// The beginning of what a load received.
    struct Received: Sendable {
        let head: HTTPURLResponse
        let data: Data
        let size: Int
        /// What `data` is.
        let name: String

        init(_ data: Data, of head: HTTPURLResponse, as name: String) {
            self.head = head
            // A copy, so that an error doesn't keep all of a large body.
            self.data = data.prefix(Masking.window).withUnsafeBytes { Data($0) }
            size = data.count
            self.name = name
        }
    }

    /// One line: the method, the URL, the status if there is one, and the seconds that the load
    /// took.
    var line: String {
        var masking = masking()
        return line(masking.url(url) + (status.map { " -> \($0)" } ?? ""))
    }

    var text: Text { Text(requestType: requestType, line: line) }

    /// A phrase about what was received; `nil` if there is none.
    var body: String? {
        received.flatMap { $0.head.phrase(of: $0.data, masking(), as: $0.name, size: $0.size) }
    }

    var customMirror: Mirror { .hidden(self) }

    func line(_ text: String) -> String {
        // A method that a hook sets may have any characters.
        let method = method.isToken ? method : method.quoted
        return "\(method) \(text), \((seconds * 1000).rounded() / 1000) s"
    }

    /// A text of the program's own, such as that of an error response, without what was sent as a
    /// secret.
    func hidingSecrets(in text: String) -> String {
        var masking = masking()
        masking.showsUnparsedBodies = true
        let masked = masking.body(Array(text.utf8), "text/plain", isCutOff: false).bytes
        return masked.map { String(decoding: $0, as: UTF8.self) } ?? text
    }
}

/// The head (status and headers) of a response, with a trace of what its load sent and received,
/// and with a middleware's hint at why the server may have refused the request.
///
/// Both are kept here because the cases of ``EndpointTaskError`` have no value for them.
/// The class is `@unchecked` because its superclass is; its own properties are constants.
final class TracedResponse: HTTPURLResponse, @unchecked Sendable {
    let trace: LoadTrace?
    let hint: String?
    /// The head as it came.
    let original: HTTPURLResponse?

    init?(_ head: HTTPURLResponse, _ trace: LoadTrace?, hint: String?) {
        guard let url = head.url else { return nil }
        self.trace = trace
        self.hint = hint
        original = head.untraced
        let fields = head.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        super.init(
            url: url, statusCode: head.statusCode, httpVersion: "HTTP/1.1",
            headerFields: Dictionary(fields) { $1 })
    }

    required init?(coder: NSCoder) {
        (trace, hint, original) = (nil, nil, nil)
        super.init(coder: coder)
    }
}

extension HTTPURLResponse {
    /// Whether the response of an `.unexpectedResponse` is to a later request of a stream, sent
    /// after the stream's connection had ended.
    var isToStreamRequestedAgain: Bool { (self as? TracedResponse)?.trace?.isOfStream == true }

    /// This head as it came, without a trace.
    package var untraced: HTTPURLResponse { (self as? TracedResponse)?.original ?? self }

    /// This head with a sentence for the `debugDescription` of the error that the response becomes,
    /// after those that other middleware has added.
    package func withHint(_ hint: String) -> HTTPURLResponse {
        TracedResponse(self, nil, hint: [(self as? TracedResponse)?.hint, hint].joined) ?? self
    }
}

/// An error that knows what a load sent and received: an ``EndpointTaskError``, or an error with
/// such a cause.
package protocol TracingError: Error {
    /// The load's method, URL (with `…` for secrets), status and time, and the beginning of the
    /// body, as far as they are known; and the names of request types in the error's text.
    var loadTrace: (text: String?, requestTypes: [String]) { get }
}

extension Error {
    /// The names of request types in the error's text, in their order.
    var requestTypes: [String] {
        switch self {
        case let error as EndpointError: [error.requestType]
        case let error as EndpointParseError: [error.requestType] + error.cause.requestTypes
        case let error as TransportError: error.cause.requestTypes
        default: (self as? any TracingError)?.loadTrace.requestTypes ?? []
        }
    }
}

extension Masking {
    /// What an error says, without secrets. The name of a request type isn't that of a secret: a
    /// text `RefreshToken: the server responded with …` is shown.
    package mutating func reason(of error: any Error) -> String {
        let text = Array(error.safeReason.utf8)
        var unnamed = text
        for name in error.requestTypes.map({ "\($0): " }) {
            let start = unnamed.index(of: name)
            guard start < unnamed.count else { continue }
            unnamed = unnamed.part(0, start) + unnamed.part(start + name.utf8.count)
        }
        return (leaf(unnamed) == unnamed ? text : leaf(text)).string
    }
}

/// An error in a case of ``EndpointTaskError``. An enum has no place for the trace of a load, so
/// what its cases hold keeps it: an error as a line, and a response as a ``TracedResponse``.
protocol TracedError: Error {
    var trace: LoadTrace.Text? { get set }
}

extension TracedError {
    func traced(_ trace: LoadTrace) -> Self {
        var error = self
        error.trace = trace.text
        return error
    }
}

extension EndpointError: TracedError {}
extension FileError: TracedError {}
extension TransportError: TracedError {}

extension URLError: TracedError {
    /// The texts have no secrets, because other code may print the `userInfo`.
    var trace: LoadTrace.Text? {
        get {
            guard let line = userInfo["EndpointsLoad"] as? String else { return nil }
            let requestType = userInfo["EndpointsRequest"] as? String ?? ""
            // What a middleware has said of the error follows the line.
            let text = [line, userInfo["EndpointsHint"] as? String].joined ?? line
            return LoadTrace.Text(requestType: requestType, line: text)
        }
        set {
            var userInfo = userInfo
            if let newValue {
                userInfo.updateValue(newValue.line, forKey: "EndpointsLoad")
                userInfo.updateValue(newValue.requestType, forKey: "EndpointsRequest")
            }
            self = URLError(code, userInfo: userInfo)
        }
    }
}

extension URLError {
    /// This error with the trace. The URLs that it has lose their user info and fragment, and have
    /// `…` for secrets.
    func traced(_ trace: LoadTrace) -> URLError {
        var (userInfo, masking) = (userInfo, trace.masking())
        for (key, value) in userInfo {
            switch value {
            case let url as URL:
                let text = masking.url(url)
                if text != url.absoluteString { userInfo[key] = URL(string: text) }
            case let text as String where key == "NSErrorFailingURLStringKey":
                userInfo[key] = masking.url(URL(string: text))
            default: break
            }
        }
        var error = URLError(code, userInfo: userInfo)
        error.trace = trace.text
        return error
    }
}

extension [String?] {
    /// The phrases that there are; `nil` if there is none.
    var joined: String? {
        let phrases = compactMap(\.self)
        return phrases.isEmpty ? nil : phrases.joined(separator: "; ")
    }
}

extension HTTPURLResponse {
    func traced(_ trace: LoadTrace) -> HTTPURLResponse {
        TracedResponse(self, trace, hint: (self as? TracedResponse)?.hint) ?? self
    }

    /// The phrases of a `debugDescription` about a load that ended with this response.
    func trace(_ data: Data) -> String {
        let traced = self as? TracedResponse
        let trace = traced?.trace
        var masking = trace?.masking() ?? Masking(.usual)
        let head = "\(masking.url(url)) -> \(statusCode)"
        let body = trace.map(\.body) ?? phrase(of: data, Masking(.usual))
        return [trace?.line(head) ?? head, body, traced?.hint].joined ?? head
    }

    /// A phrase about the body of this response, without secrets; `nil` if it is empty.
    func phrase(
        of data: Data, _ masking: Masking, as name: String = "the body", size: Int? = nil
    ) -> String? {
        guard !data.isEmpty else { return nil }
        let type = value(forHTTPHeaderField: "Content-Type") ?? ""
        var masking = masking
        for (name, value) in allHeaderFields where "\(name)".lowercased() == "set-cookie" {
            for secret in Masking.secrets(inHeader: "Set-Cookie", "\(value)") {
                masking.insert(secret)
            }
        }
        let body = masking.beginning(of: data, type, size: size ?? data.count)
        return body.isShown
            ? "\(name) begins with \(body.text.quoted)" : "\(name) is \(body.text)"
    }
}
