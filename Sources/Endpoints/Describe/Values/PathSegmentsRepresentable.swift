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
