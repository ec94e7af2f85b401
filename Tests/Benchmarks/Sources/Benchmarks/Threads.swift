import Foundation

/// How much more work two threads do than one, on one shared declaration.
func threads() throws {
    print("\nTwo threads against one, on one shared declaration: how many times the work\n")
    for candidate in Case.search.candidates where candidate.name != "HAND" {
        var (byWork, byWall): ([Double], [Double]) = ([], [])
        for _ in 0..<21 {
            let one = run(candidate, threads: 1)
            let two = run(candidate, threads: 2)
            byWork.append(2 * one.work / (two.work / 2))
            byWall.append(2 * one.wall / two.wall)
        }
        let work = Spread(byWork)
        let goal =
            candidate.name == "library" ? " ≥ 1.90 \(work.median >= 1.9 ? "yes" : "MISS")" : ""
        print(
            "case 2, \(candidate.name): by the threads' own time \(work.text)\(goal),",
            "by the clock on the wall \(Spread(byWall).text)")
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
            do { try run(0..<20_000) } catch { print("Benchmarks: \(error)") }
            group.leave()
        }.start()
    }
    group.wait()
    return (now(CLOCK_MONOTONIC) - wall, now(CLOCK_PROCESS_CPUTIME_ID) - work)
}
