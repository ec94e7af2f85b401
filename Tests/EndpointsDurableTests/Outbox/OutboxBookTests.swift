import Endpoints
import Foundation
import Testing

@testable import EndpointsDurable

@Suite("Outbox: which entry is next")
struct OutboxBookTests {
    private func added(_ key: String?) -> OutboxRecord.Added {
        OutboxRecord.Added(id: UUID(), date: Date(), name: "A", key: key)
    }

    private func news(_ records: [OutboxRecord]) -> OutboxJournal.News {
        OutboxJournal.News(records: records.map { ($0, 100) })
    }

    @Test("An entry that is retried waits for the one of its key that is being sent")
    func retried() {
        var book = OutboxBook(OutboxPolicy(whenSetAside: .goOn))
        let (first, second, third) = (added("a"), added("a"), added("a"))
        book.apply(news([.added(first), .added(second), .added(third)]))
        book.apply(news([.refused(first.id, count: 3, isSetAside: true, reason: "400")]))
        #expect(book.next(0)?.added.id == second.id)
        book.apply(news([.retried(first.id)]))
        #expect(book.next(0) == nil)
        book.apply(news([.ended(second.id)]))
        book.leave(second.id)
        #expect(book.next(0)?.added.id == first.id)
        #expect(book.next(0) == nil)
    }

    @Test("After a compaction, too, a retried entry waits for the one that is being sent")
    func retriedAfterCompaction() throws {
        var book = OutboxBook(OutboxPolicy(whenSetAside: .goOn))
        let (first, second) = (added("a"), added("a"))
        book.apply(news([.added(first), .added(second)]))
        book.apply(news([.refused(first.id, count: 3, isSetAside: true, reason: "400")]))
        #expect(book.next(0)?.added.id == second.id)
        // Another process has retried the first one, and written the journal anew.
        var anew = news([.added(first), .added(second)])
        let file = FileManager.default.temporaryDirectory
        anew.opened = OutboxJournal.Opened(try OpenFile(open(file.path, O_RDONLY), at: file))
        book.apply(anew)
        #expect(book.next(0) == nil)
        book.apply(news([.ended(second.id)]))
        book.leave(second.id)
        #expect(book.next(0)?.added.id == first.id)
    }

    @Test("The entries of one key leave it in their order, from the first, the last or the middle")
    func line() {
        var book = OutboxBook(OutboxPolicy())
        let entries = (0..<6).map { _ in added("a") }
        book.apply(news(entries.map { .added($0) }))
        book.apply(news([0, 5, 2].map { .cancelled(entries[$0].id) }))
        for index in [1, 3, 4] {
            #expect(book.next(0)?.added.id == entries[index].id)
            #expect(book.next(0) == nil)
            book.apply(news([.ended(entries[index].id)]))
            book.leave(entries[index].id)
        }
        #expect(book.count == 0)
    }
}
