import Dispatch
import Foundation

/// A thread for work whose calls may be thousands of levels deep, as schemas may lead from one to
/// the next that often.
package enum DeepStack {
    /// Runs the work on a thread with a stack of 1 GiB, of which the system gives what is used, and
    /// waits for its end.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Value {
        let (outcome, end) = (Outcome<Value>(), DispatchSemaphore(value: 0))
        let thread = Thread {
            outcome.value = work()
            end.signal()
        }
        thread.stackSize = 1 << 30
        thread.start()
        end.wait()
        return outcome.value ?? work()
    }

    /// What the thread gives; it is read after the thread has written it.
    private final class Outcome<Value: Sendable>: @unchecked Sendable {
        var value: Value?
    }
}
