import Endpoints
import EndpointsMiddleware
import EndpointsStreams
import EndpointsTesting
import Foundation
import Testing

@Suite("Several requests at once")
struct ResponsesTests {
    struct Square: FlatRequest, Sendable, Equatable {
        let number: Int
        static let endpoint = Endpoint<Square>(method: .get, path: "squares/\(path: \.number)")
        typealias Response = Int
    }

    @Test("Streams are refused, and nothing is sent")
    func streams() async throws {
        struct GetFilm: FlatRequest, Sendable {
            static let endpoint = Endpoint<GetFilm>(method: .get, path: "film")
            typealias Response = WithHTTPResponse<ByteStream>
        }
        let stub = StubTransport()
        stub.on(GetFilm.self, .data(Data()))
        let api = EndpointClient(stub, in: .production)
        let results = await api.responses(to: [GetFilm(), GetFilm()], atMost: 2)
        #expect(results.count == 2)
        for case .failure(.endpointError(let error)) in results {
            #expect(error.field == .response)
        }
        #expect(stub.sent.isEmpty)
    }

    /// How many requests are in flight, and how many there were at most.
    struct Flight { var now = 0, most = 0, all = 0 }

    @Test(
        "The results are in the order of the requests, and at most so many are in flight",
        arguments: [1, 2, 5, 100])
    func order(limit: Int) async throws {
        let flight = Guarded(Flight())
        let stub = StubTransport()
        stub.on(Square.self) { request in
            flight.withLock {
                $0.now += 1
                $0.all += 1
                $0.most = max($0.most, $0.now)
            }
            for _ in 0..<(request.number * 7 % 5) { await Task.yield() }
            flight.withLock { $0.now -= 1 }
            return request.number == 3 ? .status(500) : .value(request.number * request.number)
        }
        let api = EndpointClient(stub, in: .production)
        let results = await api.responses(to: (0..<20).map(Square.init), atMost: limit)
        #expect(results.map { try? $0.get() } == (0..<20).map { $0 == 3 ? nil : $0 * $0 })
        guard case .failure(.errorResponse(let httpResponse, _)) = results[3] else {
            Issue.record("\(results[3])")
            return
        }
        #expect(httpResponse.statusCode == 500)
        #expect(flight.withLock(\.all) == 20)
        #expect(flight.withLock(\.most) <= max(1, limit))
    }

    @Test("All requests of a call are of the account for which it began")
    func account() async {
        let tokens = MemoryCredentials(
            for: ServerEnvironment.production, AccessToken(.bearer("a"), account: "a")
        ) { $0 }
        let stub = StubTransport()
        stub.on(Square.self) { request in
            if request.number == 1 { tokens.signIn(AccessToken(.bearer("b"), account: "b")) }
            return .value(request.number)
        }
        let api = EndpointClient(stub.authorized(by: tokens), in: .production)
        let results = await api.responses(to: (0..<4).map(Square.init), atMost: 1)
        #expect(results.map { try? $0.get() } == [0, 1, nil, nil])
        for case .failure(let error) in results {
            guard case .transportError(let error) = error else {
                Issue.record(error)
                continue
            }
            #expect(error.cause is SignInError)
        }
        #expect(stub.sent.count == 2)
    }

    @Test("Without requests there are no results")
    func none() async {
        let api = EndpointClient(StubTransport(), in: .production)
        #expect(await api.responses(to: [Square](), atMost: 3).isEmpty)
    }

    @Test("Cancelling ends all loads, those that haven't begun too", .timeLimit(.minutes(1)))
    func cancelled() async {
        let gate = Gate()
        let stub = StubTransport()
        stub.on(Square.self) { _ in
            await gate.pass()
            try Task.checkCancellation()
            return .value(1)
        }
        let api = EndpointClient(stub, in: .production)
        let task = Task { await api.responses(to: (0..<10).map(Square.init), atMost: 2) }
        await gate.wait(for: 2)
        task.cancel()
        gate.open()
        let results = await task.value
        #expect(results.count == 10)
        for result in results {
            guard case .failure(.cancelled) = result else {
                Issue.record("\(result)")
                continue
            }
        }
    }

    @Test("A cancelled task sends nothing, whether or not its transport looks for that")
    func cancelledBefore() async {
        let stub = StubTransport()
        stub.on(Square.self, .value(1))
        let api = EndpointClient(stub, in: .production)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await api.responses(to: (0..<3).map(Square.init), atMost: 2)
        }
        let results = await task.value
        #expect(results.count == 3)
        #expect(results.allSatisfy { (try? $0.get()) == nil })
        #expect(stub.sent.isEmpty)
    }
}
