import Foundation

extension String: PathRepresentable {
    /// The string itself.
    public var pathRepresentation: String? { self }
    /// The string itself.
    public var parameterRepresentation: ParameterTexts { .one(self) }
}

extension Substring: PathRepresentable {
    /// The text itself.
    public var pathRepresentation: String? { String(self) }
}

extension Character: PathRepresentable {
    /// The text itself.
    public var pathRepresentation: String? { String(self) }
}

extension Bool: PathRepresentable {
    /// `true` or `false`.
    public var pathRepresentation: String? { self ? "true" : "false" }
}

extension UUID: PathRepresentable {
    /// The identifier in upper case, such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    public var pathRepresentation: String? { uuidString }
}

extension URL: PathRepresentable {
    /// The URL, resolved against its `baseURL` if it has one.
    public var pathRepresentation: String? { absoluteString }
}

extension TimeZone: PathRepresentable {
    /// The identifier, such as `Europe/Berlin`.
    public var pathRepresentation: String? { identifier }
}

// MARK: - Numbers

extension PathRepresentable where Self: BinaryInteger {
    /// The number in decimal.
    public var pathRepresentation: String? { String(self) }
}

extension Int: PathRepresentable {
    /// The number in decimal.
    public var parameterRepresentation: ParameterTexts { .one(String(self)) }
}
extension Int8: PathRepresentable {}
extension Int16: PathRepresentable {}
extension Int32: PathRepresentable {}
extension Int64: PathRepresentable {}
extension UInt: PathRepresentable {}
extension UInt8: PathRepresentable {}
extension UInt16: PathRepresentable {}
extension UInt32: PathRepresentable {}
extension UInt64: PathRepresentable {}
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: PathRepresentable {}
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: PathRepresentable {}

extension PathRepresentable where Self: BinaryFloatingPoint & CustomStringConvertible {
    /// The number as Swift describes it, such as `1.0` or `1e-05`; an error if it is not finite.
    public var pathRepresentation: String? {
        get throws {
            guard isFinite else { throw UnrepresentableValue.infinite }
            return description
        }
    }
}

extension UnrepresentableValue {
    fileprivate static let infinite = UnrepresentableValue(
        "the number is not finite; use a finite one, or nil")
}

extension Double: PathRepresentable {}
extension Float: PathRepresentable {}
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    extension Float16: PathRepresentable {}
#endif
extension CGFloat: PathRepresentable {
    /// The number, written like a `Double` (on 32-bit platforms, like a `Float`); an error if it is
    /// not finite.
    public var pathRepresentation: String? { get throws { try native.pathRepresentation } }
}

extension Decimal: PathRepresentable {
    /// The number, with `.` as the decimal separator in every locale; an error for `Decimal.nan`.
    public var pathRepresentation: String? {
        get throws {
            guard isFinite else { throw UnrepresentableValue.infinite }
            return description
        }
    }
}

// MARK: - Optionals and collections

extension Optional: ParameterRepresentable where Wrapped: ParameterRepresentable {
    /// The wrapped value's texts; no text if there is no value.
    public var parameterRepresentation: ParameterTexts {
        get throws { try self?.parameterRepresentation ?? .one(nil) }
    }
}

extension Optional: PathRepresentable where Wrapped: PathRepresentable {
    /// The wrapped value's text; `nil` if there is no value.
    public var pathRepresentation: String? {
        get throws { try self?.pathRepresentation }
    }
}

extension Array: ParameterRepresentable where Element: PathRepresentable {
    /// The elements' texts; an element whose text is `nil` is left out.
    public var parameterRepresentation: ParameterTexts {
        get throws { .several(try compactMap { try $0.pathRepresentation }) }
    }
}

extension Dictionary: ParameterRepresentable
where Key: PathRepresentable, Value: PathRepresentable {
    /// The texts of the keys and values, sorted by key; a pair with a `nil` text is left out.
    public var parameterRepresentation: ParameterTexts {
        get throws {
            let pairs = try compactMap { key, value -> (key: String, text: String)? in
                guard let key = try key.pathRepresentation, let text = try value.pathRepresentation
                else { return nil }
                return (key, text)
            }
            let sorted = pairs.sorted { ($0.key, $0.text) < ($1.key, $1.text) }
            return .keyed(sorted.map { (keys: [$0.key], text: $0.text) })
        }
    }
}

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
