/// A value that becomes one text: in a path, in a header, or as a parameter.
///
///     enum Sort: String, PathRepresentable { case newest, oldest }   // .newest  ->  newest
///
///     extension Money: PathRepresentable {
///         var pathRepresentation: String? { "\(amount)\(currency)" }   // Money(5, .eur)  ->  5EUR
///     }
///
/// `nil` leaves the value out. The text is plain: whatever its position needs to be escaped is
/// escaped there. Strings, numbers, `Bool`, `Date`, `UUID`, `URL`, `TimeZone`, optionals of these
/// and enums with a raw value of these conform; an enum writes no more than the name.
public protocol PathRepresentable: ParameterRepresentable {
    /// The value's text, or `nil` to leave it out.
    ///
    /// What it throws becomes the cause of an ``EndpointError`` that names the field.
    var pathRepresentation: String? { get throws }
}

/// A value that becomes any number of texts: a query or form parameter.
///
///     extension Span: ParameterRepresentable {
///         var parameterRepresentation: ParameterTexts { .several(["\(from)", "\(to)"]) }
///     }
///
/// Whatever is ``PathRepresentable`` is one of these with a single text; so are arrays and
/// dictionaries.
public protocol ParameterRepresentable: SendableMetatype {
    /// The value's texts.
    ///
    /// What it throws becomes the cause of an ``EndpointError`` that names the field.
    var parameterRepresentation: ParameterTexts { get throws }
}

/// The texts of one parameter's value.
public enum ParameterTexts: Sendable {
    /// One text, `name=text`; `nil` leaves the parameter out.
    case one(String?)
    /// Several texts, written in the parameter's ``ParameterStyle``; none leaves the parameter out.
    case several([String])
    /// Texts with keys, written as `name[key]=text` in this order; none leaves the parameter out.
    case keyed([(key: String, text: String)])
}

extension PathRepresentable {
    /// The one text.
    public var parameterRepresentation: ParameterTexts {
        get throws { .one(try pathRepresentation) }
    }
}

extension PathRepresentable where Self: RawRepresentable, RawValue: PathRepresentable {
    /// The raw value's text.
    public var pathRepresentation: String? {
        get throws { try rawValue.pathRepresentation }
    }
}
