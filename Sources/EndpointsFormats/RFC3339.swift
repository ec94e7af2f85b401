import Endpoints
import EndpointsShared
import Foundation

extension JSONDecoder.DateDecodingStrategy {
    /// A date and time of RFC 3339, section 5.6, as OpenAPI's `date-time` is one.
    ///
    ///     let decoder = JSONDecoder()
    ///     decoder.dateDecodingStrategy = .rfc3339
    ///     // "2026-03-01T10:00:00Z", "2026-03-01t11:00:00.123+01:00"
    ///
    /// A fraction of a second may have any number of digits, and `T` and `Z` any case. The calendar
    /// is Gregorian for every year from 0000 to 9999. A leap second, `23:59:60`, is the second
    /// after it. A day that the month doesn't have is an error.
    public static var rfc3339: JSONDecoder.DateDecodingStrategy {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            var reader = DateReader(text)
            guard let date = reader.date() else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "The text isn't a date and time of RFC 3339.")
            }
            return date
        }
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// A date and time of RFC 3339, section 5.6, in UTC: `2026-03-01T10:00:00Z`.
    ///
    /// The date is rounded to the millisecond, and a whole second has no fraction. A year outside
    /// 0000–9999 is an error.
    public static var rfc3339: JSONEncoder.DateEncodingStrategy {
        .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(try date.pathRepresentation)
        }
    }
}

/// Reads a date and time of RFC 3339.
private struct DateReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    mutating func date() -> Date? {
        guard let year = digits(4), take("-"), let month = digits(2), take("-"),
            let day = digits(2), take("Tt "), (1...12).contains(month),
            let midnight = HTTPDate.midnight(year, month, day),
            let hour = digits(2), take(":"), let minute = digits(2), take(":"),
            let second = digits(2), hour < 24, minute < 60, second <= 60
        else { return nil }
        guard let fraction = fraction(), let offset = offset(), rest.isEmpty else { return nil }
        let seconds = midnight + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// The fraction of a second; 0 if there is none, and `nil` if it has no digits.
    private mutating func fraction() -> Double? {
        guard take(".") else { return 0 }
        let text = Substring(rest.prefix(while: \.isDigit))
        rest = rest.dropFirst(text.utf8.count)
        return text.isEmpty ? nil : Double("0." + text)
    }

    /// The seconds by which the local time is ahead of UTC.
    private mutating func offset() -> Int64? {
        if take("Zz") { return 0 }
        let isBehind = rest.first == UInt8(ascii: "-")
        guard take("+-"), let hours = digits(2), take(":"), let minutes = digits(2), hours < 24,
            minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isBehind ? -1 : 1)
    }

    private mutating func digits(_ count: Int) -> Int64? {
        let text = rest.prefix(count)
        guard text.count == count, text.allSatisfy(\.isDigit) else {
            return nil
        }
        rest = rest.dropFirst(count)
        return Int64(Substring(text))
    }

    private mutating func take(_ characters: String) -> Bool {
        guard let next = rest.first, characters.utf8.contains(next) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
