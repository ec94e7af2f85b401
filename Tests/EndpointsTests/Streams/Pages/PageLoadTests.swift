import Endpoints
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The loads of pages", .timeLimit(.minutes(5)))
struct PageLoadTests {
    typealias ByNumber = PagesTests.ByNumber

    /// A server of endless pages that writes down when they are asked for and read.
    private func client(_ events: Journal<String>) -> EndpointClient<ServerEnvironment> {
        let stub = ClosureTransport { request in
            events.add(request.urlRequest.url?.query ?? "")
            return try .stub(200, [:], #"["a", "b"]"#)
        }
        return EndpointClient(stub, in: .production)
    }

    @Test("A page is loaded when the loop asks for it, and none after the loop is left")
    func lazy() async throws {
        let events = Journal<String>()
        for try await _ in client(events).pages(of: ByNumber()) {
            if events.add("read") >= 4 { break }
        }
        #expect(events.entries == ["page=1", "read", "page=2", "read"])
    }

    @Test("The pages of one value are loaded anew for each loop")
    func anew() async throws {
        let events = Journal<String>()
        let pages = client(events).pages(of: ByNumber())
        for _ in 0..<2 { for try await _ in pages { break } }
        #expect(events.entries == ["page=1", "page=1"])
    }

    @Test("With prefetching, one page is loaded ahead")
    func prefetching() async throws {
        let (second, third) = (Gate(), Gate())
        let stub = ClosureTransport { request in
            switch request.urlRequest.url?.query {
            case "page=2": await second.pass()
            case "page=3": await third.pass()
            default: break
            }
            return try .stub(200, [:], #"["a"]"#)
        }
        let api = EndpointClient(stub, in: .production)
        var pages = api.pages(of: ByNumber(), prefetching: true).makeAsyncIterator()
        _ = try await pages.next()
        // The second page is on its way, though nobody has asked for it.
        await second.wait(for: 1)
        second.open()
        #expect(try await pages.next()?.value == ["a"])
        await third.wait(for: 1)
        third.open()
    }

    @Test("Leaving the loop cancels the page that is loaded ahead")
    func left() async throws {
        let gate = Gate()
        let (ended, end) = AsyncStream<Bool>.makeStream()
        let stub = ClosureTransport { request in
            if request.urlRequest.url?.query == "page=2" {
                await withTaskCancellationHandler {
                    await gate.pass()
                } onCancel: {
                    gate.open()
                }
                end.yield(Task.isCancelled)
            }
            return try .stub(200, [:], #"["a"]"#)
        }
        let api = EndpointClient(stub, in: .production)
        for try await _ in api.pages(of: ByNumber(), prefetching: true) { break }
        var iterator = ended.makeAsyncIterator()
        #expect(await iterator.next() == true)
    }

    @Test("Cancelling the task of the loop cancels the load", arguments: [true, false])
    func cancelled(isPrefetching: Bool) async throws {
        let gate = Gate()
        let stub = ClosureTransport { request in
            if request.urlRequest.url?.query == "page=2" {
                await withTaskCancellationHandler {
                    await gate.pass()
                } onCancel: {
                    gate.open()
                }
                try Task.checkCancellation()
            }
            return try .stub(200, [:], #"["a"]"#)
        }
        let api = EndpointClient(stub, in: .production)
        let task = Task {
            var count = 0
            do throws(ByNumber.TaskError) {
                var pages = api.pages(of: ByNumber(), prefetching: isPrefetching)
                    .makeAsyncIterator()
                while try await pages.next() != nil { count += 1 }
            } catch .cancelled {
                return count
            } catch {
                Issue.record("\(error)")
            }
            return -1
        }
        await gate.wait(for: 1)
        task.cancel()
        #expect(await task.value == 1)
    }

    /// A response that is not `Sendable`.
    final class Model: Decodable {
        let id: Int
    }

    struct Models: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<Models>(method: .get, path: "models")
        static let paging = Paging<Models>.link()
        typealias Response = [Model]
    }

    @Test("Items that are not Sendable can be read on the main actor")
    @MainActor
    func mainActor() async throws {
        let stub = ClosureTransport { _ in try .stub(200, [:], #"[{"id": 1}, {"id": 2}]"#) }
        let api = EndpointClient(stub, in: .production)
        var ids: [Int] = []
        for try await model in api.items(of: Models()) { ids.append(model.id) }
        #expect(ids == [1, 2])
    }

    struct Search: PagedRequest {
        var body: File
        static let endpoint = Endpoint<Search>(method: .post, path: "search")
        static let paging = Paging<Search>.next { _, response in
            response.first.map { Search(body: File(Data($0.utf8))) }
        }
        typealias Response = [String]
        typealias Environment = ServerEnvironment
    }

    @Test("Requests with files, whose bytes aren't compared, are different pages")
    func files() async throws {
        let rest = Guarded([#"["b"]"#, #"["c"]"#, "[]"][...])
        let stub = ClosureTransport { _ in
            try .stub(200, [:], rest.withLock { $0.popFirst() } ?? "")
        }
        let api = EndpointClient(stub, in: .production)
        var pages: [[String]] = []
        for try await page in api.pages(of: Search(body: File(Data("a".utf8)))) {
            pages.append(page)
        }
        #expect(pages == [["b"], ["c"], []])
    }
}
