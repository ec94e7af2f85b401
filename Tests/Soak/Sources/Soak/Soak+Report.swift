import Foundation

extension Soak {
    /// Prints what ran, and what went wrong.
    func report(
        _ ran: Int, _ seconds: Double, _ record: Record, _ memory: Double, _ leak: Double,
        _ problems: [String]
    ) {
        print(
            "\(options.what): \(ran) requests, \(options.inFlight) in flight, seed \(options.seed)")
        for what in counted { print("  \(what): \(record.number(of: what))") }
        print("  seconds: \(Int(seconds))")
        if options.measuresMemory { reportMemory(record.middle, memory, leak) }
        print("  threads: \(Usage.threads), files: \(Usage.files)")
        print("  failures: \(problems.isEmpty ? "none" : "\(problems.count)")")
        for problem in problems.prefix(20) { print("    \(problem)") }
    }

    private func reportMemory(_ middle: Double, _ end: Double, _ leak: Double) {
        print("  memory: \(megabytes(middle)) at the middle, \(megabytes(end)) at the end")
        print("  kept by URLSession, without the library too: \(Int(leak)) bytes of each request")
    }

    private var counted: [String] {
        switch options.what {
        case .load: ["cancelled", "cancelled too late", "failed"]
        case .race: Race.Stage.allCases.map(\.rawValue)
        case .limits, .sessions, .exit: []
        }
    }

    private func megabytes(_ number: Double) -> String {
        String(format: "%.1f MB", number)
    }
}
