import Foundation

/// A value that can be written as one text: in a path, in a header, or as a parameter.
///
///     enum Sort: String, PathRepresentable { case newest, oldest }   // .newest  ->  newest
///
///     extension Money: PathRepresentable {
///         var pathRepresentation: String? { "\(amount)\(currency)" }   // Money(5, .eur)  ->  5eur
///     }
///
/// `nil` leaves the value out. Don't escape the text: the library escapes it as the path, query or
/// form needs it. Strings, numbers, `Bool`, `Date`, `UUID`, `URL`, `TimeZone` and optionals of
/// these conform. An enum with a raw value of such a type only has to declare the conformance.
public protocol PathRepresentable: ParameterRepresentable {
    /// The value's text, or `nil` to leave it out.
    ///
    /// An error that it throws is kept as the cause of an ``EndpointError`` that names the field.
    var pathRepresentation: String? { get throws }
}

/// A value that can be written as any number of texts, for query items, form fields or parts of a
/// multipart form.
///
///     extension Period: ParameterRepresentable {
///         var parameterRepresentation: ParameterTexts { .several(["\(from)", "\(to)"]) }
///     }
///
/// Every ``PathRepresentable`` type conforms with a single text. Arrays and dictionaries of such
/// types conform too.
public protocol ParameterRepresentable: SendableMetatype {
    /// The value's texts.
    ///
    /// An error that it throws is kept as the cause of an ``EndpointError`` that names the field.
    var parameterRepresentation: ParameterTexts { get throws }
}

/// The texts of one parameter's value.
public enum ParameterTexts: Sendable {
    /// One text, `name=text`; `nil` leaves the parameter out.
    case one(String?)
    /// Several texts, written in the parameter's ``ParameterStyle``; an empty list leaves the
    /// parameter out.
    case several([String])
    /// Texts with keys, sent in the order of the list: `name[key]=text`, or `name[a][b]=text` for
    /// a text with two keys. An empty list leaves the parameter out.
    case keyed([(keys: [String], text: String)])
}

extension PathRepresentable {
    /// The value's one text.
    public var parameterRepresentation: ParameterTexts {
        get throws { .one(try pathRepresentation) }
    }
}

extension ParameterRepresentable where Self: RawRepresentable, RawValue: ParameterRepresentable {
    /// The raw value's texts.
    public var parameterRepresentation: ParameterTexts {
        get throws { try rawValue.parameterRepresentation }
    }
}

extension PathRepresentable where Self: RawRepresentable, RawValue: PathRepresentable {
    /// The value's one text.
    public var parameterRepresentation: ParameterTexts {
        get throws { .one(try pathRepresentation) }
    }
    /// The raw value's text.
    public var pathRepresentation: String? {
        get throws { try rawValue.pathRepresentation }
    }
}

/// A value that can be written as any number of path segments, for `\(segments:)` in a path.
///
/// An array has one segment for each element. A string has one segment for each part between its
/// slashes, so one that ends in a slash has an empty last segment.
public protocol PathSegmentsRepresentable: SendableMetatype {
    /// The segments, not escaped; an empty list, and one empty segment alone, leave the value out.
    var pathSegments: [String] { get throws }
}

extension Array: PathSegmentsRepresentable where Element: PathRepresentable {
    /// A segment for each element; an element whose text is `nil` is left out.
    public var pathSegments: [String] {
        get throws { try compactMap { try $0.pathRepresentation } }
    }
}

extension String: PathSegmentsRepresentable {
    /// The parts between the slashes; an empty string has no part.
    public var pathSegments: [String] {
        isEmpty ? [] : split(at: .slash, outsideQuotes: false)
    }
}

extension Optional: PathSegmentsRepresentable where Wrapped: PathSegmentsRepresentable {
    /// The wrapped value's segments; no segment if there is no value.
    public var pathSegments: [String] {
        get throws { try self?.pathSegments ?? [] }
    }
}

extension PathSegmentsRepresentable {
    var segmentTexts: ParameterTexts { get throws { .several(try pathSegments) } }
}

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
