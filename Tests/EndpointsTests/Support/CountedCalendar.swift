/// A calendar that counts the days of years and months instead of using a formula.
struct CountedCalendar {
    /// The first day of each year from 0 to 10000, counted from the first day of the year 0.
    private let beginnings: [Int]

    init() {
        var (beginnings, day) = ([0], 0)
        for year in 0..<10_000 {
            day += Self.isLeap(year) ? 366 : 365
            beginnings.append(day)
        }
        self.beginnings = beginnings
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
    }

    func text(milliseconds: Int64) -> String {
        let sinceYear0 = Int(milliseconds + 62_167_219_200_000)
        var day = sinceYear0 / 86_400_000
        var year = day / 366
        while beginnings[year + 1] <= day { year += 1 }
        day -= beginnings[year]
        var month = 0
        let lengths = [31, Self.isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        while day >= lengths[month] {
            day -= lengths[month]
            month += 1
        }
        let (time, fraction) = (sinceYear0 / 1000 % 86_400, sinceYear0 % 1000)
        return pad(year, 4) + "-" + pad(month + 1) + "-" + pad(day + 1) + "T" + pad(time / 3600)
            + ":" + pad(time / 60 % 60) + ":" + pad(time % 60)
            + (fraction == 0 ? "Z" : "." + pad(fraction, 3) + "Z")
    }

    private func pad(_ number: Int, _ width: Int = 2) -> String {
        String(("0000" + String(number)).suffix(max(width, String(number).count)))
    }
}
