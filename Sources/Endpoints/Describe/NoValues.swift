import Foundation

/// No headers, query items or form fields.
///
/// This is the default type of properties such as ``RequestType/additionalHeaders``.
public struct NoValues: Sendable, HeaderFields, QueryItems {
    /// Makes a value without headers or items.
    @inlinable public init() {}
    /// No headers.
    public var headerTexts: [HeaderText] { [] }
    /// No items.
    public var queryItems: [URLQueryItem] { [] }
}
