import Foundation

/// What is printed at the end.
struct Report {
    let record: Record
    let seconds: Duration

    /// Prints what happened and what held; whether all did.
    func print(_ result: Result<Conversation.Outcome, any Error>) -> Bool {
        for what in Record.Count.allCases { row(what) }
        switch result {
        case .success(let outcome):
            line("seconds until a long poll was left", String(format: "%.4f", outcome.leaving))
            line("seconds in which the homeserver was away", decimal(outcome.outage))
            line("seconds in all", decimal(seconds / .seconds(1)))
            let checks = Checks(outcome, record)
            for (text, holds) in checks.list {
                Swift.print(holds ? "  holds   " : "  FAILED  ", text)
            }
            return checks.allHold
        case .failure(let error):
            line("seconds in all", decimal(seconds / .seconds(1)))
            Swift.print("  FAILED  ", error)
            return false
        }
    }

    private func row(_ what: Record.Count) {
        let waited = record.seconds(of: what).map { ", \(decimal($0)) s" } ?? ""
        line(what.rawValue, "\(record.number(of: what))\(waited)")
    }

    private func line(_ what: String, _ value: String) {
        Swift.print("  \(what.padding(toLength: 54, withPad: " ", startingAt: 0))\(value)")
    }

    private func decimal(_ number: Double) -> String {
        String(format: "%.1f", number)
    }
}
