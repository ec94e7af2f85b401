/// The type of a decoder or `succeeded(_:data:)` that is not static, where there is none.
///
///     static let responseDecoder = PropertyListDecoder()   // compiles
///     let responseDecoder = PropertyListDecoder()          // does not
///
/// A response is decoded without its request: see ``RequestType/decode(_:_:)``. So a decoder that
/// belongs to one request could only be ignored. Instead it doesn't compile, and the compiler says
/// that it is not `MustBeStatic`.
public struct MustBeStatic: Sendable {
    /// Nothing.
    @inlinable public init() {}
}
