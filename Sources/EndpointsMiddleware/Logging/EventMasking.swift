import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What hides secrets in the events of a load.
struct EventMasking: Sendable {
    private var known: Masking
    private let policy: LoadPolicy
    private var noted: @Sendable (SecretNames) -> [String]

    init(_ request: TransportRequest, _ secretNames: SecretNames) {
        let secrets =
            secretNames == .nothing
            ? [] : request.urlRequest.secrets(under: request.policy, secretNames)
        known = request.policy.masking(secretNames, secrets)
        policy = request.policy
        noted = { _ in [] }
    }

    mutating func url(_ url: URL?) -> String { known.url(url) }

    /// The same, which also hides what other middleware has added to the request until now.
    func noting(_ request: TransportRequest) -> EventMasking {
        var masking = self
        masking.noted = request.notedSecrets
        return masking
    }

    /// Hides also the secrets of a request as it is sent.
    mutating func insert(secretsOf urlRequest: URLRequest) {
        guard known.names != .nothing else { return }
        for secret in urlRequest.secrets(under: policy, known.names) { known.insert(secret) }
    }

    /// Headers with `…` for secrets.
    func headers(_ fields: [String: String]) -> [String: String] {
        var masking = whole
        return Dictionary(
            uniqueKeysWithValues: fields.map { name, value in
                let isSecret =
                    policy.hides(name, masking: masking.names) || name.lowercased() == "set-cookie"
                return (name, isSecret ? "…" : masking.header(value))
            })
    }

    /// A response's headers with `…` for secrets.
    func headers(of head: HTTPURLResponse?) -> [String: String] {
        let fields = (head?.allHeaderFields ?? [:]).map { ("\($0.key)", "\($0.value)") }
        return headers(Dictionary(fields) { "\($0), \($1)" })
    }

    /// What an error says, in one line and without secrets.
    func reason(of error: any Error) -> String {
        var masking = whole
        return masking.reason(of: error).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// What hides secrets, those included that other middleware has added.
    private var whole: Masking {
        var masking = known
        for secret in noted(masking.names) { masking.insert(secret) }
        return masking
    }
}
