import Endpoints
import EndpointsFormats
import Foundation

/// Compares an operation of an API's document with a declared one.
struct OperationComparison {
    private let there: DocumentOperation
    private let here: DocumentOperation
    private let (theirs, ours): (JSONValue, JSONValue)
    private let sent: SchemaComparison
    private let read: SchemaComparison

    init(
        there: DocumentOperation, here: DocumentOperation, sent: SchemaComparison,
        read: SchemaComparison
    ) {
        (self.there, self.here, self.sent, self.read) = (there, here, sent, read)
        (theirs, ours) = (sent.there, sent.here)
    }

    func reasons() -> [String] {
        pathReasons() + queryReasons() + headerReasons() + bodyReasons() + responseReasons()
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
        zip(there.pathNames, here.pathNames).flatMap { name, own in
            let one = there.parameters("path", theirs).first { $0.name == name }
            let other = here.parameters("path", ours).first { $0.name == own }
            return texts(
                sent.findings(one?.schema, other?.schema).filter { !$0.isAboutNull },
                "the path's `\(name)`")
        }
    }

    private func queryReasons() -> [String] {
        let expected = there.parameters("query", theirs)
        let declared = here.parameters("query", ours)
        let keys = there.keyNames("query", theirs)
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
        let keys = Set(there.keyNames("header", theirs).map { $0.lowercased() })
            .union(here.environmentHeaders)
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
        "accept", "accept-charset", "accept-encoding", "accept-language", "authorization",
        "cache-control", "content-encoding", "content-language", "content-type", "cookie", "date",
        "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
        "last-event-id", "origin", "prefer", "range", "referer", "traceparent", "user-agent",
    ]

    /// - Parameter keys: Names that credentials have; `nil` if parameters may be sent that the
    ///   declaration doesn't name.
    private func missing(
        _ expected: [DocumentParameter], _ declared: [DocumentParameter], _ what: String,
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
            let findings = sent.findings(parameter.schema, own.schema).filter {
                !$0.isAboutNull && !($0.isAboutElements && parameter.hasElementsWithoutText(theirs))
            }
            reasons += texts(findings, subject)
            let isList = [(parameter, theirs), (own, ours)].allSatisfy { parameter, root in
                SchemaShape(parameter.schema ?? .free, in: root).types == ["array"]
            }
            if findings.isEmpty, isList, what == "parameter", parameter.listText != own.listText {
                reasons.append(
                    "\(subject) has its values \(parameter.listText) there "
                        + "and \(own.listText) here")
            }
            return reasons
        }
    }

    // MARK: - Bodies

    private func bodyReasons() -> [String] {
        let body = there.node["requestBody"]?.resolved(in: theirs)
        let own = here.node["requestBody"]
        guard let body, let contents = body["content"]?.members, !contents.isEmpty else {
            return own == nil ? [] : ["a body is sent here, and there is none there"]
        }
        guard let own, let content = own["content"]?.members?.first else {
            return body["required"]?.isTrue == true
                ? ["a body is required there, and none is sent here"] : []
        }
        var reasons: [String] = []
        if body["required"]?.isTrue == true && own["required"] == nil {
            reasons.append("the body is required there and may be left out here")
        }
        let names = contents.keys.filter { $0.matches(mediaType: content.key) }
        guard !names.isEmpty else {
            let names = contents.keys.sorted().map { "`\($0)`" }.joined(separator: " or ")
            return reasons + ["the body is \(names) there and `\(content.key)` here"]
        }
        return reasons
            + fewest(names.sorted().map { contents[$0] }, content.value, sent, "the body")
    }

    private func fewest(
        _ there: [JSONValue?], _ here: JSONValue, _ comparison: SchemaComparison, _ subject: String
    ) -> [String] {
        let all = there.map { media in
            comparison.findings(
                media?["itemSchema"] ?? media?["schema"], here["itemSchema"] ?? here["schema"])
        }
        return texts(all.min { $0.count < $1.count } ?? [], subject)
    }

    // MARK: - Responses

    private func responseReasons() -> [String] {
        let responses = there.node["responses"]?.members ?? [:]
        let successes = responses.filter { $0.key.hasPrefix("2") }.values
        let errors = responses.filter { $0.key.first.map { "45d".contains($0) } == true }.values
        let own = here.node["responses"]
        let success = reasons(successes.map(\.self), own?["2XX"] ?? own?["200"], "the response")
        // A `Response` that may be `nil`, for a status without content, may also be `null`. Of an
        // error response that is `null` nothing is lost.
        let allowsNull = own?["204"] != nil
        let failure = reasons(errors.map(\.self), own?["default"], "the error response")
        return success.filter { !allowsNull || $0 != "the response may be null there" }
            + failure.filter { $0 != "the error response may be null there" }
    }

    private func reasons(
        _ there: [JSONValue], _ here: JSONValue?, _ subject: String
    ) -> [String] {
        guard let own = here?.resolved(in: ours)["content"]?.members, !own.isEmpty, !there.isEmpty
        else { return [] }
        let contents = there.compactMap { $0.resolved(in: theirs)["content"]?.members }
            .flatMap { $0.map { (name: $0.key, media: $0.value) } }
        guard !contents.isEmpty else {
            let isDecoded = own.values.contains {
                !SchemaShape($0["schema"] ?? .free, in: ours).isFree && own["*/*"] == nil
            }
            return isDecoded ? ["\(subject) has no content there"] : []
        }
        if own["*/*"] != nil { return [] }
        let matches = contents.filter { content in
            own.keys.contains { content.name.matches(mediaType: $0) }
        }
        guard !matches.isEmpty, let media = own.values.first else {
            func list(_ names: [String]) -> String {
                Set(names).sorted().map { "`\($0)`" }.joined(separator: " or ")
            }
            return [
                "\(subject) is \(list(contents.map(\.name))) there and \(list(own.map(\.key))) here"
            ]
        }
        return fewest(matches.map(\.media), media, read, subject)
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

    private var isJSON: Bool {
        (hasSuffix("/json") || hasSuffix("+json")) && !isLines
    }

    private var isLines: Bool {
        [
            "application/jsonl", "application/x-ndjson", "application/ndjson",
            "application/jsonlines", "application/json-seq",
        ].contains(self)
    }
}
