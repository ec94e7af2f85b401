#if os(Linux)
    import Endpoints
    import EndpointsStreams
    import Foundation
    import FoundationNetworking
    import Testing

    /// A server keeps the queue that all sessions of the process share busy for some seconds, with
    /// a load that doesn't use this library. Each test is in a process of its own, as all other
    /// loads wait too.
    @Suite("A busy URLSession on Linux", .needsServers)
    struct BusySessionTests {
        struct GetSilence: FlatRequest, Sendable {
            static let endpoint = Endpoint<GetSilence>(method: .get, path: "no-response")
            typealias Response = Data
            var limit: TimeInterval?
            var loadPolicy: LoadPolicy { LoadPolicy(timeLimit: limit) }
        }

        struct GetSilentStream: FlatRequest, Sendable {
            static let endpoint = Endpoint<GetSilentStream>(method: .get, path: "no-response")
            typealias Response = ByteStream
            var loadPolicy: LoadPolicy { LoadPolicy(timeLimit: 0.5) }
        }

        /// Makes all sessions busy, and checks that they are when `wait` returns.
        private static func makeBusy(_ server: URL, with fault: String) throws {
            let url = try #require(URL(string: fault, relativeTo: server))
            URLSession(configuration: .default).dataTask(with: url) { _, _, _ in }.resume()
            let answers = Locked(0)
            let probe = URLSession(configuration: .ephemeral)
            // A task's identifier comes from the shared queue. When that takes long, it is busy.
            for _ in 0..<1_200 {
                let before = answers.withLock(\.self)
                DispatchQueue.global().async {
                    _ = probe.dataTask(with: url)
                    answers.withLock { $0 += 1 }
                }
                Thread.sleep(forTimeInterval: 0.1)
                if answers.withLock(\.self) == before { return }
            }
            throw URLError(.timedOut)
        }

        private static func seconds(
            _ operation: @escaping @Sendable () async throws -> Void
        ) async -> Double {
            let start = ContinuousClock.now
            try? await operation()
            return start.duration(to: .now) / .seconds(1)
        }

        static let faults = ["many-cookies?count=12000", "bomb-twice?mb=1000"]

        @Test(
            "Limits and cancellations of all sessions end their loads within a second",
            arguments: faults)
        func limits(_ fault: String) async {
            await #expect(processExitsWith: .success) { [fault] in
                let server = try FaultServer().address
                let environment = ServerEnvironment(baseUrl: server)
                let session = URLSession(configuration: .default)
                // A load of the same session that is under way, and is cancelled meanwhile.
                let early = Task {
                    try await session.response(in: environment, with: GetSilence())
                }
                try await Task.sleep(for: .seconds(1))
                try Self.makeBusy(server, with: fault)
                let times = await withTaskGroup(of: Double.self) { group in
                    group.addTask {
                        await Self.seconds {
                            early.cancel()
                            _ = try await early.value
                        }
                    }
                    for other in [session, .shared, URLSession(configuration: .ephemeral)] {
                        group.addTask {
                            await Self.seconds {
                                _ = try await other.response(
                                    in: environment, with: GetSilence(limit: 0.5))
                            }
                        }
                        group.addTask {
                            await Self.seconds {
                                _ = try await other.response(
                                    in: environment, with: GetSilentStream())
                            }
                        }
                        group.addTask {
                            await Self.seconds {
                                let load = Task {
                                    try await other.response(in: environment, with: GetSilence())
                                }
                                try await Task.sleep(for: .seconds(0.2))
                                load.cancel()
                                _ = try await load.value
                            }
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(times.count == 10)
                #expect(times.max() ?? 9 < 1.5, "\(times)")
            }
        }

        @Test("A load ends at its limit, or when it is cancelled, also if no other is under way")
        func alone() async {
            await #expect(processExitsWith: .success) {
                let server = try FaultServer().address
                let environment = ServerEnvironment(baseUrl: server)
                let session = URLSession(configuration: .default)
                try Self.makeBusy(server, with: "many-cookies?count=12000")
                let time = await Self.seconds {
                    _ = try await session.response(in: environment, with: GetSilence(limit: 0.5))
                }
                #expect(time < 1.5)
            }
        }

        @Test("An endpointTask ends at its limit too, also if other loads wait to begin")
        func task() async {
            await #expect(processExitsWith: .success) {
                let server = try FaultServer().address
                let environment = ServerEnvironment(baseUrl: server)
                let session = URLSession(configuration: .default)
                let (ends, end) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
                let task = try session.endpointTask(
                    in: environment, with: GetSilence(limit: 1.5)
                ) { _ in end.yield(.now) }
                let start = ContinuousClock.now
                task.resume()
                try await Task.sleep(for: .seconds(0.5))
                try Self.makeBusy(server, with: "many-cookies?count=12000")
                let other = Task {
                    try await session.response(in: environment, with: GetSilence(limit: 30))
                }
                defer { other.cancel() }
                var iterator = ends.makeAsyncIterator()
                let instant = try #require(await iterator.next())
                #expect(start.duration(to: instant) < .seconds(2.5))
            }
        }
    }
#endif
