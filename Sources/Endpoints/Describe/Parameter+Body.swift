import Foundation

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
