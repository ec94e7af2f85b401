import Endpoints
import EndpointsStreams
import Foundation

/// Cancels loads at every stage, many at once.
struct Race {
    enum Stage: String, CaseIterable {
        case beforeStart = "before the start"
        case inFlight = "in flight"
        case whileDecoding = "while decoding"
        case afterEnd = "after the end"
    }

    let field: Field
    let count: Int
    let inFlight: Int
    let seed: UInt64
    let end: ContinuousClock.Instant

    /// Runs the races; returns how many there were before the time was up.
    func run() async -> Int {
        let numbers = Numbers("cancelled loads", below: count, until: end)
        await withDiscardingTaskGroup { group in
            for _ in 0..<inFlight {
                group.addTask {
                    while let number = numbers.next() { await race(number) }
                }
            }
        }
        return numbers.taken
    }

    private func race(_ number: Int) async {
        let way = Way.allCases[number % 2]
        let stage = Stage.allCases[number / 2 % 4]
        let flight = field.flight(GetNumber(path: "ok", i: number), by: way)
        let expected: [Ending]
        switch stage {
        case .beforeStart:
            flight.cancel()
            flight.start()
            expected = [.cancelled]
        case .inFlight:
            var dice = SplitMix64(seed: seed &+ UInt64(number))
            flight.start()
            for _ in 0..<Int.random(in: 0..<200, using: &dice) { await Task.yield() }
            flight.cancel()
            expected = [.cancelled, .number(number)]
        case .whileDecoding:
            GetNumber.meanwhile.withLock { $0[number] = flight.cancel }
            flight.start()
            expected = [.number(number)]
        case .afterEnd:
            flight.start()
            _ = await flight.ending()
            flight.cancel()
            expected = []
        }
        if stage != .afterEnd {
            let ending = await flight.ending()
            if !expected.contains(ending) {
                field.record.problem("cancelled \(stage.rawValue), \(way): \(number): \(ending)")
            }
        }
        field.record.count(stage.rawValue)
    }
}
