import Foundation

/// How much more work two threads do than one, on one shared declaration.
func threads() throws {
    print("\nTwo threads against one, on one shared declaration: how many times the work\n")
    let candidates = Case.search.candidates.filter { $0.name != "HAND" }
    var byWork: [String: [Double]] = [:]
    var byWall: [String: [Double]] = [:]
    for _ in 0..<61 {
        for candidate in candidates {
            let one = run(candidate, threads: 1)
            let two = run(candidate, threads: 2)
            byWork[candidate.name, default: []].append(2 * one.work / two.work * 2)
            byWall[candidate.name, default: []].append(2 * one.wall / two.wall)
        }
    }
    for name in candidates.map(\.name) {
        let (work, wall) = (Spread(byWork[name] ?? []), Spread(byWall[name] ?? []))
        let goal = name == "library" ? " ≥ 1.90 \(work.median >= 1.9 ? "yes" : "MISS")" : ""
        print(
            "case 2, \(name): by the threads' own time \(work.text)\(goal),",
            "by the clock on the wall \(wall.text)")
    }
}

/// Has each of some threads do the same work; the time that passed, and the time that they worked.
private func run(_ candidate: Candidate, threads: Int) -> (wall: Double, work: Double) {
    let (wall, work) = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
    let group = DispatchGroup()
    // What a candidate shares between its runs, a declaration and inputs, is only read.
    nonisolated(unsafe) let run = candidate.run
    for _ in 0..<threads {
        group.enter()
        Thread {
            do { try run(0..<10_000) } catch { print("Benchmarks: \(error)") }
            group.leave()
        }.start()
    }
    group.wait()
    return (now(CLOCK_MONOTONIC) - wall, now(CLOCK_PROCESS_CPUTIME_ID) - work)
}
