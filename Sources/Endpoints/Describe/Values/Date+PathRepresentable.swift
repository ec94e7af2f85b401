import Foundation

extension Date: PathRepresentable {
    /// The date in UTC, as in RFC 3339, section 5.6: `2023-11-14T22:13:20.123Z`.
    ///
    /// The date is rounded to the millisecond, and a whole second is written without a fraction.
    /// The calendar is Gregorian for every year. A year outside 0000–9999 is an error.
    public var pathRepresentation: String? {
        get throws {
            let milliseconds = (timeIntervalSince1970 * 1000).rounded()
            guard let time = CalendarTime(millisecondsSince1970: milliseconds) else {
                throw UnrepresentableValue(
                    "the date is outside the years 0000 to 9999; use another date, or nil")
            }
            let fraction = time.millisecond == 0 ? "" : "." + time.millisecond.digits(3)
            return time.year.digits(4) + "-" + time.month.digits(2) + "-" + time.day.digits(2)
                + "T" + time.clock + fraction + "Z"
        }
    }
}
