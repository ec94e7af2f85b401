/// A moment in UTC, by the Gregorian calendar, which is used for every year.
struct CalendarTime {
    let year, month, day, millisecond: Int64
    /// The time of day, such as `08:49:37`.
    let clock: String

    /// `nil` outside the years 0000 to 9999.
    init?(millisecondsSince1970 milliseconds: Double) {
        guard (-62_167_219_200_000...253_402_300_799_999).contains(milliseconds)
        else { return nil }
        let (seconds, millisecond) = Int64(milliseconds).floorDivided(by: 1000)
        let (days, time) = seconds.floorDivided(by: 86_400)
        (year, month, day) = Self.date(ofDay: days)
        self.millisecond = millisecond
        let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
        clock = hour.digits(2) + ":" + minute.digits(2) + ":" + second.digits(2)
    }

    /// The date of a day; 1970-01-01 is day 0.
    ///
    /// It counts in years from March to February, in which a leap day is the last day. An era is
    /// 400 years, which always have 146,097 days.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (day + 719_468).floorDivided(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}

extension Int64 {
    /// The number in decimal, with zeros before it if it has fewer digits.
    @inline(never)
    func digits(_ width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }

    @inline(never)
    fileprivate func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
