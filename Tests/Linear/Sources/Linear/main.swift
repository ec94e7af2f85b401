import Foundation

/// The processor's time of this thread in seconds, which other programs don't lengthen.
func time(_ run: () throws -> Void) -> Double {
    var (begin, end) = (timespec(), timespec())
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin)
    try? run()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
    return Double(end.tv_sec - begin.tv_sec) + Double(end.tv_nsec - begin.tv_nsec) / 1e9
}

/// Twice the text may take 2.6 times as long.
let most = 2.6

/// How long a text of `count` bytes takes: the least of some times.
func time(_ parser: Parser, _ atom: String, _ count: Int, _ times: Int) throws -> Double {
    let run = try parser.prepare(String(repeating: atom, count: count / atom.utf8.count))
    return (0..<times).map { _ in time(run) }.min() ?? 0
}

/// The times of a text and of one twice as long, if the second takes too long.
///
/// They are then measured again, and a text four times as long must take too long too: at some size
/// a text no longer fits into the processor's cache, which takes longer once.
func excess(_ parser: Parser, _ atom: String, _ count: Int) throws -> (Double, Double)? {
    // Shorter times are those of the measurement.
    func isTooLong(_ first: Double, _ second: Double) -> Bool {
        second > 0.03 && second > first * most
    }
    var first = try time(parser, atom, count, 1)
    var second = try time(parser, atom, 2 * count, 1)
    for _ in 0..<3 where isTooLong(first, second) {
        first = min(first, try time(parser, atom, count, 2))
        second = min(second, try time(parser, atom, 2 * count, second > 5 ? 1 : 2))
    }
    guard isTooLong(first, second) else { return nil }
    let third = try time(parser, atom, 4 * count, second > 5 ? 1 : 3)
    return isTooLong(second, third) ? (first, second) : nil
}

let only = CommandLine.arguments.dropFirst().first
var (failures, count) = (0, 0)
for parser in Parser.all where only.map(parser.name.contains) ?? true {
    let begin = Date()
    for atom in Parser.atoms where !parser.isOfHeader || !atom.contains(where: \.isNewline) {
        count += 1
        // A text of 64 KB first, so that a parser that isn't linear doesn't take minutes.
        for size in [1 << 16, 1 << 20] {
            guard let (first, second) = try excess(parser, atom, size) else { continue }
            failures += 1
            print(
                "\(parser.name), \(atom.debugDescription): \(size >> 10) KB take \(first) s, "
                    + "twice as many \(second) s")
            break
        }
    }
    if only != nil { print("\(parser.name): \(Date().timeIntervalSince(begin)) s") }
}
print("\(count) texts of 1 and 2 MB, \(Parser.all.count) parsers: \(failures) aren't linear")
exit(failures == 0 ? 0 : 1)
