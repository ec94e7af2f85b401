import Foundation

/// The path of an endpoint: literal text and values.
///
///     "user/\(path: \.userId)/resource"   // userId == "a b"  ->  /user/a%20b/resource
///
/// A value stays in one segment: a character that would end the segment, such as `/` or `?`, is
/// escaped (RFC 3986, section 3.3). Only `\(segments:)` makes several segments. In literal text,
/// only characters that a path can't have are escaped. A `?` or a `#` in literal text is an
/// ``EndpointError``. So is a segment that is `.` or `..`, or that is only an empty value. An empty
/// segment in literal text or `\(segments:)`, such as in `a//b`, is sent.
public struct PathTemplate<Root>: Sendable, ExpressibleByStringInterpolation {
    let pieces: [PathPiece]

    /// Makes a path without values; an empty path keeps the base URL's path.
    public init(stringLiteral literal: String) {
        pieces = literal.isEmpty ? [] : [.literal(literal)]
    }

    /// Makes a path with values.
    public init(stringInterpolation interpolation: StringInterpolation) {
        pieces = interpolation.template.pieces
    }

    /// The interpolations of a path, such as `\(path:)` and `\(segments:)`.
    public struct StringInterpolation: StringInterpolationProtocol {
        @usableFromInline let template: UnfinishedPath

        /// Makes an empty path.
        @inlinable
        public init(literalCapacity: Int, interpolationCount: Int) {
            template = UnfinishedPath()
        }

        /// Adds literal text.
        @inlinable
        public func appendLiteral(_ literal: String) {
            template.append(literal)
        }

        /// Adds a property's value, as one segment or as a part of one.
        ///
        ///     "users/\(path: \.id)"                              // id == 42     ->  /users/42
        ///     "users\(path: \.id)"                               // the same: the slash is added
        ///     "file-\(path: \.name, includesSlash: false).txt"   // name == "a"  ->  /file-a.txt
        ///
        /// `nil` leaves out the value and, with `includesSlash`, the slash before it. With PUT,
        /// PATCH and DELETE it is an ``EndpointError``, unless `mayBeLeftOut` is `true`.
        public func appendInterpolation<Value: PathRepresentable>(
            path: consuming KeyPath<Root, Value> & Sendable, includesSlash: Bool = true
        ) {
            template.pieces.append(.value(ValueSource(text: path), includesSlash: includesSlash))
        }

        /// Adds an optional property's value, and says that the path may lack it.
        ///
        ///     "list/\(path: \.page, mayBeLeftOut: true)"   // page == nil  ->  /list
        public func appendInterpolation<Value: PathRepresentable>(
            path: consuming KeyPath<Root, Value?> & Sendable, includesSlash: Bool = true,
            mayBeLeftOut: Bool
        ) {
            let source = ValueSource(text: path).leftOut(mayBeLeftOut)
            template.pieces.append(.value(source, includesSlash: includesSlash))
        }

        /// Adds a property's value, written in a format, as one segment or as a part of one.
        ///
        ///     "days/\(path: \.day, format: .iso8601.year().month().day())"
        ///     // ->  /days/2026-03-01
        public func appendInterpolation<Format: ParameterFormat>(
            path: consuming KeyPath<Root, Format.FormatInput> & Sendable, format: Format,
            includesSlash: Bool = true
        ) where Format.FormatOutput == String {
            template.pieces.append(.value(ValueSource(path, format), includesSlash: includesSlash))
        }

        /// Adds an optional property's value, written in a format, as one segment or as a part of
        /// one.
        ///
        /// `nil` leaves out the value and, with `includesSlash`, the slash before it. With PUT,
        /// PATCH and DELETE it is an ``EndpointError``, unless `mayBeLeftOut` is `true`.
        public func appendInterpolation<Format: ParameterFormat>(
            path: consuming KeyPath<Root, Format.FormatInput?> & Sendable, format: Format,
            includesSlash: Bool = true, mayBeLeftOut: Bool = false
        ) where Format.FormatOutput == String {
            let source = ValueSource(path, format).leftOut(mayBeLeftOut)
            template.pieces.append(.value(source, includesSlash: includesSlash))
        }

        /// Adds a property's ``Secret``, such as the token of a webhook, as one segment or as a
        /// part of one. Texts of the library show `…` in its place.
        ///
        ///     "hooks/\(secret: \.token)"   // token == Secret("t0k3n")  ->  /hooks/t0k3n
        public func appendInterpolation(
            secret path: consuming KeyPath<Root, Secret> & Sendable, includesSlash: Bool = true
        ) {
            let source = ValueSource(text: path).allowedInPath
            template.pieces.append(.value(source, includesSlash: includesSlash))
        }

        /// Adds a value that is the same in every request, as one segment or as a part of one.
        ///
        ///     "\(value: 2)/users"   // ->  /2/users
        public func appendInterpolation(
            value: some PathRepresentable, includesSlash: Bool = true
        ) {
            let source = ValueSource(text: value)
            template.pieces.append(.value(source, includesSlash: includesSlash))
        }

        /// Adds the elements of a list with commas between them, as one segment or as a part of
        /// one.
        ///
        ///     "users/\(commaSeparated: \.ids)"   // ids == [1, 2]  ->  /users/1,2
        ///
        /// A comma inside an element is `%2C`. An empty list leaves out the value and, with
        /// `includesSlash`, the slash before it; an element that is `nil` is left out. With PUT,
        /// PATCH and DELETE, both are an ``EndpointError``, unless `mayBeLeftOut` is `true`.
        public func appendInterpolation<Element: PathRepresentable>(
            commaSeparated path: consuming KeyPath<Root, [Element]> & Sendable,
            includesSlash: Bool = true, mayBeLeftOut: Bool = false
        ) {
            let source = ValueSource(path) {
                .several(try $0.compactMap { try $0.pathRepresentation })
            }.leftOut(mayBeLeftOut)
            template.pieces.append(.value(source, includesSlash: includesSlash))
        }

        /// Adds the elements of a list with a separator of your own between them, as one segment or
        /// as a part of one.
        ///
        ///     "route/\(list: \.points, separator: ";")"   // ["1,2", "3,4"]  ->  /route/1,2;3,4
        ///
        /// The separator is written like literal text, and an element's `;` is escaped. An element
        /// that has the separator itself is an ``EndpointError``: a server couldn't tell the two
        /// apart. So is a dictionary, as it has keys. An empty list leaves out the value and, with
        /// `includesSlash`, the slash before it; an element that is `nil` is left out. With PUT,
        /// PATCH and DELETE, both are an ``EndpointError``, unless `mayBeLeftOut` is `true`.
        public func appendInterpolation<Value: ParameterRepresentable>(
            list path: consuming KeyPath<Root, Value> & Sendable, separator: String,
            includesSlash: Bool = true, mayBeLeftOut: Bool = false
        ) {
            let source = ValueSource(texts: path).leftOut(mayBeLeftOut).separated(by: separator)
            template.pieces.append(.value(source, includesSlash: includesSlash))
        }

        /// Adds a segment for each element of a list, or for each part of a text with slashes.
        ///
        ///     "files/\(segments: \.path)"   // ["a b", "c"], or "a b/c"  ->  /files/a%20b/c
        ///     "files/\(segments: \.path)"   // "/a//b/"                  ->  /files//a//b/
        ///
        /// A list is the same as a text of its elements with slashes between them. `nil` and an
        /// empty list or text leave out the value and the slash before it. A segment that is `.` or
        /// `..` is an ``EndpointError``. An element that is `nil` is left out. With PUT, PATCH and
        /// DELETE, a value or an element that is left out is an ``EndpointError``, unless
        /// `mayBeLeftOut` is `true`.
        public func appendInterpolation<Value: PathSegmentsRepresentable>(
            segments: consuming KeyPath<Root, Value> & Sendable, mayBeLeftOut: Bool = false
        ) {
            let source = ValueSource(segments: segments).leftOut(mayBeLeftOut)
            template.pieces.append(.segments(source))
        }
    }
}

/// The pieces of a path while an interpolation adds them.
///
/// The interpolation's inlinable code calls these methods in the module that declares a path. This
/// is a class, isn't generic and is never inlined, so that the calls take the least machine code.
@usableFromInline
final class UnfinishedPath {
    fileprivate var pieces: [PathPiece] = []

    @inline(never) @usableFromInline
    init() {}

    @inline(never) @usableFromInline
    func append(_ literal: String) {
        if !literal.isEmpty { pieces.append(.literal(literal)) }
    }
}

enum PathPiece: Sendable {
    case literal(String)
    case value(ValueSource, includesSlash: Bool)
    case segments(ValueSource)
}

extension PathPiece: CustomReflectable {
    /// No children, because `dump(_:)` would print a secret constant.
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
