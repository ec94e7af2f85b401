import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Hides the secrets of a recording: the values of secret headers, query items, form fields, parts
/// and JSON members.
struct Secrets: Sendable {
    let names: SecretNames
    let headers: Set<Headers>

    static let mask = "…"

    func isSecret(_ header: String, _ policy: LoadPolicy) -> Bool {
        let name = Headers(name: header)
        return name == "Set-Cookie" || headers.contains(name)
            || names.hides(header: header, under: policy)
    }

    func masked(_ fields: [String: String], _ policy: LoadPolicy) -> [HTTPArchive.Pair] {
        fields.sorted { $0.key < $1.key }.map { name, value in
            let isURL = ["Location", "Content-Location", "Referer"].contains(Headers(name: name))
            let shown = isURL ? masked(url: value) : value
            return HTTPArchive.Pair(
                name: name, value: isSecret(name, policy) ? Self.mask : shown)
        }
    }

    /// A URL or a relative reference without its secrets; `…` for a text that isn't a URL.
    func masked(url text: String) -> String {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let address = String(parts[0])
        var shown = address
        if !address.isEmpty {
            guard let url = URL(string: address) else { return Self.mask }
            let masked = names.masked(url)
            if masked.contains(Self.mask) || address.contains("@") { shown = masked }
        }
        // A fragment can have secrets as well, as in `#access_token=t0k3n`.
        guard parts.count > 1 else { return shown }
        // It may begin like a path: `#/callback?code=c0d3`.
        let fragment = parts[1]
        let path = fragment.prefix { $0 != "=" }.lastIndex { "?/!".contains($0) }
        let form = path.map { fragment[fragment.index(after: $0)...] } ?? fragment
        return "\(shown)#\(fragment[..<form.startIndex])\(names.masked(form: String(form)))"
    }

    /// A body without its secrets, as text, or in Base64 if it isn't text. Only URL-encoded forms,
    /// multipart bodies and JSON are changed. JSON without a secret is kept, as encoding it again
    /// would change its bytes.
    func masked(
        _ body: Data, _ type: String, ofResponse: Bool = false
    ) -> (text: String, isText: Bool) {
        let body = maskedBytes(body, type, ofResponse: ofResponse)
        return String(data: body, encoding: .utf8).map { ($0, true) }
            ?? (body.base64EncodedString(), false)
    }

    private func maskedBytes(_ body: Data, _ type: String, ofResponse: Bool) -> Data {
        let members = ofResponse ? names.inResponses : names
        if let multipart = MultipartText(body, type) {
            return multipart.masked(
                { maskedBytes($0, $1, ofResponse: ofResponse) }, names)
        }
        let type = type.lowercased()
        if type.isJSONLines {
            let lines = body.split(separator: 10, omittingEmptySubsequences: false)
                .map { maskedBytes($0, "application/json", ofResponse: ofResponse) }
            return Data(lines.joined(separator: [10]))
        }
        if type.contains("json"),
            let value = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed),
            members.occur(in: value),
            let masked = try? JSONSerialization.data(
                withJSONObject: members.masked(json: value, by: SecretNames.maskedTexts(of:)),
                options: [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes])
        {
            return masked
        }
        guard type.hasPrefix("application/x-www-form-urlencoded"),
            let text = String(data: body, encoding: .utf8)
        else { return body }
        return Data(names.masked(form: text).utf8)
    }
}

extension SecretNames {
    fileprivate func occur(in value: Any) -> Bool {
        switch value {
        case let object as [String: Any]:
            object.contains { contains($0.key) || occur(in: $0.value) }
        case let list as [Any]: list.contains { occur(in: $0) }
        default: false
        }
    }

    /// A JSON value with the text "masked" in place of each text, and 0 in place of each number.
    /// Names, `true`, `false` and `null` are kept. So the value decodes as before, unless only some
    /// texts or numbers are valid, as for a date or an enum.
    fileprivate static func maskedTexts(of value: Any) -> Any {
        switch value {
        case let object as [String: Any]: object.mapValues(maskedTexts(of:))
        case let list as [Any]: list.map(maskedTexts(of:))
        // Not the usual ``mask``: the client may send this text as a token, which must be ASCII.
        case is String: "masked"
        // `true` and `false` are `NSNumber`s too. Only they have the type "c", a C char.
        case let number as NSNumber: String(cString: number.objCType) == "c" ? number : 0
        default: value
        }
    }

    func masked(form text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false)
            .map { field in
                let name = field.prefix { $0 != "=" }
                return containsPart(of: name) && name.count < field.count
                    ? "\(name)=…" : String(field)
            }
            .joined(separator: "&")
    }
}
