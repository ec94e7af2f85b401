import Foundation

/// A line of a table.
func row(_ name: String, _ columns: String...) -> String {
    let widths = [10, 10, 10, 28, 28, 18]
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

/// A line of a comparison of two.
func line(_ name: String, _ first: Double, _ second: Double, _ ratio: String) -> String {
    name.padding(toLength: 46, withPad: " ", startingAt: 0) + first.ns.leftPadded(to: 14)
        + second.ns.leftPadded(to: 14) + "   " + ratio
}

extension Comparison {
    /// Prints how the first way compares to the second.
    func print(_ name: String, most goal: Double = .infinity) {
        Swift.print(
            line(
                name, rows[0].nanoseconds, rows[1].nanoseconds,
                rows[1].firstRelative.text(most: goal)))
    }
}

extension Spread {
    var text: String { text(most: .infinity) }

    /// The ratio, its spread, and whether it is what it must be.
    func text(most goal: Double) -> String {
        let spread = "\(median.ratio) (\(lower.ratio)–\(upper.ratio))"
        guard goal.isFinite else { return spread }
        return "\(spread) ≤ \(goal.ratio) \(median <= goal ? "yes" : "MISS")"
    }
}
