import Endpoints
import EndpointsStreams
import Foundation

/// Many loads at once, one in ten cancelled at a random moment, one in twenty failing.
struct Load {
    let field: Field
    let count: Int
    let inFlight: Int
    let seed: UInt64
    let end: ContinuousClock.Instant

    /// Sends the requests; returns how many there were before the time was up.
    func run() async -> Int {
        let numbers = Numbers("loads", below: count, until: end)
        await withDiscardingTaskGroup { group in
            for _ in 0..<inFlight {
                group.addTask {
                    while let number = numbers.next() { await send(number) }
                }
            }
        }
        return numbers.taken
    }

    private func send(_ number: Int) async {
        var dice = SplitMix64(seed: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
        let way = Way.allCases[number % 2]
        switch Int.random(in: 0..<20, using: &dice) {
        case 0, 1:
            await sendAndCancel(number, way, &dice)
        case 2:
            let path = Bool.random(using: &dice) ? "fail" : "reset"
            let ending = await ending(GetNumber(path: path, i: number), way)
            let expected =
                path == "fail"
                ? Ending.refused(500, "failed on request") : .failed(.networkConnectionLost)
            expect(ending, [expected], of: number)
            field.record.count("failed")
        default:
            let ending = await ending(GetNumber(path: "ok", i: number), way)
            expect(ending, [.number(number)], of: number)
        }
    }

    private func sendAndCancel(_ number: Int, _ way: Way, _ dice: inout SplitMix64) async {
        let delay = Int.random(in: 0..<20, using: &dice)
        let moment = Duration.microseconds(Int.random(in: 0..<20_000, using: &dice))
        let flight = field.flight(GetNumber(path: "slow", i: number, ms: delay), by: way)
        flight.start()
        try? await Task.sleep(for: moment)
        flight.cancel()
        let ending = await flight.ending()
        expect(ending, [.cancelled, .number(number)], of: number)
        field.record.count(ending == .cancelled ? "cancelled" : "cancelled too late")
    }

    private func ending(_ request: GetNumber, _ way: Way) async -> Ending {
        let flight = field.flight(request, by: way)
        flight.start()
        return await flight.ending()
    }

    private func expect(_ ending: Ending, _ expected: [Ending], of number: Int) {
        guard !expected.contains(ending) else { return }
        field.record.problem("load \(number) ended with \(ending), not \(expected)")
    }
}
