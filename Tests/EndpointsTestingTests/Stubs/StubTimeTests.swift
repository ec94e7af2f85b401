import Endpoints
import EndpointsStreams
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The time of stubs", .timeLimit(.minutes(1)))
struct StubTimeTests {
    struct Limited: RequestType {
        var limit: TimeInterval?
        static let endpoint = Endpoint<Self>(method: .get, path: "limited")
        typealias Response = Void
        var loadPolicy: LoadPolicy { LoadPolicy(timeLimit: limit) }
    }

    let stub = StubTransport()
    var api: EndpointClient<ServerEnvironment> { EndpointClient(stub, in: server) }

    /// `nil` for a response.
    private func end(within limit: TimeInterval?) async -> Int? {
        do throws(Limited.TaskError) {
            try await api(Limited(limit: limit))
            return nil
        } catch { return error.errorCode }
    }

    @Test(
        "A delayed response comes within the time limit, or the load times out",
        arguments: [
            (nil, [0], false), (60, [0.01], false), (.infinity, [0.01], false),
            (0.05, [60], true), (0.05, [.infinity], true), (0.05, [0.04, 0.04], true),
            (60, [0.01, 0.01], false),
        ] as [(TimeInterval?, [TimeInterval], Bool)])
    func delays(limit: TimeInterval?, delays: [TimeInterval], timesOut: Bool) async {
        stub.on(
            Limited.self, delays.reduce(StubResponse.value(())) { $0.delayed(by: $1) })
        #expect(await end(within: limit) == (timesOut ? 21001 : nil))
        #expect(stub.sent.count == 1)
    }

    @Test(
        "A time limit of no time is refused, and nothing is sent",
        arguments: [0, -1, -.infinity, .nan] as [TimeInterval])
    func noTime(limit: TimeInterval) async {
        stub.on(Limited.self, .value(()))
        #expect(await end(within: limit) == 10017)
        #expect(stub.sent.isEmpty)
    }

    @Test("A stub's closure that takes longer than the time limit times out, even if it goes on")
    func closure() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        stub.on(Limited.self) { _ in
            await Task { for await _ in ends {} }.value
            return .value(())
        }
        #expect(await self.end(within: 0.05) == 21001)
        end.finish()
        #expect(await self.end(within: 60) == nil)
    }

    @Test("The time of a stub's closure and of its response count together")
    func together() async {
        stub.on(Limited.self) { _ in
            try await Task.sleep(nanoseconds: 30_000_000)
            return .value(()).delayed(by: 0.04)
        }
        #expect(await end(within: 0.06) == 21001)
        #expect(await end(within: 60) == nil)
    }

    @Test("A stub's closure that waits is cancelled with the load")
    func cancelled() async {
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        stub.on(Limited.self) { _ in
            begin.yield()
            try await Task.sleep(nanoseconds: 1_000_000_000_000)
            return .value(())
        }
        for limit in [nil, 60 as TimeInterval] {
            let load = Task { await end(within: limit) }
            for await _ in begins { break }
            load.cancel()
            #expect(await load.value == 60_000)
        }
    }

    struct Watch: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "watch")
        typealias Response = Lines
    }

    @Test("In a cancelled task, a stub gives no response, and no further chunk of a stream")
    func cancelledTask() async throws {
        stub.on(Limited.self, .value(()))
        let load = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await end(within: nil)
        }
        #expect(await load.value == 60_000)
        stub.on(Watch.self, .chunks((0..<9).map { Data("\($0)\n".utf8) }))
        let api = api
        let watch = Task {
            var lines: [String] = []
            do {
                for try await line in try await api(Watch()) {
                    lines.append(line)
                    if lines.count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
                }
                return lines
            } catch { return lines + ["\((error as? StreamError)?.errorCode ?? 0)"] }
        }
        #expect(await watch.value == ["0", "1", "2", "60000"])
    }
}
