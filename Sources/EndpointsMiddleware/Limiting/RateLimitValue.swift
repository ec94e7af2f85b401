import Endpoints
import EndpointsShared
import Foundation

/// Reads the values of rate limit headers.
enum RateLimitValue {
    /// The number in a text of at most 15 digits and maybe a `.` (RFC 9651, section 3.3). `nil` for
    /// any other text, such as a negative number, which some servers send for “no limit”.
    static func number(_ text: some StringProtocol) -> Double? {
        let digits = text.utf8.filter(\.isDigit).count
        let isNumber = text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
        return (1...15).contains(digits) && isNumber ? Double(text) : nil
    }

    static func integer(_ text: String) -> Int? {
        number(text).flatMap { Int(exactly: $0.rounded(.down)) }
    }

    /// The moment that a reset names: a number in a unit, a duration or a date.
    static func moment(_ text: String, _ unit: RateLimitHeaders.Unit, _ now: Date) -> Date? {
        guard let number = number(text) else {
            return duration(text).map { now + $0 } ?? date(text) ?? HTTPDate.date(text, now: now)
        }
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
            return moment(text, bySize, now)
        }
    }

    private static let units: [(name: String, seconds: Double)] = [
        ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1), ("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6),
        ("μs", 1e-6), ("ns", 1e-9),
    ]

    /// The seconds of a duration as Go writes it: `1h0m0s`, `2m59.56s`, `20ms`; `nil` for any other
    /// text. More than 2^31 seconds count as so many.
    static func duration(_ text: String) -> TimeInterval? {
        guard (2...64).contains(text.utf8.count) else { return nil }
        var (rest, total) = (text[...], 0.0)
        while !rest.isEmpty {
            let digits = rest.prefix { $0 == "." || $0.isASCII && $0.isWholeNumber }
            rest = rest[digits.endIndex...]
            let name = rest.prefix { $0 != "." && !($0.isASCII && $0.isWholeNumber) }
            rest = rest[name.endIndex...]
            guard let number = number(digits), let unit = units.first(where: { $0.name == name })
            else { return nil }
            total += number * unit.seconds
        }
        return min(total, 0x1p31)
    }

    /// A date of RFC 3339, section 5.6, such as `2023-11-14T22:13:50.5+01:00`; `nil` for any other
    /// text. A leap second (60) is the next minute's second 0.
    static func date(_ text: String) -> Date? {
        guard (20...40).contains(text.utf8.count) else { return nil }
        let bytes = Array(text.utf8)
        func number(_ start: Int, _ count: Int) -> Int64? {
            guard start + count <= bytes.count, bytes[start..<start + count].allSatisfy(\.isDigit)
            else { return nil }
            return Int64(String(decoding: bytes[start..<start + count], as: UTF8.self))
        }
        func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
            index < bytes.count && bytes[index] | 0x20 == UInt8(ascii: character) | 0x20
        }
        guard let year = number(0, 4), has("-", at: 4), let month = number(5, 2), has("-", at: 7),
            let day = number(8, 2), has("T", at: 10), let hour = number(11, 2), has(":", at: 13),
            let minute = number(14, 2), has(":", at: 16), let second = number(17, 2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60,
            let midnight = HTTPDate.midnight(year, month, day)
        else { return nil }
        var (end, fraction) = (19, 0.0)
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            let digits = bytes[20...].prefix(while: \.isDigit)
            guard !digits.isEmpty else { return nil }
            fraction = Double("0." + String(decoding: digits.prefix(9), as: UTF8.self)) ?? 0
            end = digits.endIndex
        }
        guard let offset = offset(String(decoding: bytes[end...], as: UTF8.self)) else {
            return nil
        }
        let seconds = midnight + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// The seconds by which a time of RFC 3339 is ahead of UTC: `Z` or `+01:00`.
    private static func offset(_ text: String) -> Int64? {
        if text == "Z" || text == "z" { return 0 }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard text.utf8.count == 6, let sign = text.first, sign == "+" || sign == "-",
            parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isDigit) }),
            let hours = Int64(parts[0]), let minutes = Int64(parts[1]), hours < 24, minutes < 60
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
