import Foundation

/// What a test writes down from several tasks.
final class Journal<Entry: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [Entry] = []

    var entries: [Entry] { lock.withLock { all } }

    @discardableResult func add(_ entry: Entry) -> Int {
        lock.withLock {
            all.append(entry)
            return all.count
        }
    }
}
