import Foundation

@main
struct Command {
    static func main() {
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            exit(try run(arguments))
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    static func complain(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// Imports a document, and gives the exit status.
    private static func run(_ arguments: Arguments) throws -> Int32 {
        guard !arguments.wantsHelp else {
            print(Arguments.help)
            return 0
        }
        let document = try Document(try arguments.document())
        let operations = try document.operations()
        try arguments.checkParts(operations)
        let overrides = try arguments.overrides()
        try overrides.check(document, operations)
        let report = Report()
        let plan = try Plan(document, overrides, report) { arguments.selects($0) }
        let folder = Folder(arguments.folder)
        let output = try Output(plan, document, edited: try folder.edited())
        var files = output.files
        if let values = try arguments.values() {
            files.append(("Calls.swift", try CallsWriter(plan: plan, report: report).text(values)))
        }
        files = try Formatting.formatted(files, for: arguments.folder)
        let changes = try folder.changes(to: files)
        var tests: (folder: Folder, changes: Folder.Changes)?
        if let path = arguments.tests {
            let writer = TestsWriter(
                plan: plan, document: document, report: report, module: arguments.module)
            let folder = Folder(path)
            let files = [("DocumentTests.swift", try writer.text())]
            tests = (folder, try folder.changes(to: files))
        }
        try folder.write(changes)
        if let tests {
            try tests.folder.write(tests.changes)
            for note in tests.changes.notes { complain(note) }
        }
        for note in changes.notes { complain(note) }
        for entry in report.notes { complain("note: \(entry.line)") }
        for entry in report.skipped { complain("skipped: \(entry.line)") }
        print("\(plan.requests.count) requests, \(report.skipped.count) skipped")
        if changes.hasConflicts || tests?.changes.hasConflicts == true { return 3 }
        return report.skipped.isEmpty || arguments.allowsSkipped ? 0 : 2
    }
}
