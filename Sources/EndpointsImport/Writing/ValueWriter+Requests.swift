import EndpointsDocuments

extension ValueWriter {
    /// A request made of values, which are named by their place in the document: `query page`.
    ///
    /// - Throws: A `UsageError` if a value is missing, or isn't one of the declared type.
    func request(_ request: Request, _ given: [String: JSON]) throws -> Written {
        var arguments: [Written] = []
        for value in request.values where value.constant == nil || !value.isRequired {
            guard let json = given[value.source] else {
                if value.isRequired, value.standard == nil {
                    throw UsageError("\(value.source) is missing, and must be there")
                }
                if !value.isRequired, value.standard != nil {
                    arguments.append("\(.label(value.name)): nil")
                }
                continue
            }
            arguments.append("\(.label(value.name)): \(try argument(value, json))")
        }
        return "\(.name(request.name))(\(arguments.joined(separator: ", ")))"
    }

    /// A value of a request as Swift.
    ///
    /// - Throws: A `UsageError` if it isn't one of the declared type.
    func argument(_ value: Request.Value, _ json: JSON) throws -> Written {
        var given = json
        if value.source != "body" {
            // One value stands for a list of one, and a text may be that of an object.
            if value.type.isList, json.elements == nil { given = .array([json]) }
            if value.type == .string { given = given.withTexts }
            if value.type == .list(.string) {
                given = .array((given.elements ?? []).map(\.withTexts))
            }
        }
        return try text(given, value.type, at: value.source, isRead: false)
    }

    /// What the texts of values call.
    static let functions: Written = """
        nonisolated private func date(_ text: String) throws -> Date {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .rfc3339
            return try decoder.decode(Date.self, from: JSONEncoder().encode(text))
        }

        nonisolated private func decimal(_ text: String) throws -> Decimal {
            guard let decimal = Decimal(string: text) else { throw CocoaError(.formatting) }
            return decimal
        }

        nonisolated private func data(_ base64: String) throws -> Data {
            guard let data = Data(base64Encoded: base64) else { throw CocoaError(.coderInvalidValue) }
            return data
        }

        """
}

extension [String: JSON] {
    /// Adds a body, and its fields if it is a form, with the members of those that are objects.
    mutating func addBody(_ body: Node) {
        self["body"] = body.json
        for (name, node) in body.allMembers {
            self["form \(name)"] = node.json
            for (inner, node) in node.allMembers { self["form \(name)/\(inner)"] = node.json }
        }
    }
}

extension JSON {
    /// An object as its text.
    fileprivate var withTexts: JSON { members == nil ? self : .string(written) }
}
