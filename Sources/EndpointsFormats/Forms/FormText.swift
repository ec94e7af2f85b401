import Endpoints
import Foundation

/// A value that is written as one text in a form, without a call of its `encode(to:)`.
///
/// Strings, numbers and `Bool` conform, and so do `Decimal` and `URL`, whose `encode(to:)` writes
/// something other than their text. A custom type is encoded by its `encode(to:)`, even if it is
/// ``PathRepresentable`` too.
protocol FormText: PathRepresentable {
    /// The text of the value; `nil` writes nothing.
    func formText(_ encoder: FormEncoder) throws -> String?
}

extension FormText {
    func formText(_ encoder: FormEncoder) throws -> String? { try pathRepresentation }
}

extension String: FormText {}
extension Int: FormText {}
extension Int8: FormText {}
extension Int16: FormText {}
extension Int32: FormText {}
extension Int64: FormText {}
extension UInt: FormText {}
extension UInt8: FormText {}
extension UInt16: FormText {}
extension UInt32: FormText {}
extension UInt64: FormText {}
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: FormText {}
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: FormText {}
extension Double: FormText {}
extension Float: FormText {}
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    extension Float16: FormText {}
#endif
extension Decimal: FormText {}
extension URL: FormText {}

extension Bool: FormText {
    func formText(_ encoder: FormEncoder) -> String? {
        switch encoder.boolEncodingStrategy {
        case .literal: self ? "true" : "false"
        case .numeric: self ? "1" : "0"
        }
    }
}

extension FormEncoder.DateEncodingStrategy {
    /// The text of a date; `nil` for `.custom`, whose function encodes it.
    func text(of date: Date) throws -> String? {
        // For a date outside the years 0000–9999, this throws even if the strategy writes no year.
        let text = try date.pathRepresentation
        let seconds = date.timeIntervalSince1970
        let milliseconds = Int64((seconds * 1000).rounded())
        switch self {
        case .rfc3339: return text
        case .iso8601:
            return try Date(timeIntervalSince1970: seconds.rounded(.down)).pathRepresentation
        case .millisecondsSince1970: return "\(milliseconds)"
        case .secondsSince1970 where milliseconds % 1000 == 0: return "\(milliseconds / 1000)"
        case .secondsSince1970: return "\(Double(milliseconds) / 1000)"
        case .custom: return nil
        }
    }
}
