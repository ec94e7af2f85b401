import EndpointsDocuments
import Foundation

@main
struct Command {
    static func main() {
        let status = DeepStack.run { () -> Int32 in
            do { return try run(Arguments(Array(CommandLine.arguments.dropFirst()))) } catch {
                complain("\(error)")
                return 1
            }
        }
        exit(status)
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
        let document = try arguments.document()
        let read = document.readOperations()
        let operations = read.compactMap { try? $0.operation.get() }
        try arguments.checkParts(operations)
        let overrides = try arguments.overrides()
        try overrides.check(document, operations, read.map(\.handle))
        let report = Report()
        let folder = Folder(arguments.folder)
        let last = try folder.lastOperations()
        let plan = try Plan(document, overrides, report) { operation in
            arguments.selects(operation)
                || arguments.namesPart && last.contains("\(operation.method) \(operation.path)")
        }
        let output = try Output(plan, document, report, edited: try folder.edited())
        var files = output.files
        if let values = try arguments.values() {
            let text = try CallsWriter(plan: plan, report: report).text(values)
            files.append(("Calls.swift", text))
        }
        if arguments.writesSignIn {
            guard let text = SignInWriter(document: document, report: report).text() else {
                throw UsageError(
                    "--sign-in: the document has no security scheme `oauth2` with a `tokenUrl` "
                        + "that begins with https://; leave the option out")
            }
            files.append(("SignIn.swift", text.text))
        }
        files = try Formatting.formatted(files, for: arguments.folder)
        var changes = try folder.changes(to: files)
        changes.operations = plan.requests.map {
            "\($0.operation.method) \($0.operation.path)"
        }
        var tests: (folder: Folder, changes: Folder.Changes)?
        if let path = arguments.tests {
            let writer = TestsWriter(
                plan: plan, document: document, report: report, module: arguments.module)
            var files = [("DocumentTests.swift", try writer.text().text)]
            let drift = DriftWriter(
                plan: plan, document: document, report: report, module: arguments.module)
            if let text = drift.text(of: arguments.source, in: path) {
                files.append(("DriftTests.swift", text))
            }
            let folder = Folder(path)
            tests = (folder, try folder.changes(to: files))
        }
        try folder.write(changes)
        if let tests {
            try tests.folder.write(tests.changes)
            for note in tests.changes.notes { complain(note) }
        }
        for note in changes.notes { complain(note) }
        for line in report.summary { complain(line) }
        if let path = arguments.notes { try write(report.lines, to: path) }
        print("\(plan.requests.count) requests, \(report.counts)")
        if changes.hasConflicts || tests?.changes.hasConflicts == true { return 3 }
        return report.missing == 0 || arguments.allowsSkipped ? 0 : 2
    }

    /// Writes the file of the notes. Without any there is none.
    static func write(_ lines: [String], to path: String) throws {
        let text = lines.map { $0 + "\n" }.joined()
        let file = URL(fileURLWithPath: path)
        do {
            if !lines.isEmpty { return try Data(text.utf8).write(to: file) }
            let found = try? FileManager.default.attributesOfItem(atPath: path)
            guard found?[.type] as? FileAttributeType == .typeRegular else { return }
            try FileManager.default.removeItem(at: file)
        } catch {
            throw UsageError("\(path) can't be written: \(error.localizedDescription)")
        }
    }
}
