import EndpointsDocuments

/// Compares a schema of an API's document with the schema of what the program reads or sends.
final class SchemaComparison {
    /// A difference inside a value.
    struct Finding: Hashable {
        /// The names that lead to it.
        var path: [String] = []
        let reason: String
        /// The schemas that it is about, and its path in these.
        fileprivate var origin: Origin?

        init(_ reason: String) { self.reason = reason }

        static func == (one: Finding, other: Finding) -> Bool {
            one.path == other.path && one.reason == other.reason
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(path)
            hasher.combine(reason)
        }

        /// Whether the whole value may be `null`.
        var isAboutNull: Bool { path.isEmpty && reason.hasPrefix("may be null") }

        /// Whether it is about the elements of a list.
        var isAboutElements: Bool { path.first == "[]" }

        fileprivate func below(_ name: String) -> Finding {
            var finding = self
            finding.path.insert(name, at: 0)
            return finding
        }
    }

    fileprivate struct Pair: Hashable {
        let there: String
        let here: String
    }

    fileprivate struct Origin: Hashable {
        let pair: Pair
        let path: [String]
        let reason: String
    }

    let there: ComparedDocument
    let here: ComparedDocument
    /// Whether the program reads the value. If not, it sends it.
    private let reads: Bool
    /// Members that other values of the same type have, which this one may lack.
    private let others: Set<String>
    private var known: [Pair: [Finding]] = [:]

    /// - Parameters:
    ///   - there: The API's document.
    ///   - here: The document of the declarations.
    ///   - others: Members that other values of the same type have: requests share the type of
    ///     their error responses.
    init(
        there: ComparedDocument, here: ComparedDocument, reads: Bool, others: Set<String> = []
    ) {
        (self.there, self.here, self.reads, self.others) = (there, here, reads, others)
    }

    func findings(_ there: Node?, _ here: Node?) -> [Finding] {
        guard let there, let here else { return [] }
        let pair = Pair(there: self.there.place(of: there), here: self.here.place(of: here))
        if let findings = known[pair] { return findings }
        // Inside itself, a type has no differences but its own.
        known[pair] = []
        let findings = origins(of: compare(there, here), pair)
        known[pair] = findings
        return findings
    }

    /// The findings, each with its origin. Of those that several members lead to, there is the
    /// first: there may be as many ways to a schema as there are numbers.
    private func origins(of findings: [Finding], _ pair: Pair) -> [Finding] {
        var seen: Set<Origin> = []
        return findings.compactMap { finding in
            let origin =
                finding.origin ?? Origin(pair: pair, path: finding.path, reason: finding.reason)
            guard seen.insert(origin).inserted else { return nil }
            var finding = finding
            finding.origin = origin
            return finding
        }
    }

    private func compare(_ there: Node, _ here: Node) -> [Finding] {
        let (one, other) = (self.there.schema(there), self.here.schema(here))
        guard !one.isFree && !other.isFree else { return [] }
        var findings: [Finding] = []
        if reads ? one.isNullable && !other.isNullable : other.isNullable && !one.isNullable {
            findings.append(Finding("may be null \(reads ? "there" : "here")"))
        }
        return findings + compare(self.there.variants(of: there), self.here.variants(of: here))
    }

    /// Each variant that is sent must be one of those that can be read.
    private func compare(_ there: [ComparedSchema], _ here: [ComparedSchema]) -> [Finding] {
        if here.count == 1 {
            return fewest(there) { compare($0, here[0]) }
        }
        let (sent, read) = reads ? (there, here) : (here, there)
        let known = ConstantIndex(read, in: reads ? self.here : self.there)
        var seen: Set<Finding> = []
        return sent.flatMap { one in
            switch known.variants(for: one, in: reads ? self.there : self.here) {
            case .possible(let others):
                fewest(others) { reads ? compare(one, $0) : compare($0, one) }
            case .unknown(let name, let value): [unknown(value).below(name)]
            }
        }.filter { seen.insert($0).inserted }
    }

    private func fewest(
        _ others: [ComparedSchema], _ compare: (ComparedSchema) -> [Finding]
    ) -> [Finding] {
        var fewest: [Finding]?
        for other in others {
            let findings = compare(other)
            if findings.isEmpty { return [] }
            if findings.count < fewest?.count ?? .max { fewest = findings }
        }
        return fewest ?? []
    }

    private func compare(_ there: ComparedSchema, _ here: ComparedSchema) -> [Finding] {
        guard !there.isFree && !here.isFree else { return [] }
        let (sent, read) = reads ? (there, here) : (here, there)
        if !sent.types.isEmpty, !read.types.isEmpty, !sent.types.allSatisfy(read.accepts) {
            return [Finding("is \(there.typeText) there and \(here.typeText) here")]
        }
        if let one = there.format, let other = here.format, one != other,
            Self.formats[one] != nil || Self.formats[other] != nil, Self.isDate(one, other)
        {
            return [
                Finding(
                    "is \(Self.formats[one] ?? "text") there and "
                        + "\(Self.formats[other] ?? "text") here")
            ]
        }
        return values(sent, read) + members(there, here) + elements(there, here)
    }

    private static let formats = [
        "date": "a date", "date-time": "a date with time", "time": "a time", "uuid": "a UUID",
    ]

    private static func isDate(_ formats: String...) -> Bool {
        formats.allSatisfy { Self.formats[$0] != nil }
    }

    private func values(_ sent: ComparedSchema, _ read: ComparedSchema) -> [Finding] {
        guard let known = read.values.map({ Set($0.map(\.plainText)) }) else { return [] }
        guard let values = sent.values else {
            return reads ? [Finding("may be any \(sent.plainType) there, and here only some")] : []
        }
        return values.map(\.plainText).filter { !known.contains($0) }.map(unknown)
    }

    private func unknown(_ value: String) -> Finding {
        Finding(
            reads
                ? "may be `\(value)` there, which isn't known here"
                : "may be `\(value)` here, which it can't be there")
    }

    private func elements(_ there: ComparedSchema, _ here: ComparedSchema) -> [Finding] {
        findings(there.items, here.items).map { $0.below("[]") }
    }

    private func members(_ there: ComparedSchema, _ here: ComparedSchema) -> [Finding] {
        guard there.types.contains("object"), here.types.contains("object") else { return [] }
        var findings: [Finding] = []
        for name in Set(there.properties.keys).union(here.properties.keys).sorted() {
            let shape = there.properties[name].map(self.there.schema)
            // A member that only the other direction has.
            if shape.map({ reads ? $0.isWriteOnly : $0.isReadOnly }) == true { continue }
            findings += presence(name, there, here).map { $0.below(name) }
            // A property that may be missing may also be `null`: both are read as `nil`.
            let isOptional = reads && !here.required.contains(name)
            findings += self.findings(
                there.properties[name] ?? there.additional,
                here.properties[name] ?? here.additional
            ).filter { !(isOptional && $0.isAboutNull) }.map { $0.below(name) }
        }
        return findings
            + self.findings(there.additional, here.additional).map { $0.below("*") }
    }

    private func presence(
        _ name: String, _ there: ComparedSchema, _ here: ComparedSchema
    ) -> [Finding] {
        let isThere = there.properties[name] != nil
        let isHere = here.properties[name] != nil
        if isHere && !isThere {
            let isOfOther = others.contains(name) && !here.required.contains(name)
            return there.isOpen || isOfOther ? [] : [Finding("isn't there")]
        }
        if reads {
            guard isHere, here.required.contains(name), !there.required.contains(name)
            else { return [] }
            return [Finding("may be missing there, and is required here")]
        }
        guard there.required.contains(name) else { return [] }
        if !isHere { return here.isOpen ? [] : [Finding("is required there and isn't sent here")] }
        return here.required.contains(name)
            ? [] : [Finding("is required there and may be left out here")]
    }
}

extension ComparedSchema {
    func accepts(_ type: String) -> Bool {
        types.contains(type) || (type == "integer" && types.contains("number"))
    }

    /// The types, for the text of a difference.
    fileprivate var typeText: String {
        let texts = types.sorted().map { Self.texts[$0] ?? "`\($0)`" }
        return texts.joined(separator: " or ")
    }

    fileprivate var plainType: String {
        types == ["integer"] || types == ["number"] ? "number" : "text"
    }

    private static let texts = [
        "string": "text", "integer": "an integer", "number": "a number", "boolean": "a boolean",
        "array": "a list", "object": "an object",
    ]
}

extension JSON {
    /// The value as a parameter has it: a number's text is that of the same text.
    var plainText: String {
        switch self {
        case .string(let text): text
        case .number(let text):
            Double(text).map { Int(exactly: $0).map { "\($0)" } ?? "\($0)" } ?? text
        default: written
        }
    }
}
