import Endpoints
import Foundation

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
        return String(data: body, encoding: .utf8).map { ($0, true) }
            ?? (body.base64EncodedString(), false)
    }
}
