import Foundation

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
