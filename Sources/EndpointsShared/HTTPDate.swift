import Endpoints
import Foundation

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
        guard let time = CalendarTime(millisecondsSince1970: seconds * 1000) else { return nil }
        let month = months[Int(time.month) - 1]
        return weekdays[time.weekday].prefix(3) + ", " + time.day.digits(2) + " " + month + " "
            + time.year.digits(4) + " " + time.clock + " GMT"
    }
}
