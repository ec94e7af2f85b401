import Foundation

/// How a parameter with several values is written.
///
///     .query("id", path: \.ids, style: .commaSeparated)   // ids == [1, 2]  ->  ?id=1,2
///
/// A dictionary is written as `name[key]=value` in every style. The escapes below are for query
/// items and form fields. A part of a multipart form has no escapes, so a comma inside one of its
/// ``commaSeparated`` values is an ``EndpointError``.
public enum ParameterStyle: Sendable {
    /// The name again for each value: `id=1&id=2`.
    case repeated
    /// The values with commas between them: `id=1,2`. A comma inside a value is `%2C`. In a part of
    /// a multipart form, such a value is an ``EndpointError``.
    case commaSeparated
    /// The name with brackets for each value: `id[]=1&id[]=2`, with the brackets escaped.
    case brackets
    /// The values with an escaped `|` between them: `id=1%7C2`. A value that has a `|` itself is an
    /// ``EndpointError``.
    case pipeSeparated
    /// The values with an escaped space between them: `scope=a%20b` in a query, `scope=a+b` in a
    /// form. A value that has a space itself is an ``EndpointError``.
    case spaceSeparated
}

extension [String] {
    /// The texts with a `,`, a `|` or a space between them. A text must not have that character
    /// itself: a server could not tell it from a separator.
    func joined(by style: ParameterStyle) throws -> String {
        let separator =
            switch style {
            case .commaSeparated: ","
            case .pipeSeparated: "|"
            default: " "
            }
        guard !contains(where: { $0.utf8.contains(separator.utf8.first ?? 0) }) else {
            throw UnrepresentableValue(
                "a value has a \(separator.quoted), which also separates values; use another style")
        }
        return joined(separator: separator)
    }
}

extension Sequence<String> {
    /// Each key in brackets: `[items][0]` for `items` and `0`.
    package var inBrackets: String { map { "[\($0)]" }.joined() }
}

/// How an `Encodable` value is written as a parameter.
///
///     // filter == Filter(open: true)
///     .query("filter", path: \.filter, encoding: .json)   // ->  ?filter=%7B%22open%22:true%7D
public struct ParameterEncoding: Sendable {
    let texts: @Sendable (any Encodable, JSONEncoder?) throws -> ParameterTexts
    /// The `Content-Type` of a value that is a part of a multipart form; `nil` sends none.
    let contentType: @Sendable () -> MIMEType?

    package init(
        _ contentType: @autoclosure @escaping @Sendable () -> MIMEType?,
        texts: @escaping @Sendable (any Encodable) throws -> ParameterTexts
    ) {
        self.init(contentType: contentType) { value, _ in try texts(value) }
    }

    private init(
        contentType: @escaping @Sendable () -> MIMEType?,
        texts: @escaping @Sendable (any Encodable, JSONEncoder?) throws -> ParameterTexts
    ) {
        self.texts = texts
        self.contentType = contentType
    }

    /// JSON in UTF-8 with sorted keys.
    ///
    /// Dates, data and keys are written as by the request type's static
    /// ``RequestType/bodyEncoder-swift.type.property``, if it is a `JSONEncoder`.
    public static let json = ParameterEncoding(contentType: { .json }) { value, declared in
        let encoder = JSONEncoder()
        if let declared {
            encoder.dateEncodingStrategy = declared.dateEncodingStrategy
            encoder.dataEncodingStrategy = declared.dataEncodingStrategy
            encoder.keyEncodingStrategy = declared.keyEncodingStrategy
            encoder.nonConformingFloatEncodingStrategy = declared.nonConformingFloatEncodingStrategy
            encoder.userInfo = declared.userInfo
        }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try .one(ofUTF8: encoder.checkedData(of: value))
    }

    /// JSON as by ``json``, for each element of a list: an item, a field or a part for each.
    ///
    ///     .part("tag", path: \.tags, encoding: .jsonElements)
    ///     // tags == [Tag("a"), Tag("b")]  ->  two parts "tag", {"name":"a"} and {"name":"b"}
    ///
    /// A value that isn't a list is written as by ``json``. An empty list writes nothing.
    public static let jsonElements = ParameterEncoding(contentType: { .json }) { value, declared in
        guard let list = value as? [any Encodable] else {
            return try ParameterEncoding.json.texts(value, declared)
        }
        return .several(
            try list.map { element in
                guard case .one(let text?) = try ParameterEncoding.json.texts(element, declared)
                else { return "null" }
                return text
            })
    }

    /// The output of your own encoder, which must be UTF-8.
    public static func encoded(
        by encoder: @autoclosure @escaping @Sendable () -> some EncoderType
    ) -> ParameterEncoding {
        ParameterEncoding(encoder().contentType) { value in
            try .one(ofUTF8: encoder().checkedData(of: value))
        }
    }
}

extension ParameterTexts {
    fileprivate static func one(ofUTF8 data: Data) throws -> ParameterTexts {
        guard let text = String(bytes: data, encoding: .utf8) else {
            throw UnrepresentableValue(
                "the encoder's output is not UTF-8; use an encoder that writes UTF-8 text")
        }
        return .one(text)
    }
}

/// A Foundation `FormatStyle` that is `Sendable`.
public typealias ParameterFormat = FormatStyle & Sendable

/// Throws if a `FormatStyle` would write a value such as NaN. Without a format,
/// `pathRepresentation` throws.
///
/// Only a value that is a number, a date or a range of dates is checked, and only if the format is
/// Foundation's or the library's. So a format of your own may write NaN, and so may a
/// `ListFormatStyle`, as the elements of its list aren't checked.
struct FormatCheck: Sendable {
    private let isNeeded: Bool

    init(_ format: Any.Type) {
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

    func text<Format: FormatStyle>(
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

extension FormatStyle where Self: Sendable, FormatOutput == String {
    /// A function that writes a value in this format, or throws if the value has no text.
    package var checkedText: @Sendable (FormatInput) throws -> String {
        let check = FormatCheck(Self.self)
        return { try check.text(of: $0, in: self) }
    }
}
