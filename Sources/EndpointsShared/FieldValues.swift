import Endpoints
import Foundation

/// Reads the value of a header field, piece by piece. The value is a list whose members may have
/// quoted strings and parameters (RFC 9110, sections 5.6.1, 5.6.4 and 5.6.6).
package struct FieldScanner {
    private var rest: ArraySlice<UInt8>

    package init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    package var isAtEnd: Bool { rest.isEmpty }

    package var next: UInt8? { rest.first }

    package mutating func skipBlanks() {
        rest = rest.drop { $0 == .space || $0 == .tab }
    }

    package mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    package mutating func text(before stops: UInt8...) -> String {
        let text = rest.prefix { !stops.contains($0) }
        rest = rest[text.endIndex...]
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a quoted string and removes its quotes and escapes; `nil` if no quote comes next.
    ///
    /// A string without a closing quote ends at the end of the field.
    package mutating func quotedString() -> String? {
        guard skip(.quote) else { return nil }
        var content: [UInt8] = []
        while let byte = rest.popFirst(), byte != .quote {
            guard byte == .backslash else {
                content.append(byte)
                continue
            }
            if let escaped = rest.popFirst() { content.append(escaped) }
        }
        return String(decoding: content, as: UTF8.self)
    }

    package mutating func value() -> String {
        skipBlanks()
        return quotedString() ?? text(before: .semicolon, .comma).trimmingBlanks
    }

    /// Reads parameters as long as a `;` comes next. Their names are returned in lower case. A
    /// parameter without `=` has an empty value, and one without a name is left out.
    ///
    ///     ; rel="next"; title*=UTF-8''a ;b, …   ->  rel=next, title*=UTF-8''a, b=
    package mutating func parameters() -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        skipBlanks()
        while skip(.semicolon) {
            skipBlanks()
            let name = text(before: .equals, .semicolon, .comma).trimmingBlanks.lowercased()
            let value = skip(.equals) ? value() : ""
            if !name.isEmpty { parameters.append((name, value)) }
            skipBlanks()
        }
        return parameters
    }

    /// Skips the rest of a member of a list and the `,` after the member. A `,` in a quoted string
    /// or between `<` and `>` doesn't end a member.
    package mutating func skipMember() {
        while let byte = rest.first, byte != .comma {
            if byte == .quote {
                _ = quotedString()
            } else {
                rest.removeFirst()
                if byte == .less { rest = rest.drop { $0 != .greater } }
            }
        }
        _ = skip(.comma)
    }
}

extension UInt8 {
    package static let tab = UInt8(ascii: "\t")
    package static let lineFeed = UInt8(ascii: "\n")
    package static let carriageReturn = UInt8(ascii: "\r")
    package static let space = UInt8(ascii: " ")
    package static let quote = UInt8(ascii: "\"")
    package static let backslash = UInt8(ascii: #"\"#)
    package static let comma = UInt8(ascii: ",")
    package static let semicolon = UInt8(ascii: ";")
    package static let equals = UInt8(ascii: "=")
    package static let less = UInt8(ascii: "<")
    package static let greater = UInt8(ascii: ">")
}

extension String {
    /// The number in decimal digits; `nil` for any other text. More than 2^31 count as 2^31 (RFC
    /// 9111, section 1.2.2).
    package var cappedNumber: TimeInterval? {
        guard !isEmpty, utf8.allSatisfy(\.isDigit) else { return nil }
        return min(TimeInterval(self) ?? .infinity, 0x1p31)
    }

    /// The members of a list of names, in lower case (RFC 9110, section 5.6.1).
    package var listMembers: [String] {
        split(separator: ",").map { $0.lowercased().trimmingBlanks }
    }
}

/// A date as HTTP writes it (RFC 9110, section 5.6.7).
package enum HTTPDate {
    package static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    package static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A date as `Sun, 06 Nov 1994 08:49:37 GMT`; `nil` outside the years 0000 to 9999.
    package static func text(_ date: Date) -> String? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        // A date in RFC 3339's form, such as 1994-11-06T08:49:37Z, has the same parts.
        guard let text = try? Date(timeIntervalSince1970: seconds).pathRepresentation else {
            return nil
        }
        let parts = text.split { "-TZ".contains($0) }
        guard parts.count == 4, let month = Int(parts[1]) else { return nil }
        // 1970-01-01 was a Thursday.
        let day = Int((seconds / 86_400).rounded(.down)) + 3
        let weekday = weekdays[(day % 7 + 7) % 7].prefix(3)
        return "\(weekday), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]) GMT"
    }
}

extension HTTPDate {
    /// The date of a text in one of HTTP's three forms; `nil` for any other text.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT
    ///     Sunday, 06-Nov-94 08:49:37 GMT   RFC 850's form
    ///     Sun Nov  6 08:49:37 1994         the form of C's asctime
    ///
    /// The weekday must be a valid name, but may be the wrong day for the date.
    /// - Parameter now: The current date, which decides the century of a year of two digits.
    package static func date(_ text: String, now: Date) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        return switch parts.count {
        case 6 where parts[2].isEmpty && parts[3].count == 1: asctime(parts, day: parts[3])
        case 6: fixed(parts)
        case 5 where parts[2].count == 2: asctime(parts, day: parts[2])
        case 4: rfc850(parts, now: now)
        default: nil
        }
    }

    private static func fixed(_ parts: [Substring]) -> Date? {
        guard parts[0].last == ",", isWeekday(parts[0].dropLast()), parts[5] == "GMT",
            let day = number(parts[1], digits: 2), let year = number(parts[3], digits: 4)
        else { return nil }
        return date(year, parts[2], day, parts[4])
    }

    /// The date in RFC 850's form, whose year has two digits. The year is the latest one that ends
    /// in these digits, has this day (29 February needs a leap year), and puts the date at most 50
    /// years after `now`.
    private static func rfc850(_ parts: [Substring], now: Date) -> Date? {
        let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard parts[0].last == ",", weekdays.contains(String(parts[0].dropLast())),
            parts[3] == "GMT", date.count == 3,
            let day = number(date[0], digits: 2), let digits = number(date[2], digits: 2)
        else { return nil }
        let latest = now + 50 * 365.2425 * 86_400
        return stride(from: digits, through: 9999, by: 100)
            .compactMap { Self.date($0, date[1], day, parts[2]) }.last { $0 <= latest }
    }

    private static func asctime(_ parts: [Substring], day: Substring) -> Date? {
        guard isWeekday(parts[0]), let day = number(day, digits: day.count),
            let year = number(parts[parts.count - 1], digits: 4)
        else { return nil }
        return date(year, parts[1], day, parts[parts.count - 2])
    }

    private static func isWeekday(_ name: Substring) -> Bool {
        weekdays.contains { $0.prefix(3) == name }
    }

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int64(text)
    }

    private static func date(
        _ year: Int64, _ monthName: Substring, _ day: Int64, _ clock: Substring
    ) -> Date? {
        guard let month = months.firstIndex(where: { $0 == monthName }),
            let midnight = midnight(year, Int64(month) + 1, day),
            let second = second(clock)
        else { return nil }
        return Date(timeIntervalSince1970: Double(midnight + second))
    }

    /// The seconds from 1970 to a day in the Gregorian calendar; `nil` if the month doesn't have
    /// this day.
    package static func midnight(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (
            Int32(year) - 1900, Int32(month) - 1, Int32(day)
        )
        let seconds = timegm(&time)
        // `timegm` takes 30 February for a day in March.
        return time.tm_mday == Int32(day) ? Int64(seconds) : nil
    }

    /// The seconds from midnight to a time such as `08:49:37`; `nil` if the text isn't such a time.
    /// A leap second (60) is the next minute's second 0.
    private static func second(_ clock: Substring) -> Int64? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
            .map { number($0, digits: 2) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}
