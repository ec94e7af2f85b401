import Endpoints
import Foundation

extension FormEncoder {
    /// How a list of strings, numbers or other single values is written, and what PHP, Rails and qs
    /// (Node.js) read from it.
    ///
    /// | | `["a", "b"]` | PHP | Rails | qs |
    /// |---|---|---|---|---|
    /// | ``brackets`` | `n[]=a&n[]=b` | a list | a list | a list |
    /// | ``indices`` | `n[0]=a&n[1]=b` | a list | a hash | a list |
    /// | ``repeated`` | `n=a&n=b` | the last | the last | a list |
    ///
    /// By default, qs reads a list of more than about 20 elements as an object: with ``indices``
    /// in any version, with the others since qs 6.14.1.
    public enum ArrayEncodingStrategy: Sendable {
        /// `n[]=a&n[]=b`.
        case brackets
        /// `n[0]=a&n[1]=b`.
        case indices
        /// `n=a&n=b`.
        case repeated
    }

    /// How a property's name is written as a key. The keys of a dictionary aren't changed.
    public enum KeyEncodingStrategy: Sendable {
        /// The name of the coding key.
        case useDefaultKeys
        /// `userName` becomes `user_name`, as with `JSONEncoder`.
        case convertToSnakeCase
        /// The key that a function returns for a coding path that ends in the property's key.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// How a date is written.
    public enum DateEncodingStrategy: Sendable {
        /// In UTC, rounded to the millisecond: `2023-11-14T22:13:20.123Z` (RFC 3339, section 5.6).
        /// A whole second has no fraction.
        case rfc3339
        /// As ``rfc3339``, but cut to the second: `2023-11-14T22:13:20Z`.
        case iso8601
        /// The seconds since 1970, rounded to the millisecond: `1700000000.123` or `1700000000`.
        case secondsSince1970
        /// The milliseconds since 1970, rounded: `1700000000123`.
        case millisecondsSince1970
        /// By a function that encodes the date. With the other cases, a year outside 0000–9999
        /// is an error.
        case custom(@Sendable (Date, any Encoder) throws -> Void)

        /// In a format: `.formatted(.iso8601.year().month().day())` writes `2023-11-14`.
        ///
        /// With Foundation's and the library's formats, a year outside 0000–9999 is an error.
        public static func formatted<Format: ParameterFormat>(
            _ format: Format
        ) -> DateEncodingStrategy where Format.FormatInput == Date, Format.FormatOutput == String {
            let check = FormatCheck(Format.self)
            return .custom { date, encoder in
                let text = try UnrepresentableValue.naming(encoder.codingPath) {
                    try check.text(of: date, in: format)
                }
                try text.encode(to: encoder)
            }
        }
    }

    /// How `Data` is written.
    public enum DataEncodingStrategy: Sendable {
        /// In Base64 (RFC 4648, section 4).
        case base64
        /// By a function that encodes the `Data`.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// How a `Bool` is written.
    public enum BoolEncodingStrategy: Sendable {
        /// `true` or `false`.
        case literal
        /// `1` or `0`.
        case numeric
    }
}
