import EndpointsDocuments
import Foundation

/// Writes a test that compares the declarations with the document.
struct DriftWriter {
    let plan: Plan
    let document: Document
    let report: Report
    /// The module that has the declarations.
    let module: String

    /// The text of the file; `nil` if the document isn't one file, as only that is compared.
    func text(of source: String, in folder: String) -> String? {
        guard source != "-" else {
            report.note(.root, "was read from standard input, so no test compares it")
            return nil
        }
        guard !document.root.json.hasOtherFile else {
            report.note(.root, "consists of several files, so no test compares it: bundle them")
            return nil
        }
        return text(path: Self.path(from: folder, to: source)).text
    }

    private func text(path: String) -> Written {
        let types = plan.requests.map { request -> Written in "\(.name(request.name)).self" }
        let lines = Lines.filled(types, 16).map { line -> Written in "                \(line)" }
        let isDeprecated = plan.requests.contains { $0.operation.isDeprecated }
        let deprecation: Written = isDeprecated ? "    @available(*, deprecated)\n" : ""
        return """
            // swift-format-ignore-file

            import Endpoints
            import EndpointsOpenAPI
            import Foundation
            import Testing

            @testable import \(.name(module))

            @Suite nonisolated struct DriftTests {
                /// The document, from the folder of this file.
                private static let document = \(.literal(path))

            \(deprecation)    @Test("The declarations are what the document says")
                func differences() throws {
                    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                    let file = folder.appendingPathComponent(Self.document).standardizedFileURL
                    let here = OpenAPIDocument(
                        \(types.isEmpty ? "of: []" : "of:")
            \(lines.joined(separator: "\n")))
                    let there = try OpenAPIDocument(contentsOf: file)
                    let differences = here.differences(from: there).map(\\.description)
                    #expect(differences.isEmpty, "\\(differences.joined(separator: "\\n"))")
                }
            }

            """
    }

    /// The way from a folder to a file: `../../api.json`.
    static func path(from folder: String, to file: String) -> String {
        let folder = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
            .resolvingSymlinksInPath().pathComponents
        let file = URL(fileURLWithPath: file).standardizedFileURL.resolvingSymlinksInPath()
            .pathComponents
        let common = zip(folder, file).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: folder.count - common)
        return (up + file.dropFirst(common)).joined(separator: "/")
    }
}

extension JSON {
    /// What has members with any names.
    private static let maps: Set = [
        "properties", "patternProperties", "schemas", "$defs", "definitions", "headers",
        "responses",
    ]

    /// Whether a reference in the value leads to another file. In an extension or an example,
    /// `$ref` is only a member.
    fileprivate var hasOtherFile: Bool { hasOtherFile(isMap: false) }

    private func hasOtherFile(isMap: Bool) -> Bool {
        switch self {
        case .object(let members):
            return members["$ref"]?.text.map { !$0.hasPrefix("#") } == true
                || members.list.contains { member in
                    let isOwn =
                        member.name.hasPrefix("x-")
                        || ["example", "value", "default"].contains(member.name)
                    return (isMap || !isOwn)
                        && member.value.hasOtherFile(
                            isMap: !isMap && Self.maps.contains(member.name))
                }
        case .array(let elements):
            return elements.contains { $0.hasOtherFile(isMap: false) }
        default:
            return false
        }
    }
}
