import Foundation

/// Runs every case, or those whose name has each of the words on the command line.
@main
enum Main {
    static func main() throws {
        JobQueue.takeAllJobs()
        try Scratch.make()
        defer { Scratch.remove() }
        // The first wait for the disk makes the threads and files of Dispatch.
        _ = Cell.all.first { $0.kind == .file && $0.ending == .success }.map {
            Case($0).violations()
        }
        let words = CommandLine.arguments.dropFirst()
        let cells = Cell.all.filter { cell in
            words.allSatisfy { "\(cell)".contains($0) }
        }
        var failed = 0
        for cell in cells {
            let violations = Case(cell).violations()
            guard !violations.isEmpty else { continue }
            failed += 1
            if failed <= 40 { print("\(cell):\n    " + violations.joined(separator: "\n    ")) }
        }
        let good = cells.count - failed
        print("\(good) of \(cells.count) cases, of three loads each, end as they must")
        guard failed == 0, !cells.isEmpty else { exit(1) }
    }
}
