import Foundation

/// Feeds each reader a text and one twice as long, and fails where the second takes more than 2.6
/// times as long, and so do texts 4 and 8 times as long; or where the first takes many seconds:
/// `Linear 512` for texts of 512 KB and 1 MB, `Linear 512 Vary` for the readers with that in their
/// names, and `Linear 512 1/2` and `Linear 512 2/2` for each second text, so that two processors
/// can share the work.
@main
struct Main {
    /// Twice the text may take 2.6 times as long.
    static let most = 2.6
    /// What the first text may take, in seconds: 8 for 1 MB, and 2 for a short one.
    static func longest(_ size: Int) -> Double { max(2, 8 * Double(size) / Double(1 << 20)) }

    /// The processor's time of this process in seconds, which other programs don't lengthen.
    static var time: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// How long a text of `count` bytes takes: the least of some times.
    static func time(
        _ reader: Reader, _ atom: String, _ count: Int, times: Int = 1
    ) async throws -> Double {
        let run = try reader.prepare(String(repeating: atom, count: count / atom.utf8.count))
        var least = Double.infinity
        for _ in 0..<times {
            let begin = time
            try? await run()
            least = min(least, time - begin)
        }
        return least
    }

    /// The times of a text, and of texts 2, 4 and 8 times as long, up to the first that isn't too
    /// long; and whether that is linear.
    ///
    /// One step says little: at some size a text no longer fits into the processor's cache, or into
    /// what others leave of it, and takes longer once. What is read again and again takes longer at
    /// every size.
    static func times(
        _ reader: Reader, _ atom: String, _ count: Int
    ) async throws -> (times: [Double], isLinear: Bool) {
        var times = [try await time(reader, atom, count)]
        guard times[0] <= longest(count) else { return (times, false) }
        for factor in [2, 4, 8] {
            // Shorter times are those of the measurement.
            func isTooLong() -> Bool {
                let (first, second) = (times[times.count - 2], times[times.count - 1])
                return second > 0.03 && second > first * most
            }
            times.append(try await time(reader, atom, factor * count))
            // What takes seconds isn't lengthened so much by other programs.
            for _ in 0..<10 where isTooLong() && times[times.count - 1] < 5 {
                for (index, factor) in [factor / 2, factor].enumerated() {
                    let place = times.count - 2 + index
                    times[place] = min(times[place], try await time(reader, atom, factor * count))
                }
            }
            guard isTooLong() else { return (times, true) }
        }
        // The shorter texts may have been read faster since their own step.
        return (times, times[3] <= times[0] * most * most * most)
    }

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let kilobytes = arguments.first.flatMap { Int($0) } ?? 1024
        let last = arguments.dropFirst().first ?? "1/1"
        let share = last.split(separator: "/").compactMap { Int($0) }
        let readers = Reader.all.filter { share.count == 2 || $0.name.contains(last) }
        var (failures, number, count) = (0, 0, 0)
        var slowest = (0.0, "")
        for reader in readers {
            let begin = time
            for atom in Reader.atoms
            where !reader.isOfHeader || !atom.contains(where: \.isNewline) {
                number += 1
                if share.count == 2, number % share[1] != share[0] - 1 { continue }
                count += 1
                let name = "\(reader.name), \(atom.debugDescription)"
                // Short texts first, so that a reader that isn't linear doesn't take minutes.
                for size in [1 << 14, 1 << 17, kilobytes << 10] {
                    let (times, isLinear) = try await times(reader, atom, size)
                    if times[0] > slowest.0 { slowest = (times[0], name) }
                    if times.count > 2 || !isLinear {
                        let verdict = isLinear ? "" : ": not linear"
                        print(
                            "\(name): \(size >> 10) KB, then each twice as many: \(times) s\(verdict)"
                        )
                    }
                    guard !isLinear else { continue }
                    failures += 1
                    break
                }
            }
            if readers.count < Reader.all.count { print("\(reader.name): \(time - begin) s") }
        }
        print("the slowest: \(slowest.1), \(slowest.0) s")
        print(
            "\(count) texts of \(kilobytes) KB and twice as many, \(readers.count) readers:"
                + " \(failures) fail")
        exit(failures == 0 ? 0 : 1)
    }
}
