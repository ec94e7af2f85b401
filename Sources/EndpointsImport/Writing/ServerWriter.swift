import EndpointsDocuments

/// Writes the environment, and the protocol that all requests share.
struct ServerWriter {
    let plan: Plan
    let servers: Servers
    let document: Document
    let report: Report
    let usesDates: Bool
    /// Whether objects are written by a `FormEncoder`.
    let usesForms: Bool
    /// Whether a value is JSON in a path or a header.
    let usesJSONTexts: Bool

    private var names: Names { plan.names }
    private var needsCoders: Bool { names.keyForm != nil || usesDates }

    func lines() -> [Written] {
        var lines: [Written] = []
        if let comment = document.root["info"]?["title"]?.text?.firstSentence {
            lines += Lines.comment("The servers of \(comment).", 0)
        }
        lines.append("nonisolated struct \(names.server): EnvironmentType {")
        lines += environment().indented + ["}"]
        let parts = [
            lines, protocols(), plan.parameters.lines(), plan.headers.lines(),
            needsCoders ? coders() : [], usesForms ? formEncoder() : [],
            usesJSONTexts ? jsonTexts() : [],
        ]
        return Array(parts.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private func environment() -> [Written] {
        var lines: [Written] = ["var baseUrl: URL"]
        var (headers, keys) = ([Written](), [Written]())
        var hasCredentials = false
        var namer = Namer(taken: ["baseUrl", "credentials", "headers"])
        for (name, node) in document.root["components"]?["securitySchemes"]?.allMembers ?? [] {
            let scheme: Node
            do { scheme = try document.object(node) } catch {
                report.skip(error, "its credentials aren't declared")
                continue
            }
            let field = scheme["name"]?.text ?? name
            switch (scheme["type"]?.text, scheme["in"]?.text) {
            case ("apiKey", "header") where !field.isToken:
                report.skip(
                    scheme.pointer, "`\(field)` can't be a header's name; its key isn't declared")
            case ("apiKey", "header") where field.lowercased() != "authorization":
                let key = Written.name(namer.name(name.withoutX.lowerCamel, or: "Key"))
                lines.append("var \(key): String?")
                headers.append("(\(.literal(field)), \(key))")
                keys.append(.literal(field))
            case ("apiKey", "cookie"):
                let key = Written.name(namer.name(name.withoutX.lowerCamel, or: "Key"))
                lines.append("var \(key): String?")
                headers.append(
                    "(.cookie, \(key).map { \"\(.literalPart(field))=\\($0)\" })")
            case ("apiKey", "query"):
                lines.insert(
                    contentsOf: Lines.comment("With `?\(field)=…` and the API key.", 4), at: 0)
            case ("mutualTLS", _): continue
            default:
                if !hasCredentials {
                    lines += Self.credentials(scheme) + ["var credentials: Credentials?"]
                }
                hasCredentials = true
            }
        }
        if hasCredentials && headers.isEmpty {
            lines += ["", "var headers: [Headers: Credentials?] { [.authorization: credentials] }"]
        } else if !headers.isEmpty {
            if hasCredentials {
                headers.insert("(.authorization, try credentials?.pathRepresentation)", at: 0)
            }
            lines += ["", "var headerTexts: [HeaderText] {", "    get throws {"]
            lines += Lines.list("", headers, "", 12).map { "        \($0)" } + ["    }", "}"]
        }
        if !keys.isEmpty {
            lines += ["var loadPolicy: LoadPolicy {"]
            lines += Lines.list("LoadPolicy(sensitiveHeaders: ", keys, ")", 8).indented + ["}"]
        }
        if !servers.servers.isEmpty { lines.append("") }
        return lines + servers.servers.flatMap { $0.lines(names.server) }
    }

    /// What a person has to know about the credentials.
    private static func credentials(_ scheme: Node) -> [Written] {
        switch (scheme["type"]?.text, scheme["scheme"]?.text?.lowercased()) {
        case ("http", "basic"): return ["/// `.basic(username:password:)`."]
        case ("oauth2", _):
            let url = (scheme["flows"]?.members ?? []).lazy
                .compactMap { $0.node["refreshUrl"]?.text ?? $0.node["tokenUrl"]?.text }.first
            guard let url else { return ["/// `.bearer(…)`, by OAuth 2.0."] }
            return Lines.comment("`.bearer(…)`, by OAuth 2.0; tokens come from `\(url)`.", 4)
        case ("openIdConnect", _):
            let url = scheme["openIdConnectUrl"]?.text ?? ""
            return Lines.comment("`.bearer(…)`, by OpenID Connect: `\(url)`.", 4)
        default: return ["/// `.bearer(…)`."]
        }
    }

    private func protocols() -> [Written] {
        guard let error = plan.errors.type else {
            return [
                "/// What all requests share.",
                "nonisolated protocol \(names.request): FlatRequest, Sendable",
                "where Environment == \(names.server) {}",
            ] + hooks(names.request)
        }
        let type = ModelWriter(names: names).text(error, isRead: true)
        guard plan.requests.contains(where: { $0.error != nil }) else {
            return [
                "/// What all requests share.",
                "nonisolated protocol \(names.request): FlatRequest, Sendable",
                "where Environment == \(names.server), ErrorResponse == \(type) {}",
            ] + hooks(names.request)
        }
        return [
            "/// What all requests share.",
            "nonisolated protocol \(names.call): FlatRequest, Sendable",
            "where Environment == \(names.server) {}",
        ] + hooks(names.call) + [
            "", "/// A request with the usual error response.",
            "nonisolated protocol \(names.request): \(names.call)",
            "where ErrorResponse == \(type) {}",
        ]
    }

    private func hooks(_ name: Written) -> [Written] {
        guard needsCoders else { return [] }
        let member = names.coder
        return [
            "", "nonisolated extension \(name) {",
            "    static var bodyEncoder: JSONEncoder { .\(member) }",
            "    static var responseDecoder: JSONDecoder { .\(member) }", "}",
        ]
    }

    /// The coders' conversion of keys: Foundation's own, or one with exceptions.
    private var keyForm: Written? {
        names.keyForm.map { form in
            let isOwn = form == "SnakeCase" && names.otherKeys.isEmpty
            return isOwn ? form : "\(form)(except: \(names.otherKeys.isEmpty ? "[:]" : "others"))"
        }
    }

    private func coders() -> [Written] {
        let member = names.coder
        let others = names.otherKeys
        var (encoder, decoder) = ([Written](), [Written]())
        if let form = keyForm {
            encoder.append("encoder.keyEncodingStrategy = .convertTo\(form)")
            decoder.append("decoder.keyDecodingStrategy = .convertFrom\(form)")
        }
        if usesDates {
            encoder.append("encoder.dateEncodingStrategy = .rfc3339")
            decoder.append("decoder.dateDecodingStrategy = .rfc3339")
        }
        let texts = others.map { other -> Written in
            "\(.literal(other.json)): \(.literal(other.swift))"
        }
        let keys: [Written] =
            names.keyForm != nil && !others.isEmpty
            ? ["", "/// Names that the coders don't convert to their properties otherwise."]
                + Lines.list("nonisolated private let others: [String: String] = ", texts, "", 0)
            : []
        return [
            "nonisolated extension JSONEncoder {",
            "    fileprivate static let \(member): JSONEncoder = {",
            "        let encoder = JSONEncoder()",
        ] + encoder.map { "        \($0)" } + [
            "        return encoder", "    }()", "}", "", "nonisolated extension JSONDecoder {",
            "    fileprivate static let \(member): JSONDecoder = {",
            "        let decoder = JSONDecoder()",
        ] + decoder.map { "        \($0)" } + ["        return decoder", "    }()", "}"] + keys
    }

    /// The encoder of objects in queries and fields, with the API's names.
    private func formEncoder() -> [Written] {
        let strategy = keyForm.map { form -> Written in "keyEncodingStrategy: .convertTo\(form)" }
        return [
            "nonisolated extension FormEncoder {",
            "    /// Writes objects in queries, fields, paths and headers.",
            "    static let api = FormEncoder(\(strategy ?? ""))", "}",
        ]
    }

    private func jsonTexts() -> [Written] {
        let encoder: Written = needsCoders ? "JSONEncoder.\(names.coder)" : "JSONEncoder()"
        return [
            "nonisolated extension InJSON: ParameterRepresentable, PathRepresentable",
            "where Value: Encodable {",
            "    var pathRepresentation: String? {",
            "        get throws { String(decoding: try \(encoder).encode(self), as: UTF8.self) }",
            "    }", "}",
        ]
    }
}
