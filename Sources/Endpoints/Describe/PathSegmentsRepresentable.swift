/// A value that becomes any number of path segments, for `\(segments:)` in a path.
///
/// An array has one segment an element; a string one for each part between its slashes.
public protocol PathSegmentsRepresentable: SendableMetatype {
    /// The segments, not escaped; none leaves the value out.
    var pathSegments: [String] { get throws }
}

extension Array: PathSegmentsRepresentable where Element: PathRepresentable {
    /// A segment for each element; an element without a text is left out.
    public var pathSegments: [String] {
        get throws { try compactMap { try $0.pathRepresentation } }
    }
}

extension String: PathSegmentsRepresentable {
    /// The parts between the slashes; an empty string has none.
    public var pathSegments: [String] {
        // A `/` that a combining mark follows is no `Character` of its own.
        guard !isEmpty else { return [] }
        return unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
    }
}

extension Optional: PathSegmentsRepresentable where Wrapped: PathSegmentsRepresentable {
    /// The wrapped value's segments; none if there is no value.
    public var pathSegments: [String] {
        get throws { try self?.pathSegments ?? [] }
    }
}
