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
/// slashes, and a slash at its end is kept.
public protocol PathSegmentsRepresentable: SendableMetatype {
    /// The segments, not escaped; an empty list leaves the value out.
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
    /// The segments. A `String` stays one text, so that a slash at its end is kept. If it were
    /// split here, `a/` would have an empty segment after `a`, which is an error.
    var segmentTexts: ParameterTexts {
        get throws {
            if let text = self as? String { return .one(text) }
            return .several(try pathSegments)
        }
    }
}
