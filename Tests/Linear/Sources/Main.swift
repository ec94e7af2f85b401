import Foundation

/// Feeds each reader a text and one twice as long, and fails where the second takes more than 2.6
/// times as long: `Linear 1024` for texts of 1 and 2 MB, `Linear 1024 Vary` for the readers with
/// that in their names, and `Linear 1024 1/2` and `Linear 1024 2/2` for each second text, so that
/// two processors can share the work.
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

    /// The times of a text and of one twice as long, if the second takes too long.
    ///
    /// They are then measured again, and a text four times as long must take too long too: at some
    /// size a text no longer fits into the processor's cache, which takes longer once.
    static func excess(
        _ reader: Reader, _ atom: String, _ count: Int, _ first: Double
    ) async throws -> (Double, Double)? {
        // Shorter times are those of the measurement.
        func isTooLong(_ first: Double, _ second: Double) -> Bool {
            second > 0.03 && second > first * most
        }
        var first = first
        var second = try await time(reader, atom, 2 * count)
        for _ in 0..<20 where isTooLong(first, second) {
            first = min(first, try await time(reader, atom, count, times: 2))
            second = min(second, try await time(reader, atom, 2 * count, times: 2))
        }
        guard isTooLong(first, second) else { return nil }
        let third = try await time(reader, atom, 4 * count, times: 10)
        return isTooLong(second, third) ? (first, second) : nil
    }

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let kilobytes = arguments.first.flatMap { Int($0) } ?? 1024
        let last = arguments.dropFirst().first ?? "1/1"
        let share = last.split(separator: "/").compactMap { Int($0) }
        let readers = Reader.all.filter { share.count == 2 || $0.name.contains(last) }
        var (failures, number, count) = (0, 0, 0)
        for reader in readers {
            let begin = time
            for atom in Reader.atoms
            where !reader.isOfHeader || !atom.contains(where: \.isNewline) {
                number += 1
                if share.count == 2, number % share[1] != share[0] - 1 { continue }
                count += 1
                // A text of 16 KB first, so that a reader that isn't linear doesn't take minutes.
                for size in [1 << 14, kilobytes << 10] {
                    let first = try await time(reader, atom, size)
                    let excess = try await excess(reader, atom, size, first)
                    guard excess != nil || first > longest(size) else { continue }
                    failures += 1
                    let (once, twice) = excess ?? (first, .nan)
                    print(
                        "\(reader.name), \(atom.debugDescription): \(size >> 10) KB take \(once) s,"
                            + " twice as many \(twice) s")
                    break
                }
            }
            if readers.count < Reader.all.count { print("\(reader.name): \(time - begin) s") }
        }
        print(
            "\(count) texts of \(kilobytes) KB and twice as many, \(readers.count) readers:"
                + " \(failures) fail")
        exit(failures == 0 ? 0 : 1)
    }
}
