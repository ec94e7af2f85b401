import Foundation

/// Names of query items, form fields, headers, JSON keys and XML elements whose values are secrets,
/// which must not be printed.
///
///     SecretNames.usual.masked(URL(string: "https://h/login?user=ann&access_token=t0k3n"))
///     // https://h/login?user=ann&access_token=…
///
/// Case, `-` and `_` make no difference: `API-Key` is the same name as `apikey`.
public struct SecretNames: Sendable, ExpressibleByArrayLiteral {
    /// The names that APIs use for tokens, keys, passwords and signatures.
    ///
    /// A `code` is secret in a request, and in any URL, even inside a response. In the JSON or
    /// XML of a response it is shown, because there it is usually the code of an error.
    public static let usual: SecretNames = {
        var usual: SecretNames = [
            "access_token", "refresh_token", "id_token", "token", "auth", "authorization",
            "api_key", "key", "apikey", "client_secret", "secret", "password", "passwd", "pwd",
            "signature", "sig", "session", "session_id", "X-Amz-Signature", "X-Amz-Security-Token",
            "X-Amz-Credential", "X-Goog-Signature", "X-Goog-Credential",
        ]
        usual.namesInRequests = ["code"]
        return usual
    }()

    private var names: Set<String>
    /// Names that are secret everywhere except in the body of a response. In a URL or a form inside
    /// that body they are secret too.
    private var namesInRequests: Set<String> = []

    /// A set of names.
    public init(arrayLiteral names: String...) {
        self.names = Set(names.map(Self.normalized))
    }

    /// The names of both sets.
    public func union(_ others: SecretNames) -> SecretNames {
        var union = self
        union.names.formUnion(others.names)
        union.namesInRequests.formUnion(others.namesInRequests)
        return union
    }

    /// The names that are secret in the body of a response.
    package var inResponses: SecretNames {
        var names = self
        names.namesInRequests = []
        return names
    }

    /// Whether the set has this name.
    public func contains(_ name: some StringProtocol) -> Bool {
        let name = Self.normalized(name)
        return names.contains(name) || namesInRequests.contains(name)
    }

    /// The name in lower case, without `-`, `_` and percent encoding.
    static func normalized(_ name: some StringProtocol) -> String {
        let name = name.removingPercentEncoding ?? String(name)
        return name.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// A URL without user info and fragment, and with `…` for secret values; empty for `nil`.
    public func masked(_ url: URL?) -> String {
        guard let text = url?.absoluteString else { return "" }
        let whole = text.prefix { $0 != "#" }
        guard let mark = whole.firstIndex(of: "?") else { return Self.withoutUserInfo(whole) }
        let items = whole[whole.index(after: mark)...]
            .split(separator: "&", omittingEmptySubsequences: false)
            .map { item in
                let name = item.prefix { $0 != "=" }
                return containsPart(of: name) && name.count < item.count
                    ? "\(name)=…" : String(item)
            }
        return Self.withoutUserInfo(whole[..<mark]) + "?" + items.joined(separator: "&")
    }

    private static func withoutUserInfo(_ text: Substring) -> String {
        guard let userInfo = text.userInfo else { return String(text) }
        return String(text[..<userInfo.lowerBound] + text[userInfo.upperBound...].dropFirst())
    }
}

extension StringProtocol {
    /// The range of the user info in a URL's text, without the `@`; `nil` if there is no user info.
    package var userInfo: Range<Index>? {
        // A reference such as `/a//b` has no authority.
        guard let slashes = range(of: "//"),
            slashes.lowerBound == startIndex || self[..<slashes.lowerBound].isScheme
        else { return nil }
        let authority = self[slashes.upperBound...].prefix { !"/?#".contains($0) }
        return authority.lastIndex(of: "@").map { slashes.upperBound..<$0 }
    }

    /// Whether the text is a scheme with its colon, or several: `https:`, or `jdbc:postgresql:`.
    private var isScheme: Bool {
        last == ":"
            && dropLast().allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "+-.:".contains($0))
            }
    }
}
