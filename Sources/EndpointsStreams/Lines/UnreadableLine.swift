import Endpoints

/// The error of a stream's line that can't be decoded.
struct UnreadableLine: ReasonedError {
    /// The number of the line, counted from 1. Blank lines count too.
    let number: Int
    let cause: any Error

    var reason: String { "in line \(number), \(cause.safeReason)" }
}
