import Foundation

/// What making a request costs, against what it can cost and what people write.
func requests() throws {
    let cases = try Case.all()
    for test in cases { try test.check() }
    print("A URLRequest from a declaration; the middle half of the ratios in brackets\n")
    print(row("", "library", "HAND", "LIMIT", "library/LIMIT", "library/HAND", "library/FLOOR"))
    for test in cases {
        let comparison = try compare(test.candidates)
        guard let library = comparison["library"], let hand = comparison["HAND"],
            let limit = comparison["LIMIT"], let floor = comparison["FLOOR"]
        else { continue }
        print(
            row(
                test.name, library.nanoseconds.ns, hand.nanoseconds.ns, limit.nanoseconds.ns,
                limit.firstRelative.text(most: test.goal.limit),
                hand.firstRelative.text(most: test.goal.hand), floor.firstRelative.text))
    }
}

/// How many allocations a request and a load take. They don't depend on what else a machine does,
/// so that too many are an error.
func allocations() async throws {
    print("\nAllocations for a request: the library's, and those of the other ways\n")
    var isReached = true
    for test in try Case.all() {
        try test.check()
        let counts = try test.candidates.map { try allocations(of: $0) }
        guard let library = counts.first, let limit = counts.dropFirst(2).first else { continue }
        let goal = min(limit + 2, test.mostAllocations)
        if library > goal { isReached = false }
        let others = zip(test.candidates, counts).dropFirst().map { "\($0.name) \($1.count)" }
        print(
            test.name.padding(toLength: 38, withPad: " ", startingAt: 0), library.count, "≤",
            goal.count, library <= goal ? "yes  " : "MISS ", others.joined(separator: ", "))
    }
    guard try await loadAllocations(), isReached else {
        throw Difference(description: "a request or a load takes too many allocations")
    }
}
