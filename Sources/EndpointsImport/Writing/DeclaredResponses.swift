import EndpointsDocuments

/// Which responses in JSON of a request are decoded, and as which types.
struct DeclaredResponses {
    let responses: [(name: String, node: Node)]
    private let request: Request
    private let errors: ErrorTypes
    private let hasSuccess: Bool
    /// The schema of the success that is declared.
    private let success: JSON?

    init(_ request: Request, _ document: Document, _ errors: ErrorTypes) throws {
        (self.request, self.errors) = (request, errors)
        responses = try request.operation.node.object("responses")?.members ?? []
        let successes = responses.filter { $0.name.hasPrefix("2") }
        hasSuccess = !successes.isEmpty || responses.contains { $0.name.hasPrefix("3") }
        let contents = try (successes.isEmpty ? responses : successes).lazy
            .map { try document.content(of: $0.node) }.first { !$0.isEmpty }
        success = contents?.first { $0.name.isJSON }?.node["schema"]?.json
    }

    /// The declared type of a response; `nil` if it isn't declared.
    func type(of status: String, _ schema: Node?) throws -> (type: SwiftType, isError: Bool)? {
        guard status.hasPrefix("2") || (status == "default" && !hasSuccess) else {
            guard !status.hasPrefix("3"), let type = request.error ?? errors.type,
                try schema.map({ try errors.declares($0, for: request.operation) })
                    ?? (type == .json)
            else { return nil }
            return (type, true)
        }
        switch request.response {
        case .type(let type): return schema?.json == success ? (type, false) : nil
        case .statuses(let all):
            return all.first { $0.code == status }?.type.map { ($0, false) }
        case .void, .stream: return nil
        }
    }
}
