import Foundation

/// A value that is only used while a lock is held.
///
/// It is `@unchecked Sendable` because the compiler can't check that the lock is held. `value` is
/// private, and only `withLock` uses it, so that it needs no other check of exclusive access.
/// (`Mutex` needs newer systems than this library.)
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    @exclusivity(unchecked) private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

extension Locked {
    func take<Wrapped: Sendable>() -> Wrapped? where Value == Wrapped? {
        withLock { $0.take() }
    }
}
