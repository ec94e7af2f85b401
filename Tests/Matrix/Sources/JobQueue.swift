import Foundation
import Waiting

/// Runs every job of every task on the main thread, one after the other, in the order in which they
/// were added. So a case does the same in each run, and it is known when nothing can go on.
final class JobQueue: TaskExecutor, @unchecked Sendable {
    static let shared = JobQueue()

    private let lock = NSLock()
    private var jobs: ArraySlice<UnownedJob> = []

    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// Takes the jobs of all tasks of the process, also of those that have no executor of their
    /// own: the runtime calls this hook instead of its thread pool.
    static func takeAllJobs() {
        let name = "swift_task_enqueueGlobal_hook"
        let handle = dlopen(nil, RTLD_NOW)
        guard let hook = dlsym(handle, name) else { fatalError("the runtime has no \(name)") }
        hook.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in JobQueue.shared.add(job) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        add(UnownedJob(job))
    }

    func add(_ job: UnownedJob) {
        lock.withLock { jobs.append(job) }
    }

    /// Runs jobs until there are none, and no other thread will add one.
    ///
    /// - Returns: Whether any job was run.
    @discardableResult func run() -> Bool {
        var hasRun = false
        while let job = next() {
            job.runSynchronously(on: asUnownedTaskExecutor())
            hasRun = true
        }
        return hasRun
    }

    /// The next job. Tasks that wait for the disk are waited for, so that those that began together
    /// go on together.
    private func next() -> UnownedJob? {
        wait_for_blocks()
        return lock.withLock { jobs.popFirst() }
    }
}
