/// How much of a body has been transferred.
public struct TransferProgress: Hashable, Sendable {
    /// How many bytes have been transferred.
    public let completed: Int64
    /// How many bytes there are; `nil` if that isn't known until the last one.
    public let total: Int64?

    /// The part that has been transferred, which is 1 at the end and not before it; `nil` if the
    /// total isn't known.
    public var fraction: Double? {
        total.map { $0 == 0 ? 1 : Double(completed) / Double($0) }
    }

    /// A progress.
    public init(completed: Int64, total: Int64?) {
        self.completed = completed
        self.total = total
    }
}
