import EndpointsDocuments

/// Writes tests of the document's examples, and of the declarations' problems.
struct TestsWriter {
    let plan: Plan
    let document: Document
    let report: Report
    /// The module that has the declarations.
    let module: String

    /// The text of the file. An example that doesn't fit what the document says of it is noted.
    func text() throws -> Written {
        let tests = plan.requests.flatMap { request -> [Written] in
            do { return try responses(of: request) + calls(of: request) } catch {
                report.skip(error, "the examples of `\(request.name)` aren't tested")
                return []
            }
        }
        let members = try members()
        let all = [false, true].map { isDeprecated in
            plan.requests.filter { request in
                // That a body isn't sent with GET is a problem, and noted.
                request.operation.isDeprecated == isDeprecated && !request.hasUnsentBody
            }
        }
        let declarations = problems(of: all[0], "No declaration has a problem", "declarations")
        var deprecated: Written = ""
        if !all[1].isEmpty {
            deprecated = "\n    @available(*, deprecated)\n"
            deprecated += problems(
                of: all[1], "No deprecated declaration has a problem", "deprecated")
        }
        return "\(head)\(declarations)\(deprecated)\((tests + members).joined())}\n\(tail)"
    }

    private func problems(
        of requests: [Request], _ title: Written, _ name: Written
    ) -> Written {
        let types = requests.map { request -> Written in "\(.name(request.name)).self" }
        let lines = Lines.filled(types, 16).map { line -> Written in "                \(line)" }
        return """
                @Test("\(title)")
                func \(name)() {
                    #expect(
                        problems(\(requests.isEmpty ? "" : "of:")
            \(lines.joined(separator: "\n"))).isEmpty)
                }

            """
    }

    /// A test for each example of a response in JSON.
    private func responses(of request: Request) throws -> [Written] {
        let declared = try DeclaredResponses(request, document, plan.errors)
        let fitting = Fitting(document: document, isRead: true)
        let models = ModelWriter(names: plan.names)
        var counts: [String: Int] = [:]
        return try declared.responses.flatMap { status, node -> [Written] in
            guard let (_, content) = try document.content(of: node).first(where: { $0.name.isJSON })
            else { return [] }
            let type = try declared.type(of: status, content["schema"])
            let isError = type?.isError == true
            let what = isError ? "error" : "response"
            return try all(in: content).compactMap { example in
                // A response to HEAD has no content (RFC 9110, section 9.3.2).
                guard request.operation.method != "head" else {
                    leaveOut(example.pointer, "a response to HEAD has no content")
                    return nil
                }
                guard let type else {
                    leaveOut(
                        example.pointer,
                        status.hasPrefix("3")
                            ? "the content of a redirect isn't read"
                            : "the response is declared as another type")
                    return nil
                }
                if let schema = content["schema"],
                    let misfit = try fitting.misfit(example.json, schema)
                {
                    leaveOut(example.pointer, misfit.text)
                    return nil
                }
                let text = models.text(type.type.unwrapped, isRead: true, isElsewhere: true)
                let isNull = example.json == .null
                let read: Written = isNull ? "Optional<\(text)>" : text
                let literal = Written.rawLiteral(example.json.written)
                let name = Written.name(request.name)
                let others = try content["schema"].map {
                    try fitting.hasOtherMembers(example.json, $0)
                }
                let encoder: Written = others == true ? "" : ", as: \(name).bodyEncoder"
                counts[what, default: 0] += 1
                return test(
                    isError ? "error" : "response", request, counts[what, default: 1],
                    example.pointer
                ) {
                    """
                            try read(\(read).self, from: \(literal), by: \
                    \(name).responseDecoder\(encoder))
                    """
                }
            }
        }
    }

    func leaveOut(_ pointer: Pointer, _ reason: String) {
        report.note(pointer, "the example isn't tested: \(reason)")
    }

    /// A test for each example of the body, with the examples of the parameters.
    private func calls(of request: Request) throws -> [Written] {
        var given = try parameters(of: request)
        let hasParameters = !given.isEmpty
        given.merge(try madeUp(request)) { own, _ in own }
        let sources = request.values.map(\.source)
        let isDeclared = sources.contains { $0 == "body" || $0.hasPrefix("form ") }
        let body = isDeclared ? request.operation.node["requestBody"] : nil
        let content = try body.map { try document.content(of: $0) } ?? []
        let chosen = content.first { $0.name.isJSON } ?? content.first
        let bodies = try chosen.map { try all(in: $0.node) } ?? []
        guard hasParameters || !bodies.isEmpty else { return [] }
        let cases: [Node?] = bodies.isEmpty ? [nil] : bodies
        return cases.enumerated().compactMap { index, example in
            var given = given
            if let example { given.addBody(example) }
            do {
                let value = try writer.request(request, given)
                let isJSON = chosen?.name.isJSON == true
                var sent: Written = ""
                if isJSON, let example { sent = ", body: \(.rawLiteral(example.json.written))" }
                let pointer = example?.pointer ?? request.operation.node.pointer
                return test("request", request, index + 1, pointer) {
                    "        try send(\(value)\(sent))"
                }
            } catch {
                // An operation without an example for each value that it needs isn't tested.
                let isMissing = "\(error)".hasSuffix("must be there") && example == nil
                if !isMissing {
                    leaveOut(example?.pointer ?? request.operation.node.pointer, "\(error)")
                }
                return nil
            }
        }
    }

    private var writer: ValueWriter { ValueWriter() }

    /// The first example of each parameter that fits its declared type.
    private func parameters(of request: Request) throws -> [String: JSON] {
        var given: [String: JSON] = [:]
        for parameter in request.operation.parameters {
            let place = "\(parameter["in"]?.text ?? "") \(parameter["name"]?.text ?? "")"
            for (index, example) in try all(in: parameter).enumerated() {
                var parts = [place: example.json]
                for (name, node) in example.allMembers { parts["\(place)/\(name)"] = node.json }
                do {
                    for value in request.values {
                        _ = try parts[value.source].map { try writer.argument(value, $0) }
                    }
                    if index == 0 { given.merge(parts) { $1 } }
                } catch { leaveOut(example.pointer, "\(error)") }
            }
        }
        return given
    }

    /// Values for required parameters without an example, so that a body's example can be sent.
    private func madeUp(_ request: Request) throws -> [String: JSON] {
        var values: [String: JSON] = [:]
        for parameter in request.operation.parameters {
            guard parameter["required"]?.json == .bool(true), let schema = parameter["schema"]
            else { continue }
            let place = "\(parameter["in"]?.text ?? "") \(parameter["name"]?.text ?? "")"
            let target = try document.resolved(schema)
            let value = target["default"]?.json ?? target["enum"]?.elements.first?.json
            let format = target["format"]?.text.flatMap { Self.made[$0] }
            values[place] = value ?? format ?? target["type"]?.text.flatMap { Self.made[$0] }
        }
        // What isn't described, and what is of several types there.
        for value in request.values where value.isRequired && values[value.source] == nil {
            guard ["path ", "query ", "header "].contains(where: value.source.hasPrefix) else {
                continue
            }
            values[value.source] = Self.made(value.type)
        }
        return values
    }

    private static func made(_ type: SwiftType) -> JSON? {
        switch type {
        case .plain("String"): made["string"]
        case .plain("Int"): made["integer"]
        case .plain("Double"): made["number"]
        case .plain("Bool"): made["boolean"]
        case .plain("Day"): made["date"]
        case .plain("Date"): made["date-time"]
        case .list(let item): made(item).map { .array([$0]) }
        case .optional(let type), .wrapped(_, let type): made(type)
        case .model(let model):
            if case .choice(_, let cases) = model.kind { cases.first?.value } else { nil }
        default: nil
        }
    }

    private static let made: [String: JSON] = [
        "string": .string("text"), "integer": .number("1"), "number": .number("1.5"),
        "boolean": .bool(true), "date": .string("2026-01-02"),
        "date-time": .string("2026-01-02T03:04:05Z"),
        "uuid": .string("00000000-0000-4000-8000-000000000000"),
    ]

    private func test(
        _ what: Written, _ request: Request, _ number: Int, _ pointer: Pointer,
        _ body: () -> Written
    ) -> Written {
        let deprecation: Written =
            request.operation.isDeprecated ? "\n    @available(*, deprecated)" : ""
        let title = "An example of \(request.name)"
        let function = request.name.lowerCamel
        return """
            \(deprecation)
                @Test("\(.literalPart(title)): \(what) \(number), \(.literalPart(pointer.description))")
                func \(.name("\(function)\(what.text.upperCamel)\(number)"))() throws {
            \(body())
                }

            """
    }

    func examples(ofSchema schema: Node) throws -> [Node] {
        let target = try document.resolved(schema)
        return (target["example"].map { [$0] } ?? []) + (target["examples"]?.elements ?? [])
    }

    /// The examples of a media type or of a parameter, else those of its schema.
    private func all(in node: Node) throws -> [Node] {
        let named = try (node.object("examples")?.allMembers ?? []).compactMap { member in
            let example = try document.resolved(member.node)
            return example["value"] ?? example["dataValue"]
        }
        let own = (node["example"].map { [$0] } ?? []) + named
        guard own.isEmpty, let schema = node["schema"] else { return own }
        return try examples(ofSchema: schema)
    }
}
