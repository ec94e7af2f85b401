import EndpointsDocuments

/// Writes what a sign-in by OAuth 2 needs to know: the servers and scopes of a document's
/// `securitySchemes`.
struct SignInWriter {
    let document: Document
    let report: Report

    /// The text of the file; `nil` if no scheme has a URL that tokens may be sent to.
    func text() -> Written? {
        var namer = Namer(taken: [])
        let schemes = document.root["components"]?["securitySchemes"]?.allMembers ?? []
        let parts = schemes.compactMap { name, node -> [Written]? in
            guard let scheme = try? document.object(node), scheme["type"]?.text == "oauth2"
            else { return nil }
            return lines(name, scheme, namer.name(name.lowerCamel, or: "signIn"))
        }
        guard !parts.isEmpty else { return nil }
        let head: [Written] = ["import EndpointsAuth", "import Foundation", ""]
        return (head + Array(parts.joined(separator: [""])) + [""]).joined(separator: "\n")
    }

    private func lines(_ name: String, _ scheme: Node, _ swiftName: String) -> [Written]? {
        let flows = (scheme["flows"]?.members ?? []).map(\.node)
        func url(_ key: String) -> Written? {
            flows.lazy.compactMap { self.url(at: key, of: $0) }.first
        }
        guard let tokenURL = url("tokenUrl") else {
            report.skip(
                scheme.pointer,
                "`\(name)` has no `tokenUrl` that begins with https://; its sign-in isn't written")
            return nil
        }
        let arguments: [Written] = [
            url("authorizationUrl").map { "authorizationURL: \($0)" }, "tokenURL: \(tokenURL)",
            url("deviceAuthorizationUrl").map { "deviceAuthorizationURL: \($0)" },
        ].compactMap { $0 }
        let server = Written.name(swiftName)
        var lines: [Written] = ["nonisolated extension OAuthServer {"]
        let sentence = scheme["description"]?.text?.firstSentence
        let meaning = sentence.map { "\($0)." } ?? "`\(name)`."
        lines += Lines.comment(meaning, 4).indented
        lines += Lines.call("static let \(server) = OAuthServer(", arguments, 4).indented + ["}"]
        let scopes = scopes(of: flows)
        guard !scopes.isEmpty else { return lines }
        var namer = Namer(taken: [])
        lines += ["", "/// The scopes of ``OAuthServer/\(server)``."]
        lines.append("nonisolated enum \(Written.name(swiftName.upperCamel + "Scope")) {")
        for (scope, meaning) in scopes {
            lines += Lines.comment(meaning.isEmpty ? "`\(scope)`." : meaning, 4).indented
            let name = Written.name(namer.name(scope.lowerCamel, or: "scope"))
            lines.append("    static let \(name) = \(.literal(scope))")
        }
        return lines + ["}"]
    }

    private func url(at key: String, of flow: Node) -> Written? {
        guard let text = flow[key]?.text, text.lowercased().hasPrefix("https://")
        else { return nil }
        return "URL(string: \(.literal(text)))"
    }

    /// The scopes of all flows, in their order, each once.
    private func scopes(of flows: [Node]) -> [(String, String)] {
        var (scopes, seen) = ([(String, String)](), Set<String>())
        for member in flows.flatMap({ $0["scopes"]?.members ?? [] })
        where seen.insert(member.name).inserted {
            scopes.append((member.name, member.node.text?.firstSentence.map { "\($0)." } ?? ""))
        }
        return scopes
    }
}
