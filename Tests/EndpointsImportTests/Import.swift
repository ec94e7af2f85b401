import EndpointsDocuments
import Foundation

@testable import EndpointsImport

/// Imports a document, and gives the files by their names.
func files(
    _ document: String, overrides: String = "{}", report: Report = Report(),
    part: (EndpointsDocuments.Operation) -> Bool = { _ in true }
) throws -> [String: String] {
    let document = try Document(Data(document.utf8))
    let plan = try Plan(document, try Overrides(Data(overrides.utf8)), report, part)
    return Dictionary(
        uniqueKeysWithValues: try Output(plan, document, report).files.map { ($0.name, $0.text) })
}

/// The declarations of a document that has only these paths and schemas, without the `nonisolated`
/// that each of them begins with which isn't a request.
func declarations(paths: String = "{}", schemas: String = "{}") throws -> String {
    let document = #"""
        {"openapi": "3.1.0", "info": {"title": "Shop API"}, "paths": \#(paths),
         "components": {"schemas": \#(schemas)}}
        """#
    let files = try files(document)
    let texts = ["Requests.swift", "Models.swift"].compactMap { files[$0] }
    return texts.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("import ") }
        .map { $0.hasPrefix("nonisolated ") ? $0.dropFirst(12) : $0 }
        .joined(separator: "\n").trimmed
}
