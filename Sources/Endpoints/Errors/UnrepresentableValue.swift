/// Why a value has no text, such as a number that isn't finite.
///
/// Throw it from your own ``PathRepresentable/pathRepresentation``: its reason is then part of the
/// ``EndpointError``. Say what is wrong without printing the value, which may be a secret.
public struct UnrepresentableValue: ReasonedError, Hashable, CustomStringConvertible {
    /// What is wrong, such as `the number is not finite`.
    public let reason: String

    /// A reason, such as `the number is not finite`.
    public init(_ reason: String) {
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
