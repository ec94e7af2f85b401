import Foundation

extension Date: PathRepresentable {
    /// The date in UTC, as in RFC 3339, section 5.6: `2023-11-14T22:13:20.123Z`.
    ///
    /// The date is rounded to the millisecond, and a whole second is written without a fraction.
    /// The calendar is Gregorian for every year. A year outside 0000–9999 is an error.
    public var pathRepresentation: String? {
        get throws {
            let milliseconds = (timeIntervalSince1970 * 1000).rounded()
            guard Self.representable.contains(milliseconds) else {
                throw UnrepresentableValue(
                    "the date is outside the years 0000 to 9999; use another date, or nil")
            }
            let (second, fraction) = Int64(milliseconds).floorDivided(by: 1000)
            let (day, time) = second.floorDivided(by: 86_400)
            let (year, month, dayOfMonth) = Self.civil(daysSince1970: day)
            return Self.digits(year, 4) + "-" + Self.digits(month, 2) + "-"
                + Self.digits(dayOfMonth, 2) + "T" + Self.digits(time / 3600, 2) + ":"
                + Self.digits(time / 60 % 60, 2) + ":" + Self.digits(time % 60, 2)
                + (fraction == 0 ? "Z" : "." + Self.digits(fraction, 3) + "Z")
        }
    }

    /// The dates from 0000-01-01T00:00:00Z to the end of 9999, in milliseconds since 1970.
    private static let representable: ClosedRange<Double> =
        -62_167_219_200_000...253_402_300_799_999

    private static func digits(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// The proleptic Gregorian date of a day.
    ///
    /// The function counts in years from March to February, in which a leap day is the last day. An
    /// era is 400 years, which always have 146,097 days.
    private static func civil(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (daysSince1970 + 719_468).floorDivided(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
