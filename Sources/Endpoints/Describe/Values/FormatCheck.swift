import Foundation

/// Throws if a `FormatStyle` would write a value such as NaN. Without a format,
/// `pathRepresentation` throws.
///
/// Only a value that is a number, a date or a range of dates is checked, and only if the format is
/// Foundation's or the library's. So a format of your own may write NaN, and so may a
/// `ListFormatStyle`, as the elements of its list aren't checked.
package struct FormatCheck: Sendable {
    private let isNeeded: Bool

    package init(_ format: Any.Type) {
        // The name is `Module.Format`, or `(extension in Module):Other.Date.Format`.
        let name = String(reflecting: format)
        let isExtension = name.hasPrefix(Self.extension)
        let module = name.dropFirst(isExtension ? Self.extension.count : 0)
            .prefix { $0 != "." && $0 != ")" }
        isNeeded = Self.modules.contains(String(module))
    }

    private static let `extension` = "(extension in "
    /// The library's module and those of Foundation, which has several on Linux.
    private static let modules: Set = [
        "Foundation", "FoundationEssentials", "FoundationInternationalization", "EndpointsFormats",
    ]

    package func text<Format: FormatStyle>(
        of value: Format.FormatInput, in format: Format
    ) throws -> String where Format.FormatOutput == String {
        if isNeeded { try check(value) }
        return format.format(value)
    }

    private func check(_ value: Any) throws {
        switch value {
        case let number as Double: _ = try number.pathRepresentation
        case let number as Float: _ = try number.pathRepresentation
        #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
            case let number as Float16: _ = try number.pathRepresentation
        #endif
        case let number as CGFloat: _ = try number.pathRepresentation
        case let number as Decimal: _ = try number.pathRepresentation
        case let date as Date: _ = try date.pathRepresentation
        case let dates as Range<Date>:
            _ = try (dates.lowerBound.pathRepresentation, dates.upperBound.pathRepresentation)
        default: break
        }
    }
}
