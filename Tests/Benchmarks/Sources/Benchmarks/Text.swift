import Foundation

/// A line of a table.
func row(_ name: String, _ columns: String...) -> String {
    let widths = [11, 11, 11, 30, 30, 18]
    let cells = zip(columns, widths).map { text, width in text.leftPadded(to: width) }
    return name.padding(toLength: 34, withPad: " ", startingAt: 0) + cells.joined()
}

extension String {
    func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(1, width - count)) + self
    }
}

extension Double {
    var ns: String { String(format: "%.0f ns", self) }
    var count: String { String(format: "%.0f", self) }
    var ratio: String { String(format: "%.2f", self) }
}

extension Spread {
    /// The ratio, its spread, and whether it is what it must be.
    func text(most goal: Double) -> String {
        let spread = "\(median.ratio) (\(lower.ratio)–\(upper.ratio))"
        guard goal.isFinite else { return spread }
        return "\(spread) ≤ \(goal.ratio) \(median <= goal ? "yes" : "MISS")"
    }
}
