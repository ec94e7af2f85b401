/// Why a value can't be written as text, such as a number that isn't finite.
///
/// Throw it from your own ``PathRepresentable/pathRepresentation``. The library makes an
/// ``EndpointError`` of it, whose text shows the reason. So the reason must not show the value,
/// which may be a secret.
public struct UnrepresentableValue: ReasonedError, Hashable, CustomStringConvertible {
    /// What is wrong and what to do, such as `the number is not finite; use a finite one`.
    public let reason: String

    /// Makes an error that says what is wrong and what to do.
    public init(_ reason: String) {
        self.reason = reason
    }

    /// Makes an error about a value inside an encoded value, which also says where it is.
    package init(_ reason: String, at codingPath: some Sequence<any CodingKey>) {
        self.init("\(Array(codingPath).place), \(reason)")
    }

    /// The same text as ``reason``.
    public var description: String { reason }
}
