/// Writes tests of the document's examples, and of the declarations' problems.
struct TestsWriter {
    let plan: Plan
    let document: Document
    let report: Report
    /// The module that has the declarations.
    let module: String

    private var requests: [Request] { plan.requests.filter { !$0.operation.isDeprecated } }

    /// The text of the file. An example of a request whose value doesn't fit is noted.
    func text() throws -> String {
        let problems = Lines.filled(requests.map { "\($0.name).self" }, 16).map {
            "                \($0)"
        }
        let tests = try requests.flatMap { try responses(of: $0) + calls(of: $0) }
        return head + problems.joined(separator: "\n") + ").isEmpty)\n    }\n" + tests.joined()
            + "}\n" + tail
    }

    /// A test for each example of a success and of an error.
    private func responses(of request: Request) throws -> [String] {
        let responses = try request.operation.node.object("responses")?.members ?? []
        var tests: [String] = []
        if case .type(let type) = request.response, !request.hasHTTPResponse,
            type != .string, type != .data,
            let success = responses.first(where: { $0.name.hasPrefix("2") })
        {
            tests += try examples(of: success.node).enumerated().map { index, example in
                test("response", request, index, example.pointer) {
                    "        try read(\(request.name).Response.self, from: \(example.json.literal), by: "
                        + "\(request.name).responseDecoder,\n            as: "
                        + "\(request.name).bodyEncoder)"
                }
            }
        }
        if request.error ?? plan.errors.type != nil,
            let failure = responses.first(where: { $0.name == "default" || $0.name.hasPrefix("4") })
        {
            tests += try examples(of: failure.node).enumerated().map { index, example in
                test("error", request, index, example.pointer) {
                    "        try read(\(request.name).ErrorResponse.self, from: "
                        + "\(example.json.literal), by: \(request.name).responseDecoder,\n            as: "
                        + "\(request.name).bodyEncoder)"
                }
            }
        }
        return tests
    }

    /// A test for each example of the body, with the examples of the parameters.
    private func calls(of request: Request) throws -> [String] {
        var given: [String: JSON] = [:]
        for parameter in request.operation.parameters {
            let place = parameter["in"]?.text ?? ""
            if let example = try all(in: parameter).first?.json {
                given["\(place) \(parameter["name"]?.text ?? "")"] = example
                for (name, node) in Node(example).allMembers {
                    given["\(place) \(parameter["name"]?.text ?? "")/\(name)"] = node.json
                }
            }
        }
        let hasParameters = !given.isEmpty
        for (name, value) in try madeUp(request) where given[name] == nil { given[name] = value }
        let body = request.operation.node["requestBody"]
        let content = try body.map { try document.content(of: $0) } ?? []
        let chosen = content.first { $0.name.isJSON } ?? content.first
        let bodies = try chosen.map { try all(in: $0.node) } ?? []
        guard hasParameters || !bodies.isEmpty else { return [] }
        let writer = ValueWriter(patched: plan.typer.patched)
        let cases: [Node?] = bodies.isEmpty ? [nil] : bodies
        return cases.enumerated().compactMap { index, example in
            var given = given
            given["body"] = example?.json
            for (name, node) in example?.allMembers ?? [] { given["form \(name)"] = node.json }
            do {
                let value = try writer.request(request, given)
                let isJSON = chosen?.name.isJSON == true
                let sent = isJSON ? example.map { ", body: \($0.json.literal)" } ?? "" : ""
                let pointer = example?.pointer ?? request.operation.node.pointer
                return test("request", request, index, pointer) {
                    "        try send(\(value)\(sent))"
                }
            } catch {
                // An operation without an example for each value that it needs isn't tested.
                let isMissing = "\(error)".hasSuffix("must be there") && example == nil
                if !isMissing {
                    report.note(
                        example?.pointer ?? request.operation.node.pointer,
                        "the example isn't tested: \(error)")
                }
                return nil
            }
        }
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
        return values
    }

    private static let made: [String: JSON] = [
        "string": .string("text"), "integer": .number("1"), "number": .number("1.5"),
        "boolean": .bool(true), "date": .string("2026-01-02"),
        "date-time": .string("2026-01-02T03:04:05Z"),
        "uuid": .string("00000000-0000-4000-8000-000000000000"),
    ]

    private func test(
        _ what: String, _ request: Request, _ index: Int, _ pointer: Pointer, _ body: () -> String
    ) -> String {
        """

            @Test("An example of \(request.name): \(what) \(index + 1), \(pointer.description.swiftLiteral)")
            func \(request.name.lowerCamel)\(what.upperCamel)\(index + 1)() throws {
        \(body())
            }

        """
    }

    private func examples(of response: Node) throws -> [Node] {
        let content = try document.content(of: response).first { $0.name.isJSON }
        return try content.map { try all(in: $0.node) } ?? []
    }

    /// The examples of a media type or of a parameter, else those of its schema.
    private func all(in node: Node) throws -> [Node] {
        let named = try (node.object("examples")?.allMembers ?? []).compactMap { member in
            let example = try document.resolved(member.node)
            return example["value"] ?? example["dataValue"]
        }
        let own = (node["example"].map { [$0] } ?? []) + named
        guard own.isEmpty, let schema = node["schema"] else { return own }
        let target = try document.resolved(schema)
        return (target["example"].map { [$0] } ?? []) + (target["examples"]?.elements ?? [])
    }
}

extension TestsWriter {
    private var head: String {
        """
        // swift-format-ignore-file

        import Endpoints
        import EndpointsFormats
        import EndpointsTesting
        import Foundation
        import Testing

        @testable import \(module)

        #if canImport(FoundationNetworking)
            import FoundationNetworking
        #endif

        @Suite struct DocumentTests {
            @Test("No declaration has a problem")
            func declarations() {
                #expect(
                    problems(\(requests.isEmpty ? "" : "of:")

        """
    }

    private var tail: String {
        """

        /// Decodes an example, and encodes it again where its type can be encoded.
        private func read<Value: Decodable>(
            _ type: Value.Type, from example: String, by decoder: some DecoderType, as encoder: some EncoderType
        ) throws {
            let value = try decoder.decode(type, from: Data(example.utf8))
            guard let value = value as? any Encodable else { return }
            try expect(encoder.encode(value), equals: example)
        }

        /// Makes a request of an example; its body is the example's.
        private func send<R: RequestType>(_ request: R, body example: String? = nil) throws
        where R.Environment == \(plan.names.server), R.Response: Sendable {
            let server = \(plan.names.server)(baseUrl: URL(string: "https://server.invalid")!)
            let body = try request.urlRequest(in: server).httpBody ?? Data()
            if let example { try expect(body, equals: example) }
        }

        private func expect(_ data: Data, equals example: String) throws {
            let values = try [data, Data(example.utf8)].map { try plain(JSONDecoder().decode(JSONValue.self, from: $0)) }
            #expect(values[0] == values[1])
        }

        /// A value without what has two forms: `null` and absent, and dates of RFC 3339.
        private func plain(_ value: JSONValue) -> JSONValue {
            switch value {
            case .object(let members): .object(members.filter { $0.value != .null }.mapValues(plain))
            case .array(let elements): .array(elements.map(plain))
            case .string(let text): (try? date(text)).map { .number($0.timeIntervalSince1970) } ?? value
            case .integer(let number): .number(Double(number))
            default: value
            }
        }

        \(ValueWriter.functions)
        """
    }
}

extension JSON {
    /// The JSON as a raw literal, with as many `#` as it needs.
    fileprivate var literal: String {
        let text = written
        var marks = "#"
        while text.contains("\"\(marks)") || text.contains("\\\(marks)") { marks += "#" }
        return "\(marks)\"\(text)\"\(marks)"
    }
}
