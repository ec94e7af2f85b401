import Endpoints
import EndpointsShared
import Foundation

/// Reads the values of rate limit headers.
enum RateLimitValue {
    /// The number in a text of at most 15 digits and maybe a `.` (RFC 9651, section 3.3). `nil` for
    /// any other text, such as a negative number, which some servers send for “no limit”.
    static func number(_ text: String) -> Double? {
        let digits = text.utf8.filter(\.isDigit).count
        let isNumber = text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
        return (1...15).contains(digits) && isNumber ? Double(text) : nil
    }

    static func integer(_ text: String) -> Int? {
        number(text).flatMap { Int(exactly: $0.rounded(.down)) }
    }

    /// The moment that a reset names: a number in a unit, a duration or a date.
    static func moment(_ text: String, _ unit: RateLimitHeaders.Unit, _ now: Date) -> Date? {
        if let number = number(text) { return moment(number, unit, now) }
        return duration(text).map { now + $0 } ?? date(text) ?? HTTPDate.date(text, now: now)
    }

    /// The moment that a number in a unit names.
    static func moment(_ number: Double, _ unit: RateLimitHeaders.Unit, _ now: Date) -> Date {
        switch unit {
        case .seconds: return now + number
        case .milliseconds: return now + number / 1000
        case .secondsSince1970: return Date(timeIntervalSince1970: number)
        case .millisecondsSince1970: return Date(timeIntervalSince1970: number / 1000)
        case .bySize:
            let bySize: RateLimitHeaders.Unit =
                switch number {
                case ..<1_000_000_000: .seconds
                case ..<100_000_000_000: .secondsSince1970
                default: .millisecondsSince1970
                }
            return moment(number, bySize, now)
        }
    }

    /// The seconds of a duration as Go writes it: `1h0m0s`, `2m59.56s`, `20ms`; `nil` for any other
    /// text. More than 2^31 seconds count as so many.
    static func duration(_ text: String) -> TimeInterval? {
        guard (2...64).contains(text.utf8.count) else { return nil }
        var (rest, total) = (Array(text.utf8)[...], 0.0)
        while !rest.isEmpty {
            let digits = rest.prefix { isOfNumber($0) }
            let name = rest[digits.endIndex...].prefix { !isOfNumber($0) }
            rest = rest[name.endIndex...]
            guard let number = number(String(decoding: digits, as: UTF8.self)),
                let unit = seconds(of: String(decoding: name, as: UTF8.self))
            else { return nil }
            total += number * unit
        }
        return min(total, 0x1p31)
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        byte.isDigit || byte == UInt8(ascii: ".")
    }

    private static func seconds(of unit: String) -> TimeInterval? {
        switch unit {
        case "d": 86_400
        case "h": 3600
        case "m": 60
        case "s": 1
        case "ms": 1e-3
        // Go writes a micro sign, which looks like the letter mu.
        case "us", "µs", "μs": 1e-6
        case "ns": 1e-9
        default: nil
        }
    }

    /// A date of RFC 3339, section 5.6, such as `2023-11-14T22:13:50.5+01:00`; `nil` for any other
    /// text. A leap second (60) is the next minute's second 0.
    static func date(_ text: String) -> Date? {
        guard (20...40).contains(text.utf8.count) else { return nil }
        var scanner = TimeScanner(rest: Array(text.utf8)[...])
        guard let day = scanner.numbers([4, 2, 2], separatedBy: UInt8(ascii: "-")),
            scanner.skip(UInt8(ascii: "t")),
            let time = scanner.numbers([2, 2, 2], separatedBy: UInt8(ascii: ":")),
            let fraction = scanner.fraction(), let offset = scanner.offset(), scanner.rest.isEmpty,
            (1...12).contains(day[1]), (1...31).contains(day[2]), time[0] < 24, time[1] < 60,
            time[2] <= 60, let midnight = HTTPDate.midnight(day[0], day[1], day[2])
        else { return nil }
        let seconds = midnight + time[0] * 3600 + time[1] * 60 + time[2] - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }
}

/// Reads the parts of a date of RFC 3339, one after the other.
private struct TimeScanner {
    var rest: ArraySlice<UInt8>

    /// Skips a byte; a letter in upper or lower case.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard let next = rest.first, next | 0x20 == byte else { return false }
        rest.removeFirst()
        return true
    }

    /// Numbers with so many digits each.
    mutating func numbers(_ widths: [Int], separatedBy separator: UInt8) -> [Int64]? {
        var numbers: [Int64] = []
        for width in widths {
            guard numbers.isEmpty || skip(separator) else { return nil }
            let digits = rest.prefix(width)
            guard digits.count == width, digits.allSatisfy(\.isDigit) else { return nil }
            numbers.append(digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) })
            rest = rest[digits.endIndex...]
        }
        return numbers
    }

    /// A fraction of a second, which may be missing.
    mutating func fraction() -> Double? {
        guard skip(UInt8(ascii: ".")) else { return 0 }
        let digits = rest.prefix { $0.isDigit }
        rest = rest[digits.endIndex...]
        return digits.isEmpty ? nil : Double("0." + String(decoding: digits, as: UTF8.self))
    }

    /// The seconds by which the time is ahead of UTC: `Z` or `+01:00`.
    mutating func offset() -> Int64? {
        if skip(UInt8(ascii: "z")) { return 0 }
        let isBehind = skip(UInt8(ascii: "-"))
        guard isBehind || skip(UInt8(ascii: "+")),
            let time = numbers([2, 2], separatedBy: UInt8(ascii: ":")), time[0] < 24, time[1] < 60
        else { return nil }
        return (isBehind ? -1 : 1) * (time[0] * 3600 + time[1] * 60)
    }
}
