import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests in flight", .timeLimit(.minutes(5)))
struct LimitedTests {
    /// The most requests that a server had at a time, by host, and the order in which they came.
    final class Server: Sendable {
        struct State {
            var inFlight: [String: Int] = [:]
            var most: [String: Int] = [:]
            var order: [String] = []
        }

        let state = Guarded(State())

        func begin(_ request: TransportRequest) {
            let url = request.urlRequest.url
            state.withLock { state in
                let host = url?.host ?? ""
                state.inFlight[host, default: 0] += 1
                state.most[host] = max(state.most[host] ?? 0, state.inFlight[host] ?? 0)
                state.order.append(url?.path ?? "")
            }
        }

        func end(_ request: TransportRequest) {
            state.withLock { $0.inFlight[request.urlRequest.url?.host ?? "", default: 0] -= 1 }
        }
    }

    @Test("At most four requests are in flight to one host, in the order in which they came")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func order() throws {
        let (time, server) = (VirtualTime(), Server())
        let stub = ClosureTransport { request in
            server.begin(request)
            defer { server.end(request) }
            try await time.sleep(time.number(in: 0...2))
            return try .stub(200)
        }
        let transport = stub.limited(perOrigin: 4)
        for number in 0..<200 {
            let request = try Item.request(at: "https://a.example/\(number)")
            time.start { _ = try await transport.send(request) }
        }
        time.run()
        let state = server.state.withLock { $0 }
        #expect(state.order == (0..<200).map { "/\($0)" })
        #expect(state.most == ["a.example": 4])
    }

    @Test("Each origin has slots of its own, however its URL is spelled")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func origins() throws {
        let (time, server) = (VirtualTime(), Server())
        let stub = ClosureTransport { request in
            server.begin(request)
            defer { server.end(request) }
            try await time.sleep(1)
            return try .stub(200)
        }
        let transport = stub.limited(perOrigin: 1)
        let addresses = ["https://a.example/", "HTTPS://A.example:443/x", "https://b.example/"]
        for address in addresses + addresses {
            let request = try Item.request(at: address)
            time.start { _ = try await transport.send(request) }
        }
        time.run()
        #expect(time.now == 4)
    }

    @Test("A cancelled request leaves the queue at once, and its slot is not lost")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func cancelled() throws {
        let (time, events) = (VirtualTime(), Journal<String>())
        let stub = ClosureTransport { request in
            events.add("\(request.urlRequest.url?.path ?? "") at \(time.now)")
            try await time.sleep(10)
            return try .stub(200)
        }
        let transport = stub.limited(perOrigin: 1)
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<4 {
            let request = try Item.request(at: "https://a.example/\(number)")
            tasks.append(
                time.start {
                    do { _ = try await transport.send(request) } catch is CancellationError {
                        events.add("\(number) cancelled at \(time.now)")
                    }
                })
        }
        let (flying, waiting) = (tasks[0], tasks[2])
        time.start {
            try await time.sleep(1)
            waiting.cancel()
            try await time.sleep(1)
            flying.cancel()
        }
        time.run()
        #expect(
            events.entries == [
                "/0 at 0.0", "2 cancelled at 1.0", "0 cancelled at 2.0", "/1 at 2.0", "/3 at 12.0",
            ])
    }

    @Test("A body in chunks keeps its slot until it has been read or dropped")
    func streamed() async throws {
        let stub = ClosureTransport { _ in
            let chunks = Journal<Void>()
            let body = ResponseBody(chunks: { chunks.add(()) > 2 ? nil : Data([1]) })
            return TransportResponse(body: body, try .stub(200))
        }
        let transport = stub.limited(perOrigin: 1)
        let request = try Item.request()
        for isRead in [true, false, true] {
            let events = Journal<String>()
            var response: TransportResponse? = try await transport.send(request)
            var chunks = isRead ? response?.body.makeAsyncIterator() : nil
            let next = Task {
                _ = try await transport.send(request)
                events.add("next")
            }
            if isRead { #expect(try await chunks?.next() == Data([1])) }
            for _ in 0..<100 { await Task.yield() }
            events.add("held")
            while try await chunks?.next() != nil {}
            response = nil
            try await next.value
            #expect(events.entries == ["held", "next"])
        }
    }

    @Test(
        "A refresh that is sent through the row goes out though each slot is taken",
        .timeLimit(.minutes(5)))
    func refresh() async throws {
        let row = Guarded<(any Transport)?>(nil)
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("old"))
        ) { _ in
            let refresh = try Item.request()
            _ = try await row.withLock { $0 }?.send(refresh)
            return AccessToken(.bearer("new"))
        }
        let stub = ClosureTransport { request in
            let header = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            return try .stub(header == "Bearer old" ? 401 : 200)
        }
        let transport = stub.authorized(by: tokens).limited(perOrigin: 1)
        row.withLock { $0 = transport }
        let response = try await transport.send(try Item.request())
        #expect(response.httpResponse.statusCode == 200)
    }

    @Test("A thousand requests of many tasks, some cancelled, leave every slot free")
    func threads() async throws {
        let server = Server()
        let stub = ClosureTransport { request in
            server.begin(request)
            defer { server.end(request) }
            for _ in 0..<3 { await Task.yield() }
            try Task.checkCancellation()
            return try .stub(200)
        }
        let transport = stub.limited(perOrigin: 3)
        let request = try Item.request(at: "https://a.example/")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let task = Task { try await transport.send(request) }
                    if number % 3 == 0 { task.cancel() }
                    _ = await task.result
                }
            }
        }
        #expect(server.state.withLock { $0.most } == ["a.example": 3])
        // Were a slot lost, these would wait for ever.
        for _ in 0..<3 { _ = try await transport.send(request) }
    }
}
