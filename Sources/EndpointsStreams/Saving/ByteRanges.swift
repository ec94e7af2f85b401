/// Ranges of a file's bytes, in order and apart from each other.
struct ByteRanges: Equatable, Sendable {
    private(set) var all: [Range<Int64>] = []

    init() {}

    /// `nil` if the ranges aren't in order, or touch each other.
    init?(_ ranges: [Range<Int64>]) {
        var end: Int64 = -1
        for range in ranges {
            guard range.lowerBound > end, !range.isEmpty else { return nil }
            end = range.upperBound
        }
        all = ranges
    }

    /// How many bytes the ranges have together.
    var count: Int64 { all.reduce(0) { $0 + Int64($1.count) } }

    /// Where the last range ends.
    var end: Int64 { all.last?.upperBound ?? 0 }

    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let first = all.firstIndex { $0.upperBound >= range.lowerBound } ?? all.endIndex
        let last = all[first...].firstIndex { $0.lowerBound > range.upperBound } ?? all.endIndex
        let touched = all[first..<last]
        let start = min(range.lowerBound, touched.first?.lowerBound ?? range.lowerBound)
        let end = max(range.upperBound, touched.last?.upperBound ?? range.upperBound)
        all.replaceSubrange(first..<last, with: CollectionOfOne(start..<end))
    }

    /// What is missing of a file with so many bytes. Without a total, the last gap has no end,
    /// which `Int64.max` stands for.
    func gaps(of total: Int64?) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var start: Int64 = 0
        for range in all {
            if start < range.lowerBound { gaps.append(start..<range.lowerBound) }
            start = range.upperBound
        }
        let end = total ?? .max
        if start < end { gaps.append(start..<end) }
        return gaps
    }
}
