/// How much of a body has been transferred.
public struct TransferProgress: Hashable, Sendable {
    /// How many bytes have been transferred.
    public let completed: Int64
    /// The total number of bytes; `nil` if it is known only at the end.
    public let total: Int64?

    /// The fraction that has been transferred, which is 1 only at the end; `nil` if the total isn't
    /// known.
    public var fraction: Double? {
        total.map { $0 == 0 ? 1 : Double(completed) / Double($0) }
    }

    /// The progress after `completed` of `total` bytes.
    public init(completed: Int64, total: Int64?) {
        self.completed = completed
        self.total = total
    }
}
