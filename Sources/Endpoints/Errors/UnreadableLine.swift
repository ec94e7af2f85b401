/// A line that can't be decoded.
struct UnreadableLine: ReasonedError {
    /// Which line it is, counted from 1, blank lines included.
    let number: Int
    let cause: any Error

    var reason: String { "in line \(number), \(cause.safeReason)" }
}
