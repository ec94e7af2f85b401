/// Writes tests of the document's examples, and of the declarations' problems.
struct TestsWriter {
    let plan: Plan
    let document: Document
    /// The module that has the declarations.
    let module: String

    func text() throws -> String {
        var lines = [
            "// swift-format-ignore-file", "", "import Endpoints", "import EndpointsTesting",
            "import Foundation", "import Testing", "", "@testable import \(module)", "",
            "@Suite struct DocumentTests {", "    @Test(\"No declaration has a problem\")",
            "    func problems() {",
        ]
        for request in plan.requests where !request.operation.isDeprecated {
            lines.append("        #expect(\(request.name).endpoint.problems.isEmpty)")
        }
        lines.append("    }")
        for request in plan.requests where !request.operation.isDeprecated {
            guard case .type(let type) = request.response, !request.hasHTTPResponse,
                type != .string, type != .data
            else {
                continue
            }
            for (index, example) in try examples(of: request).enumerated() {
                lines += [
                    "", "    @Test(\"An example of \(request.name) is decoded\")",
                    "    func \(request.name.lowerCamel)Example\(index)() throws {",
                    "        let example = \(example.written.rawLiteral)",
                    "        _ = try \(request.name).responseDecoder.decode(",
                    "            \(request.name).Response.self, from: Data(example.utf8))", "    }",
                ]
            }
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    private func examples(of request: Request) throws -> [JSON] {
        let responses = try request.operation.node.object("responses")?.members ?? []
        guard let success = responses.first(where: { $0.name.hasPrefix("2") }),
            let content = try document.resolved(success.node).object("content")?.members
                .first(where: { $0.name.isJSON })?.node
        else { return [] }
        let named = try (content.object("examples")?.allMembers ?? []).compactMap { member in
            let example = try document.resolved(member.node)
            return (example["value"] ?? example["dataValue"])?.json
        }
        return (content["example"].map { [$0.json] } ?? []) + named
    }
}

extension String {
    /// The text as a raw literal, with as many `#` as it needs.
    fileprivate var rawLiteral: String {
        var marks = "#"
        while contains("\"\(marks)") || contains("\\\(marks)") { marks += "#" }
        return "\(marks)\"\(self)\"\(marks)"
    }
}
