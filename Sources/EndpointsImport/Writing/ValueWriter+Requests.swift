extension ValueWriter {
    /// A request made of values, which are named by their place in the document: `query page`.
    ///
    /// - Throws: A `UsageError` if a value is missing, or isn't one of the declared type.
    func request(_ request: Request, _ given: [String: JSON]) throws -> String {
        var arguments: [String] = []
        for value in request.values where value.constant == nil || !value.isRequired {
            guard let json = given[value.source] else {
                if value.isRequired, value.standard == nil {
                    throw UsageError("\(value.source) is missing, and must be there")
                }
                if !value.isRequired, value.standard != nil {
                    arguments.append("\(value.name): nil")
                }
                continue
            }
            // One value stands for a list of one, but not in JSON.
            let isOne = value.type.isList && value.source != "body" && json.elements == nil
            // A text may be that of an object.
            let isText =
                value.type == .string && value.source != "body" && json.members != nil
            let given = isOne ? .array([json]) : isText ? .string(json.written) : json
            let text = try text(given, value.type, at: value.source, isRead: false)
            arguments.append("\(value.name): \(text)")
        }
        return "\(request.name)(\(arguments.joined(separator: ", ")))"
    }

    /// What the texts of values call.
    static let functions = """
        private func date(_ text: String) throws -> Date {
            let styles = [false, true].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
            guard let date = styles.lazy.compactMap({ try? $0.parse(text) }).first else {
                throw CocoaError(.formatting)
            }
            return date
        }

        private func data(_ base64: String) throws -> Data {
            guard let data = Data(base64Encoded: base64) else { throw CocoaError(.coderInvalidValue) }
            return data
        }

        """
}
