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

/// The times of a text of `count` bytes and of one twice as long. They are measured again, and the
/// least counts, as long as the second takes too long.
func times(_ parser: Parser, _ atom: String, _ count: Int) throws -> (Double, Double) {
    func text(_ count: Int) -> String { String(repeating: atom, count: count / atom.utf8.count) }
    let (one, two) = (try parser.prepare(text(count)), try parser.prepare(text(2 * count)))
    var (first, second) = (time(one), time(two))
    for _ in 0..<5 where second > max(first * most, 0.02) && second < 20 {
        (first, second) = (min(first, time(one)), min(second, time(two)))
    }
    return (first, second)
}

let only = CommandLine.arguments.dropFirst().first
var (failures, count, worst) = (0, 0, (ratio: 0.0, name: ""))
for parser in Parser.all where only.map(parser.name.contains) ?? true {
    let begin = Date()
    for atom in Parser.atoms where !parser.isOfHeader || !atom.contains(where: \.isNewline) {
        count += 1
        // A text of 64 KB first, so that a parser that isn't linear doesn't take minutes.
        for size in [1 << 16, 1 << 20] {
            let (first, second) = try times(parser, atom, size)
            // Shorter times are those of the measurement.
            guard second > 0.02 else { continue }
            let ratio = second / first
            if size > 1 << 16, ratio > worst.ratio {
                worst = (ratio, "\(parser.name), \(atom.debugDescription)")
            }
            guard ratio > most else { continue }
            failures += 1
            print(
                "\(parser.name), \(atom.debugDescription): \(size >> 10) KB take \(first) s, "
                    + "twice as many \(second) s, \((ratio * 10).rounded() / 10) times as long")
            break
        }
    }
    if only != nil { print("\(parser.name): \(Date().timeIntervalSince(begin)) s") }
}
print("\(count) texts of 1 and 2 MB, \(Parser.all.count) parsers: \(failures) aren't linear")
print("the longest: \((worst.ratio * 10).rounded() / 10) times as long, \(worst.name)")
exit(failures == 0 ? 0 : 1)
