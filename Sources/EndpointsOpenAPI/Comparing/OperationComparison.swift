import Endpoints
import EndpointsDocuments
import Foundation

/// Compares an operation of an API's document with a declared one.
struct OperationComparison {
    private let there: ComparedOperation
    private let here: ComparedOperation
    private let (theirs, ours): (ComparedDocument, ComparedDocument)
    private let sent: SchemaComparison
    private let read: SchemaComparison
    private let failed: SchemaComparison

    /// - Parameters:
    ///   - read: Compares what responses have.
    ///   - failed: Compares what error responses have.
    init(
        there: ComparedOperation, here: ComparedOperation, sent: SchemaComparison,
        read: SchemaComparison, failed: SchemaComparison
    ) {
        (self.there, self.here, self.sent) = (there, here, sent)
        (self.read, self.failed) = (read, failed)
        (theirs, ours) = (sent.there, sent.here)
    }

    func reasons() -> [String] {
        pathReasons() + queryReasons() + headerReasons() + securityReasons() + bodyReasons()
            + responseReasons()
    }

    private func texts(_ findings: [SchemaComparison.Finding], _ subject: String) -> [String] {
        findings.map { finding in
            let path = finding.path.joined(separator: ".").replacingOccurrences(
                of: ".[]", with: "[]")
            return path.isEmpty
                ? "\(subject) \(finding.reason)" : "\(subject)'s `\(path)` \(finding.reason)"
        }
    }

    // MARK: - Parameters

    private func pathReasons() -> [String] {
        zip(there.pathNames, here.pathNames).flatMap { name, own -> [String] in
            let one = there.parameters("path", theirs).first { $0.name == name }
            let other = here.parameters("path", ours).first { $0.name == own }
            guard let one, let other else { return [] }
            return texts(findings(one, other), "the path's `\(name)`")
        }
    }

    private func queryReasons() -> [String] {
        let expected = there.parameters("query", theirs)
        let declared = here.parameters("query", ours)
        let keys = keyNames("query")
        let sendsOthers = declared.contains { $0.isOpen }
        let allowsOthers = expected.contains { $0.isOpen }
        let documented = Set(expected.map(\.name)).union(keys).union(there.constantNames)
        var reasons = missing(expected, declared, "parameter", sendsOthers ? nil : Set(keys))
        for parameter in declared where !parameter.isOpen && !allowsOthers {
            let base = String(parameter.name.prefix { $0 != "[" })
            guard !documented.contains(parameter.name),
                !expected.contains(where: { $0.isDeep && $0.name == base })
            else { continue }
            reasons.append("the parameter `\(parameter.name)` isn't there")
        }
        return reasons
    }

    private func headerReasons() -> [String] {
        let expected = there.parameters("header", theirs).map(\.inLowercase)
        let declared = here.parameters("header", ours).map(\.inLowercase)
        let keys = Set(keyNames("header").map { $0.lowercased() })
            .union(here.server?.headers ?? [])
        var reasons = missing(expected, declared, "header", here.hasOtherHeaders ? nil : keys)
        let documented = Set(expected.map(\.name)).union(keys)
        for header in declared
        where !documented.contains(header.name) && !header.isConstant
            && !Self.usual.contains(header.name)
        {
            reasons.append("the header `\(header.name)` isn't there")
        }
        return reasons
    }

    /// Headers that documents leave out.
    private static let usual: Set = [
        "accept", "accept-charset", "accept-encoding", "accept-language",
        "access-control-allow-credentials", "access-control-allow-headers",
        "access-control-allow-methods", "access-control-allow-origin",
        "access-control-expose-headers", "access-control-max-age", "authorization",
        "cache-control", "connection", "content-encoding", "content-language", "content-length",
        "content-type", "cookie", "date", "expect", "host",
        "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
        "keep-alive", "last-event-id", "origin", "prefer", "proxy-authorization",
        "proxy-connection", "range", "referer", "retry-after", "set-cookie", "te", "traceparent",
        "trailer", "transfer-encoding", "upgrade", "user-agent",
    ]

    /// - Parameter keys: Names that credentials have; `nil` if parameters may be sent that the
    ///   declaration doesn't name.
    private func missing(
        _ expected: [ComparedParameter], _ declared: [ComparedParameter], _ what: String,
        _ keys: Set<String>?
    ) -> [String] {
        expected.flatMap { parameter -> [String] in
            let subject = "the \(what) `\(parameter.name)`"
            guard let own = declared.first(where: { $0.name == parameter.name }) else {
                let isKnown = declared.contains { $0.name.hasPrefix("\(parameter.name)[") }
                guard parameter.isRequired, !isKnown, keys?.contains(parameter.name) == false,
                    !Self.usual.contains(parameter.name.lowercased()) || what != "header"
                else { return [] }
                return ["\(subject) is required there and isn't sent here"]
            }
            var reasons: [String] = []
            if parameter.isRequired && !own.isRequired && !own.isOpen {
                reasons.append("\(subject) is required there and may be left out here")
            }
            let findings = findings(parameter, own)
            reasons += texts(findings, subject)
            if findings.isEmpty, what == "parameter", let types = compoundTypes(parameter, own),
                parameter.form != own.form
            {
                reasons.append(
                    "\(subject) has its \(types == ["array"] ? "values" : "members") "
                        + "\(parameter.form) there and \(own.form) here")
            }
            return reasons
        }
    }

    /// The types of two parameters that are lists, or objects that are whole.
    private func compoundTypes(
        _ one: ComparedParameter, _ other: ComparedParameter
    ) -> Set<String>? {
        let all = [(one, theirs), (other, ours)].map { parameter, root in
            parameter.isOpen ? nil : parameter.schema.map { root.schema($0).types }
        }
        return all[0] == all[1] && [["array"], ["object"]].contains(all[0]) ? all[0] : nil
    }

    /// What differs in the values of a parameter.
    private func findings(
        _ one: ComparedParameter, _ other: ComparedParameter
    ) -> [SchemaComparison.Finding] {
        // In a parameter, numbers as values of a text are texts: `type: string, enum: [0, 1]`.
        let isText = [(one, theirs), (other, ours)].allSatisfy { parameter, root in
            parameter.schema.flatMap { try? root.document.shape(of: $0) }?.types == ["string"]
        }
        if isText, one.schema.map({ theirs.schema($0).types }) != ["string"] { return [] }
        // Many documents have a list in one text, such as `a,b`, as that text.
        if other.isTextOfList,
            let (one, other) = one.schema.flatMap({ one in
                other.schema.map { (theirs.schema(one), ours.schema($0)) }
            }), one.types == ["string"], other.types == ["array"]
        {
            return []
        }
        return sent.findings(one.schema, other.schema).filter { finding in
            !finding.isAboutNull && !isTextOfSeveral(one.schema, other.schema, finding.path)
                && !(finding.isAboutElements && one.hasElementsWithoutText(theirs))
        }
    }

    /// Whether a value, or the elements of a list, are a text here and may have several types
    /// there, such as a boolean and a number: a text is what has all of their texts.
    private func isTextOfSeveral(_ there: Node?, _ here: Node?, _ path: [String]) -> Bool {
        guard let there, let here else { return false }
        if path == ["[]"] {
            return theirs.variants(of: there).contains {
                isTextOfSeveral($0.items, ours.schema(here).items, [])
            }
        }
        let own = ours.schema(here)
        let types = theirs.variants(of: there).reduce(into: Set()) { $0.formUnion($1.types) }
        return path.isEmpty && own.types == ["string"] && own.values == nil && types.count > 1
    }

    /// The names that keys have at a place.
    private func keyNames(_ place: String) -> [String] {
        let schemes = theirs.document.root["components"]?["securitySchemes"]?.allMembers ?? []
        return schemes.compactMap { try? theirs.document.resolved($0.node) }
            .filter { $0["in"]?.text == place }.compactMap { $0["name"]?.text }
    }

    // MARK: - Security

    /// Of the ways to show who calls, one must be possible with what the servers send.
    private func securityReasons() -> [String] {
        guard let server = here.server else { return [] }
        let ways = there.node["security"] ?? theirs.document.root["security"]
        let missing = (ways?.elements ?? []).map { way in
            way.allMembers.compactMap { missingKey($0.name, server) }
        }
        guard !missing.contains(where: \.isEmpty), let first = missing.first else { return [] }
        return first.map { "\($0) is needed for its security there and isn't sent here" }
    }

    /// What a scheme needs and isn't sent; `nil` if nothing is missing.
    private func missingKey(_ scheme: String, _ server: ServerFields) -> String? {
        let schemes = theirs.document.root["components"]?["securitySchemes"]
        guard let node = schemes?[scheme], let scheme = try? theirs.document.resolved(node) else {
            return nil
        }
        let name = scheme["name"]?.text ?? ""
        switch (scheme["type"]?.text, scheme["in"]?.text) {
        case ("apiKey", "query"):
            let declared = here.parameters("query", ours)
            let isSent = server.items.contains(name) || declared.contains { $0.name == name }
            return isSent || declared.contains(where: \.isOpen) ? nil : "the query item `\(name)`"
        case ("apiKey", "cookie"): return missingHeader("Cookie", server)
        case ("apiKey", _): return missingHeader(name, server)
        case ("mutualTLS", _): return nil
        default: return missingHeader("Authorization", server)
        }
    }

    private func missingHeader(_ name: String, _ server: ServerFields) -> String? {
        let isSent =
            here.hasOtherHeaders || server.headers.contains(name.lowercased())
            || here.parameters("header", ours).contains {
                $0.name.lowercased() == name.lowercased()
            }
        return isSent ? nil : "the header `\(name)`"
    }

    // MARK: - Bodies

    private func bodyReasons() -> [String] {
        let body = there.node["requestBody"].flatMap { try? theirs.document.object($0) }
        let own = here.node["requestBody"].flatMap { try? ours.document.object($0) }
        let contents = body.flatMap { try? theirs.document.content(of: $0) } ?? []
        guard let body, !contents.isEmpty else {
            return own == nil ? [] : ["a body is sent here, and there is none there"]
        }
        guard let own, let content = own["content"]?.allMembers.first else {
            return body["required"]?.isTrue == true
                ? ["a body is required there, and none is sent here"] : []
        }
        var reasons: [String] = []
        if body["required"]?.isTrue == true && own["required"] == nil {
            reasons.append("the body is required there and may be left out here")
        }
        let matches = contents.filter { $0.name.matches(mediaType: content.name) }
        guard !matches.isEmpty else {
            let names = contents.map { "`\($0.name)`" }.sorted().joined(separator: " or ")
            return reasons + ["the body is \(names) there and `\(content.name)` here"]
        }
        let type = MIMEType(rawValue: content.name).essence
        let isMultipart = type == "multipart/form-data"
        guard isMultipart || type == "application/x-www-form-urlencoded" else {
            return reasons + fewest(matches, content.node, sent, "the body")
        }
        let all = matches.map { fieldReasons($0.node, content.node, isMultipart) }
        return reasons + (all.min { $0.count < $1.count } ?? [])
    }

    /// What differs in the fields of a form.
    private func fieldReasons(_ there: Node, _ here: Node, _ isMultipart: Bool) -> [String] {
        // rswag describes an upload as a file alone, which says nothing of the fields.
        let types = there["schema"].map { theirs.schema($0).types } ?? []
        guard types.isEmpty || types.contains("object") else { return [] }
        let one = ComparedForm(there, isMultipart: isMultipart, in: theirs)
        let other = ComparedForm(here, isMultipart: isMultipart, in: ours)
        let forms = other.forms.sorted { $0.key < $1.key }.compactMap { name, form -> String? in
            guard let known = one.forms[name], known != form else { return nil }
            return "the body's `\(name)` is written \(known) there and \(form) here"
        }
        return texts(sent.findings(one.schema, other.schema), "the body") + forms
    }

    private func fewest(
        _ there: [(name: String, node: Node)], _ here: Node, _ comparison: SchemaComparison,
        _ subject: String
    ) -> [String] {
        // What is read as a text or as its bytes has no members here.
        let isText = here["schema"]?["type"]?.text == "string"
        let all = there.map { name, media in
            // In a text that isn't JSON, a schema says nothing of what is sent.
            (isText || MIMEType(rawValue: name).essence.hasPrefix("text/"))
                && !name.matches(mediaType: "text/json")
                && media["itemSchema"] == nil && !name.isEvents
                ? []
                : comparison.findings(
                    media["itemSchema"] ?? media["schema"], here["itemSchema"] ?? here["schema"])
        }
        return texts(all.min { $0.count < $1.count } ?? [], subject)
    }

    // MARK: - Responses

    private func responseReasons() -> [String] {
        let responses = there.node["responses"]?.members ?? []
        let own = here.node["responses"]
        let read = own?["2XX"] ?? own?["200"] ?? own?.members.first { $0.name.hasPrefix("2") }?.node
        // `default` is the success that is read, if the operation has no other.
        let hasSuccess = responses.contains { $0.name.hasPrefix("2") || $0.name.hasPrefix("3") }
        let isDefault = !hasSuccess && read?["content"] != nil
        let successes = responses.filter { $0.name.hasPrefix(isDefault ? "default" : "2") }
            .map(\.node)
        // One without content says nothing of errors then.
        let standard = there.node["responses"]?["default"].flatMap {
            try? theirs.document.object($0)
        }
        let isError = hasSuccess || !isDefault && standard?["content"] != nil
        let errors = responses.filter {
            $0.name.hasPrefix("4") || $0.name.hasPrefix("5") || isError && $0.name == "default"
        }.map(\.node)
        let success = reasons(successes, read, "the response", self.read)
        // A `Response` that may be `nil`, for a status without content, may also be `null`. Of an
        // error response that is `null` nothing is lost.
        let allowsNull = own?["204"] != nil
        let failure = reasons(errors, own?["default"], "the error response", failed)
        return success.filter { !allowsNull || $0 != "the response may be null there" }
            + failure.filter { $0 != "the error response may be null there" }
    }

    private func reasons(
        _ there: [Node], _ here: Node?, _ subject: String, _ comparison: SchemaComparison
    ) -> [String] {
        let own = here.flatMap { try? ours.document.content(of: $0) } ?? []
        guard !own.isEmpty, !there.isEmpty else { return [] }
        let isAny = here?["content"]?["*/*"] != nil
        let contents = there.flatMap { (try? theirs.document.content(of: $0)) ?? [] }
        guard !contents.isEmpty else {
            let isDecoded = own.contains {
                $0.node["schema"].map { !ours.schema($0).isFree } == true && !isAny
            }
            return isDecoded ? ["\(subject) has no content there"] : []
        }
        if isAny { return [] }
        let matches = contents.filter { content in
            own.contains { content.name.matches(mediaType: $0.name) }
        }
        guard !matches.isEmpty, let media = own.first?.node else {
            func list(_ names: [String]) -> String {
                Set(names).sorted().map { "`\($0)`" }.joined(separator: " or ")
            }
            return [
                "\(subject) is \(list(contents.map(\.name))) there and \(list(own.map(\.name))) here"
            ]
        }
        return fewest(matches, media, comparison, subject)
    }
}

extension String {
    /// Whether two media types or ranges are the same, or both are JSON.
    fileprivate func matches(mediaType other: String) -> Bool {
        let types = [self, other].map { MIMEType(rawValue: $0).essence }
        if types[0] == types[1] || types.contains("*/*") { return true }
        if types.allSatisfy(\.isLines) || types.allSatisfy(\.isJSON) { return true }
        return types.contains { type in
            type.hasSuffix("/*") && types.allSatisfy { $0.hasPrefix(type.dropLast()) }
        }
    }

    /// Whether it is a stream of events, whose data the schema describes.
    fileprivate var isEvents: Bool { MIMEType(rawValue: self).essence == "text/event-stream" }

    var isJSON: Bool {
        (hasSuffix("/json") || hasSuffix("+json")) && !isLines
    }

    private var isLines: Bool {
        [
            "application/jsonl", "application/x-ndjson", "application/ndjson",
            "application/jsonlines", "application/json-seq",
        ].contains(self)
    }
}
