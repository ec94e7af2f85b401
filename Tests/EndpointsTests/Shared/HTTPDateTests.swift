import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsShared
@testable import EndpointsMiddleware

@Suite("HTTP dates")
struct HTTPDateTests {
    /// 2023-11-14T22:13:20Z
    static let now = Date(timeIntervalSince1970: 1_700_000_000)

    static let dates: [(text: String, seconds: TimeInterval)] = [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Wed Nov 16 08:49:37 1994", 784_975_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
        ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
        ("Tue, 29 Feb 0000 00:00:00 GMT", -62_162_121_600),
        ("Wed, 01 Mar 0000 00:00:00 GMT", -62_162_035_200),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ]

    @Test("A date is read in each of its three forms", arguments: dates)
    func reading(row: (text: String, seconds: TimeInterval)) {
        #expect(HTTPDate.date(row.text, now: Self.now)?.timeIntervalSince1970 == row.seconds)
    }

    /// A date of RFC 850, now, and the year that it means.
    static let years: [(text: String, now: String, year: String?)] = [
        ("Wednesday, 15-Nov-73 00:00:00 GMT", "Tue, 14 Nov 2023 22:13:20 GMT", "1973"),
        ("Tuesday, 14-Nov-73 00:00:00 GMT", "Tue, 14 Nov 2023 22:13:20 GMT", "2073"),
        ("Monday, 01-Jan-24 00:00:00 GMT", "Tue, 14 Nov 2023 22:13:20 GMT", "2024"),
        ("Friday, 01-Jan-99 00:00:00 GMT", "Tue, 14 Nov 2023 22:13:20 GMT", "1999"),
        ("Friday, 01-Jan-05 00:00:00 GMT", "Mon, 01 Jan 2096 00:00:00 GMT", "2105"),
        ("Friday, 01-Jan-99 00:00:00 GMT", "Fri, 01 Jan 0000 00:00:00 GMT", nil),
        ("Tuesday, 29-Feb-00 00:00:00 GMT", "Tue, 14 Nov 2023 22:13:20 GMT", "2000"),
        ("Thursday, 29-Feb-00 00:00:00 GMT", "Mon, 01 Jan 2096 00:00:00 GMT", "2000"),
    ]

    @Test("A year of two digits is never more than 50 years ahead", arguments: years)
    func year(row: (text: String, now: String, year: String?)) throws {
        let now = try #require(HTTPDate.date(row.now, now: Self.now))
        let date = HTTPDate.date(row.text, now: now)
        #expect(date.flatMap(HTTPDate.text).map { String($0.dropFirst(12).prefix(4)) } == row.year)
    }

    @Test(
        "A text that is no HTTP date isn't read as one",
        arguments: [
            "", " ", "     ", "Sun, 06 Nov 1994", "06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37 +0000", "sun, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Mon, 29 Feb 1900 00:00:00 GMT",
            "Sun, 29 Feb 2023 00:00:00 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Foo, 06 Nov 1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sunday, 06-Nov 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
            "Sun Nov  16 08:49:37 1994", "Sun Nov 06 08:49:37 94", "Sun Nov  x 08:49:37 1994",
            "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
            "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:4\u{301}9:37 GMT", "1994-11-06T08:49:37Z",
        ])
    func refusal(text: String) {
        #expect(HTTPDate.date(text, now: Self.now) == nil)
    }

    static let texts: [(seconds: TimeInterval, text: String?)] = [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (784_111_777.999, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-0.5, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (951_825_600, "Tue, 29 Feb 2000 12:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (253_402_300_800, nil),
        (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"), (-62_167_219_201, nil),
        (.infinity, nil), (-.infinity, nil), (.nan, nil), (1e300, nil),
    ]

    @Test("A date is written in the form of RFC 9110, without its fraction", arguments: texts)
    func writing(row: (seconds: TimeInterval, text: String?)) {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: row.seconds)) == row.text)
    }

    @Test("A date that is written is read as the same second, and has the weekday of a calendar")
    func roundTrip() throws {
        var random = SplitMix64(seed: 7)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for _ in 0..<2000 {
            let seconds = Double.random(in: -62_167_219_200..<253_402_300_800, using: &random)
            let date = Date(timeIntervalSince1970: seconds.rounded(.down))
            let text = try #require(HTTPDate.text(date))
            #expect(HTTPDate.date(text, now: Self.now) == date)
            if seconds > 0 {
                let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
                #expect(text.hasPrefix(names[calendar.component(.weekday, from: date) - 1]))
            }
        }
    }

    @Test("Reading a date never traps, whatever moment it is read at")
    func hostileNow() {
        for seconds in [-Double.infinity, .infinity, .nan, 1e300, -1e300] {
            let now = Date(timeIntervalSince1970: seconds)
            #expect(HTTPDate.date("Sun, 06 Nov 1994 08:49:37 GMT", now: now) != nil)
            _ = HTTPDate.date("Sunday, 06-Nov-94 08:49:37 GMT", now: now)
        }
    }
}
