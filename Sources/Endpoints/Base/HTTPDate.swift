import Foundation

/// A date as HTTP writes it (RFC 9110, section 5.6.7).
///
///     Sun, 06 Nov 1994 08:49:37 GMT    the form that is sent
///     Sunday, 06-Nov-94 08:49:37 GMT   RFC 850's form, which is only read
///     Sun Nov  6 08:49:37 1994         the form of C's asctime, which is only read
package enum HTTPDate {
    /// The date of a text in a form that ``HTTPDate`` lists; `nil` for any other text.
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

    /// A date as `Sun, 06 Nov 1994 08:49:37 GMT`; `nil` outside the years 0000 to 9999.
    static func text(_ date: Date) -> String? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        // The text is `2023-11-14T22:13:20Z`, for example.
        guard let text = try? Date(timeIntervalSince1970: seconds).pathRepresentation,
            let day = Int(exactly: (seconds / 86_400).rounded(.down)),
            let month = Int(text.dropFirst(5).prefix(2)), months.indices.contains(month - 1)
        else { return nil }
        // 1970-01-01 was a Thursday.
        let weekday = weekdays[((day + 3) % 7 + 7) % 7].prefix(3)
        let date = "\(text.dropFirst(8).prefix(2)) \(months[month - 1]) \(text.prefix(4))"
        return "\(weekday), \(date) \(text.dropFirst(11).prefix(8)) GMT"
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
}

extension HTTPDate {
    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func isWeekday(_ name: Substring) -> Bool {
        weekdays.contains { $0.prefix(3) == name }
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text)
    }

    private static func date(
        _ year: Int, _ monthName: Substring, _ day: Int, _ clock: Substring
    ) -> Date? {
        guard let month = months.firstIndex(where: { $0 == monthName }),
            (1...length(month, of: year)).contains(day), let second = second(clock)
        else { return nil }
        return Date(timeIntervalSince1970: Double((days(year, month) + day - 1) * 86_400 + second))
    }

    /// The seconds from midnight to a time such as `08:49:37`; `nil` if the text isn't such a time.
    /// A leap second (60) is the next minute's second 0.
    private static func second(_ clock: Substring) -> Int? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
            .map { number($0, digits: 2) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// The days from 1970-01-01 to the first day of a Gregorian month; January is month 0.
    private static func days(_ year: Int, _ month: Int) -> Int {
        let before = year - 1
        let leapDays = before / 4 - before / 100 + before / 400 - (year == 0 ? 1 : 0)
        return before * 365 + leapDays - 719_162
            + (0..<month).reduce(0) { $0 + length($1, of: year) }
    }

    private static func length(_ month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 1 ? (isLeap ? 29 : 28) : [3, 5, 8, 10].contains(month) ? 30 : 31
    }
}
