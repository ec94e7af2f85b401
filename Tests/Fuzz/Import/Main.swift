import Foundation

@testable import EndpointsDocuments
@testable import EndpointsImport

/// Imports the document of each line of standard input, which is in base64, and prints a line of
/// JSON for it: the files, or the error. The first line has the values of the calls.
@main
struct Main {
    struct Outcome: Encodable {
        var files: [String: String]?
        var error: String?
    }

    static func main() throws {
        let values = try JSONReader.read(document(readLine() ?? ""))
        let encoder = JSONEncoder()
        while let line = readLine() {
            let data = try encoder.encode(outcome(document(line), values))
            FileHandle.standardOutput.write(data + Data("\n".utf8))
        }
    }

    private static func document(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }

    private static func outcome(_ data: Data, _ values: JSON) -> Outcome {
        do {
            let document = try Document(data)
            let report = Report()
            let plan = try Plan(document, Overrides(), report) { _ in true }
            var files = try Output(plan, document, report).files
            files.append(
                ("Calls.swift", try CallsWriter(plan: plan, report: report).text(Node(values))))
            _ = try TestsWriter(
                plan: plan, document: document, report: report, module: "Fuzzed"
            ).text()
            let names = Set(files.map { $0.name.lowercased() })
            guard names.count == files.count else {
                return Outcome(error: "two files share a name")
            }
            return Outcome(files: Dictionary(files.map { ($0.name, $0.text) }) { $1 })
        } catch {
            return Outcome(error: "\(error)")
        }
    }
}
