import Foundation

/// What making a request costs, against what it can cost and what people write.
func requests() throws {
    let cases = try Case.all()
    for test in cases { try test.check() }
    print("A URLRequest from a declaration; the middle half of the ratios in brackets\n")
    print(
        row(
            "", "library", "HAND", "LIMIT", "library/LIMIT", "library/HAND", "library/FLOOR",
            "allocations"))
    for test in cases {
        let comparison = try compare(test.candidates)
        guard let library = comparison["library"], let hand = comparison["HAND"],
            let limit = comparison["LIMIT"], let floor = comparison["FLOOR"]
        else { continue }
        print(
            row(
                test.name, library.nanoseconds.ns, hand.nanoseconds.ns, limit.nanoseconds.ns,
                limit.firstRelative.text(most: test.goal.limit),
                hand.firstRelative.text(most: test.goal.hand),
                floor.firstRelative.text,
                [library, hand, limit].map { $0.allocations.count }.joined(separator: " / ")))
    }
}
