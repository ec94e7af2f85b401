import Foundation

/// A query item, a form field or a part of a multipart form.
///
///     parameters: [
///         .query("page", path: \.page),          // page == 2       ->  ?page=2
///         .queryValue("v", value: 3),            //                 ->  ?page=2&v=3
///         .form("title", path: \.title)          // title == "a b"  ->  title=a+b, in the body
///     ]
///
///     parameters: [
///         .part("title", path: \.title),         // a text
///         .part("photo", path: \.photo)          // a File
///     ]
///
/// A `nil` value leaves the item out, and an empty string keeps it as `page=`. Items keep their
/// order. In the names and values of query items, every character is escaped except ASCII letters,
/// digits and `-._~:/@`; RFC 3986, section 3.4, allows a few more. Names and values of form fields
/// are escaped as by the WHATWG URL standard's application/x-www-form-urlencoded serializer.
public struct Parameter<Root>: Sendable {
    let declared: DeclaredParameter

    init(
        _ kind: ParameterKind, _ name: String, _ source: ValueSource,
        _ style: ParameterStyle = .repeated
    ) {
        declared = DeclaredParameter(kind, name, source, style)
    }

    /// Items or fields that are in one property. Errors call them by its name.
    init(_ kind: ParameterKind, contentsOf source: ValueSource) {
        self.init(kind, source.propertyName ?? "contentsOf:", source)
    }
}

/// What a parameter is.
package enum ParameterKind: Sendable {
    case query
    /// Query items whose names are known only at run time.
    case queryItems
    /// A query item that is a name without a value.
    case queryFlag
    case form
    /// Form fields whose names are known only at run time.
    case formItems
    case part
}

/// A ``Parameter`` without its generic type `Root`.
///
/// It is a class, because passing one reference takes less machine code than several values.
final class DeclaredParameter: Sendable {
    let kind: ParameterKind
    let name: String
    let source: ValueSource
    let style: ParameterStyle
    /// Whether the names are known only at run time.
    var isContents: Bool { kind == .queryItems || kind == .formItems }

    init(
        _ kind: ParameterKind, _ name: String, _ source: ValueSource, _ style: ParameterStyle
    ) {
        (self.kind, self.name, self.source, self.style) = (kind, name, source, style)
    }

    /// The same parameter; if its value is written as JSON, the encoder writes it.
    func written(by encoder: @escaping @Sendable () -> JSONEncoder?) -> DeclaredParameter {
        DeclaredParameter(kind, name, source.written(by: encoder), style)
    }
}

/// The parameters of an endpoint, in the order in which they are sent.
public struct ParameterList<Root>: Sendable, ExpressibleByArrayLiteral {
    let parameters: [Parameter<Root>]

    /// A list of parameters.
    public init(arrayLiteral parameters: Parameter<Root>...) {
        self.parameters = parameters
    }

    /// A list of parameters.
    public init(_ parameters: [Parameter<Root>]) {
        self.parameters = parameters
    }

    var declared: [DeclaredParameter] { parameters.map(\.declared) }
}

extension Parameter {
    /// A query item whose value is read from the request's parameters.
    ///
    ///     .query("page", path: \.page)   // page == 2  ->  ?page=2
    ///
    /// A `nil` value leaves the item out, and an empty string keeps it as `page=`.
    public static func query<Value: ParameterRepresentable>(
        _ name: String, path: consuming KeyPath<Root, Value> & Sendable,
        style: ParameterStyle = .repeated
    ) -> Parameter {
        Parameter(.query, name, ValueSource(texts: path), style)
    }

    /// A query item whose value is read from the request's parameters and written in a format.
    ///
    ///     .query("since", path: \.since, format: .iso8601.year().month().day())
    ///     // ->  ?since=2026-03-01
    public static func query<Format: ParameterFormat>(
        _ name: String, path: consuming KeyPath<Root, Format.FormatInput> & Sendable, format: Format
    ) -> Parameter where Format.FormatOutput == String {
        Parameter(.query, name, ValueSource(path, format))
    }

    /// A query item whose optional value is written in a format; `nil` leaves the item out.
    public static func query<Format: ParameterFormat>(
        _ name: String, path: consuming KeyPath<Root, Format.FormatInput?> & Sendable,
        format: Format
    ) -> Parameter where Format.FormatOutput == String {
        Parameter(.query, name, ValueSource(path, format))
    }

    /// The query items for a list whose elements are written in a format: an item for each element,
    /// or one item with a style such as ``ParameterStyle/commaSeparated``.
    public static func query<Format: ParameterFormat>(
        _ name: String, path: consuming KeyPath<Root, [Format.FormatInput]> & Sendable,
        format: Format, style: ParameterStyle = .repeated
    ) -> Parameter where Format.FormatOutput == String {
        Parameter(.query, name, ValueSource(path, format), style)
    }

    /// The query items for an optional list whose elements are written in a format; `nil` leaves
    /// them out.
    public static func query<Format: ParameterFormat>(
        _ name: String, path: consuming KeyPath<Root, [Format.FormatInput]?> & Sendable,
        format: Format, style: ParameterStyle = .repeated
    ) -> Parameter where Format.FormatOutput == String {
        Parameter(.query, name, ValueSource(path, format), style)
    }

    /// A query item whose value is encoded, for example as JSON or in brackets.
    ///
    ///     // filter == Filter(open: true)
    ///     .query("filter", path: \.filter, encoding: .json)   // ->  ?filter=%7B%22open%22:true%7D
    ///     .query("filter", path: \.filter, encoding: .brackets)   // ->  ?filter%5Bopen%5D=true
    ///
    /// A `nil` value leaves the item out.
    public static func query<Value: Encodable & SendableMetatype>(
        _ name: String, path: consuming KeyPath<Root, Value> & Sendable, encoding: ParameterEncoding
    ) -> Parameter {
        Parameter(.query, name, ValueSource(path, encoding))
    }

    /// Query items whose names are known only at run time.
    ///
    ///     .query(contentsOf: \.filters)   // filters == ["size": 2, "age": nil]  ->  ?size=2
    ///
    /// The property is a list of `URLQueryItem`s, or a dictionary such as `[String: Int?]`, whose
    /// items are sorted by name. The items are escaped like declared ones, and an item with a `nil`
    /// value is left out.
    public static func query<Items: QueryItems>(
        contentsOf path: consuming KeyPath<Root, Items> & Sendable
    ) -> Parameter {
        Parameter(.queryItems, contentsOf: ValueSource(items: path))
    }

    /// Items or fields that an encoding makes of one property: the key of each text is its name.
    package static func spread<Value: Encodable & SendableMetatype>(
        _ path: KeyPath<Root, Value> & Sendable, overForm isForm: Bool,
        _ encoding: ParameterEncoding
    ) -> Parameter {
        Parameter(isForm ? .formItems : .queryItems, contentsOf: ValueSource(path, encoding))
    }

    /// A query item that is a name without a value; it is sent if a property is `true`.
    ///
    ///     .queryFlag("pong", path: \.wantsPong)   // true  ->  ?pong
    ///
    /// `false` leaves the item out.
    public static func queryFlag(
        _ name: String, path: consuming KeyPath<Root, Bool> & Sendable
    ) -> Parameter {
        Parameter(.queryFlag, name, ValueSource(path) { .one($0 ? "" : nil) })
    }

    /// A query item that is a name without a value; it is sent in every request.
    ///
    ///     .queryFlag("pong")   // ->  ?pong
    public static func queryFlag(_ name: String) -> Parameter {
        Parameter(.queryFlag, name, ValueSource(texts: ""))
    }

    /// A query item that is the same in every request.
    ///
    ///     .queryValue("key", value: "hard-coded")   // ->  ?key=hard-coded
    public static func queryValue(
        _ name: String, value: some ParameterRepresentable, style: ParameterStyle = .repeated
    ) -> Parameter {
        Parameter(.query, name, ValueSource(texts: value), style)
    }
}

extension Parameter {
    /// A form field whose value is read from the request's parameters.
    ///
    ///     .form("page", path: \.page)   // page == 2  ->  page=2
    ///
    /// A `nil` value leaves the field out, and an empty string keeps it as `page=`.
    public static func form<Value: ParameterRepresentable>(
        _ name: String, path: consuming KeyPath<Root, Value> & Sendable,
        style: ParameterStyle = .repeated
    ) -> Parameter {
        Parameter(.form, name, ValueSource(texts: path), style)
    }

    /// A form field whose value is read from the request's parameters and written in a format.
    ///
    ///     .form("since", path: \.since, format: .iso8601.year().month().day())
    ///     // ->  since=2026-03-01
    public static func form<Format: ParameterFormat>(
        _ name: String, path: consuming KeyPath<Root, Format.FormatInput> & Sendable, format: Format
    ) -> Parameter where Format.FormatOutput == String {
        Parameter(.form, name, ValueSource(path, format))
    }

    /// A form field whose optional value is written in a format; `nil` leaves the field out.
    public static func form<Format: ParameterFormat>(
        _ name: String, path: consuming KeyPath<Root, Format.FormatInput?> & Sendable,
        format: Format
    ) -> Parameter where Format.FormatOutput == String {
        Parameter(.form, name, ValueSource(path, format))
    }

    /// The form fields for a list whose elements are written in a format: a field for each element,
    /// or one field with a style such as ``ParameterStyle/commaSeparated``.
    public static func form<Format: ParameterFormat>(
        _ name: String, path: consuming KeyPath<Root, [Format.FormatInput]> & Sendable,
        format: Format, style: ParameterStyle = .repeated
    ) -> Parameter where Format.FormatOutput == String {
        Parameter(.form, name, ValueSource(path, format), style)
    }

    /// The form fields for an optional list whose elements are written in a format; `nil` leaves
    /// them out.
    public static func form<Format: ParameterFormat>(
        _ name: String, path: consuming KeyPath<Root, [Format.FormatInput]?> & Sendable,
        format: Format, style: ParameterStyle = .repeated
    ) -> Parameter where Format.FormatOutput == String {
        Parameter(.form, name, ValueSource(path, format), style)
    }

    /// A form field whose value is encoded, for example as JSON or in brackets.
    ///
    ///     // filter == Filter(open: true)
    ///     .form("filter", path: \.filter, encoding: .json)   // ->  filter=%7B%22open%22%3Atrue%7D
    ///     .form("filter", path: \.filter, encoding: .brackets)   // ->  filter%5Bopen%5D=true
    ///
    /// A `nil` value leaves the field out. To send a whole ``RequestType/Body`` as form fields, use
    /// a `FormEncoder`.
    public static func form<Value: Encodable & SendableMetatype>(
        _ name: String, path: consuming KeyPath<Root, Value> & Sendable, encoding: ParameterEncoding
    ) -> Parameter {
        Parameter(.form, name, ValueSource(path, encoding))
    }

    /// Form fields whose names are known only at run time.
    ///
    ///     .form(contentsOf: \.fields)   // fields == ["custom": "1"]  ->  custom=1
    ///
    /// The property has the same types as in ``query(contentsOf:)``. A request with this parameter
    /// sends a form even if there are no fields, so it can't have a ``RequestType/Body`` or parts.
    public static func form<Items: QueryItems>(
        contentsOf path: consuming KeyPath<Root, Items> & Sendable
    ) -> Parameter {
        Parameter(.formItems, contentsOf: ValueSource(items: path))
    }

    /// A form field that is the same in every request.
    ///
    ///     .formValue("key", value: "hard-coded")   // ->  key=hard-coded
    public static func formValue(
        _ name: String, value: some ParameterRepresentable, style: ParameterStyle = .repeated
    ) -> Parameter {
        Parameter(.form, name, ValueSource(texts: value), style)
    }
}

extension Parameter {
    /// A text part of a multipart form, whose value is read from the request's parameters.
    ///
    ///     .part("title", path: \.title)   // title == "Sea"  ->  a part "title" with the text Sea
    ///     .part("tags", path: \.tags)     // tags == ["a", "b"]  ->  two parts "tags"
    ///
    /// A `nil` value leaves the part out. The parts are sent as multipart/form-data (RFC 7578). To
    /// choose the parts at run time, use a ``Multipart`` body instead.
    public static func part<Value: ParameterRepresentable>(
        _ name: String, path: consuming KeyPath<Root, Value> & Sendable,
        style: ParameterStyle = .repeated
    ) -> Parameter {
        Parameter(.part, name, ValueSource(texts: path), style)
    }

    /// A part for a file, or a part for each of several files.
    ///
    ///     .part("avatar", path: \.avatar)   // avatar: File, Data or an optional of these
    ///     .part("photos", path: \.photos)   // photos: [File]  ->  a part for each
    ///
    /// A `nil` value leaves the part out.
    public static func part<Value: FileRepresentable>(
        _ name: String, path: consuming KeyPath<Root, Value> & Sendable
    ) -> Parameter {
        Parameter(.part, name, ValueSource(files: path))
    }

    /// A text part whose value is written in a format.
    public static func part<Format: ParameterFormat>(
        _ name: String, path: consuming KeyPath<Root, Format.FormatInput> & Sendable, format: Format
    ) -> Parameter where Format.FormatOutput == String {
        Parameter(.part, name, ValueSource(path, format))
    }

    /// A text part whose optional value is written in a format; `nil` leaves the part out.
    public static func part<Format: ParameterFormat>(
        _ name: String, path: consuming KeyPath<Root, Format.FormatInput?> & Sendable,
        format: Format
    ) -> Parameter where Format.FormatOutput == String {
        Parameter(.part, name, ValueSource(path, format))
    }

    /// The text parts for a list whose elements are written in a format: a part for each element,
    /// or one part with a style such as ``ParameterStyle/commaSeparated``.
    public static func part<Format: ParameterFormat>(
        _ name: String, path: consuming KeyPath<Root, [Format.FormatInput]> & Sendable,
        format: Format, style: ParameterStyle = .repeated
    ) -> Parameter where Format.FormatOutput == String {
        Parameter(.part, name, ValueSource(path, format), style)
    }

    /// The text parts for an optional list whose elements are written in a format; `nil` leaves
    /// them out.
    public static func part<Format: ParameterFormat>(
        _ name: String, path: consuming KeyPath<Root, [Format.FormatInput]?> & Sendable,
        format: Format, style: ParameterStyle = .repeated
    ) -> Parameter where Format.FormatOutput == String {
        Parameter(.part, name, ValueSource(path, format), style)
    }

    /// A part whose value is encoded; with `.brackets`, a part for each value in it.
    ///
    ///     // meta == Meta(w: 2)
    ///     .part("meta", path: \.meta, encoding: .json)
    ///     // ->  a part "meta" with the text {"w":2} and the Content-Type application/json
    ///     .part("meta", path: \.meta, encoding: .brackets)
    ///     // ->  a part "meta[w]" with the text 2
    ///
    /// A `nil` value leaves the part out.
    public static func part<Value: Encodable & SendableMetatype>(
        _ name: String, path: consuming KeyPath<Root, Value> & Sendable, encoding: ParameterEncoding
    ) -> Parameter {
        Parameter(.part, name, ValueSource(path, encoding))
    }

    /// A text part that is the same in every request.
    ///
    ///     .partValue("v", value: 3)   // ->  a part "v" with the text 3
    public static func partValue(
        _ name: String, value: some ParameterRepresentable, style: ParameterStyle = .repeated
    ) -> Parameter {
        Parameter(.part, name, ValueSource(texts: value), style)
    }
}

/// Query items or form fields known only at run time: `URLQueryItem`s in order, or a dictionary.
///
///     .query(contentsOf: \.filters)   // let filters: [URLQueryItem], or [String: Int?]
///
/// A dictionary's values are ``PathRepresentable``, such as `Int?`. A `nil` value leaves its item
/// out.
public protocol QueryItems: SendableMetatype {
    /// The items, not escaped. An item whose value is `nil` may be in the list; it isn't sent.
    ///
    /// - Throws: An error if a value can't be written as text.
    var queryItems: [URLQueryItem] { get throws }
}

extension Array: QueryItems where Element == URLQueryItem {
    /// The items themselves.
    public var queryItems: [URLQueryItem] { self }
}

extension Dictionary: QueryItems where Key: CustomStringConvertible, Value: PathRepresentable {
    /// The items, sorted by name.
    public var queryItems: [URLQueryItem] {
        get throws {
            try map { name, value in
                do {
                    return URLQueryItem(
                        name: name.description, value: try value.pathRepresentation)
                } catch {
                    // In a form, `ParameterPlan` replaces `.query` by `.form`.
                    throw FieldError(.query(name.description), unrepresentableBecauseOf: error)
                }
            }.sorted { $0.name < $1.name }
        }
    }
}
