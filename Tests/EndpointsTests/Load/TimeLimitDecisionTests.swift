import Foundation
import Testing

@testable import Endpoints

@Suite struct TimeLimitDecisionTests {
    @Test(
        "A tiny time limit is not checked so often that it keeps a processor busy",
        arguments: [(1e-9, 0.1), (0.05, 0.1), (0.5, 0.5), (60, 60)])
    func interval(_ limit: TimeInterval, _ interval: TimeInterval) {
        #expect(TimeLimit(limit).interval == interval)
    }

    @Test(
        "A task that is resumed after its time limit has the whole limit again",
        arguments: [
            ([false], [true]), ([true, true, false, false], [false, false, false, true]),
            ([true, false, true, false, false], [false, false, false, false, true]),
        ])
    func resumedLate(isWaiting: [Bool], isOver: [Bool]) {
        var limit = TimeLimit(1)
        #expect(isWaiting.map { limit.isOver(isWaiting: $0) } == isOver)
    }
}
