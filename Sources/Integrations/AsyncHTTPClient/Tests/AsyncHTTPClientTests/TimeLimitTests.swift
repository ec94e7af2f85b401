import Endpoints
import EndpointsAsyncHTTPClient
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Time limits with AsyncHTTPClient", .needsServers)
struct TimeLimitTests {
    struct Get: FlatRequest, Sendable {
        let limit: TimeInterval?
        var timeout: TimeInterval = 60
        static let endpoint = Endpoint<Self>(method: .get, path: "-/echo")
        typealias Response = Recorded
        var loadPolicy: LoadPolicy { LoadPolicy(timeLimit: limit) }
        func prepare(_ request: inout URLRequest) { request.timeoutInterval = timeout }
    }

    @Test(
        "With a time limit that can't be meant nothing is sent", arguments: [0, -5, -1e300, .nan])
    func none(_ limit: TimeInterval) async throws {
        let environment = try Server.recorder.environment
        let error = await #expect(throws: Get.TaskError.self) {
            _ = try await Server.network.response(in: environment, with: Get(limit: limit))
        }
        let text = error?.description ?? ""
        #expect(text.contains("`LoadPolicy(timeLimit: \(limit))`, which can't be meant"), "\(text)")
    }

    static let long: [(limit: TimeInterval?, timeout: TimeInterval)] = [
        (1e300, 60), (.infinity, .infinity), (nil, .nan), (nil, 1e300), (nil, 0), (nil, -1),
    ]

    @Test("A limit that no clock can count is no limit", arguments: long)
    func endless(_ row: (limit: TimeInterval?, timeout: TimeInterval)) async throws {
        let recorded = try await Server.recorder.response(
            to: Get(limit: row.limit, timeout: row.timeout))
        #expect(recorded.method == "GET")
    }

    /// A fault of the server that takes some milliseconds, loaded whole.
    struct GetSlowly: FlatRequest, Sendable {
        let fault: String
        let ms: Int
        let limit: TimeInterval?
        let timeout: TimeInterval
        static let endpoint = Endpoint<Self>(
            method: .get, path: "\(path: \.fault)", parameters: [.query("ms", path: \.ms)])
        typealias Response = Data
        var loadPolicy: LoadPolicy { LoadPolicy(timeLimit: limit) }
        func prepare(_ request: inout URLRequest) { request.timeoutInterval = timeout }
    }

    /// The same, read as it arrives.
    struct ReadSlowly: FlatRequest, Sendable {
        let fault: String
        let ms: Int
        let limit: TimeInterval?
        let timeout: TimeInterval
        static let endpoint = Endpoint<Self>(
            method: .get, path: "\(path: \.fault)", parameters: [.query("ms", path: \.ms)])
        typealias Response = ByteStream
        var loadPolicy: LoadPolicy { LoadPolicy(timeLimit: limit) }
        func prepare(_ request: inout URLRequest) { request.timeoutInterval = timeout }
    }

    static let slow: [(fault: String, limit: TimeInterval?, timeout: TimeInterval, ends: Bool)] = [
        // A byte each 167 ms, for two seconds.
        ("dripped-body", nil, 1, false), ("dripped-body", 10, 1, false),
        ("dripped-body", 0.5, 60, true), ("silence-within-body", nil, 0.5, true),
        ("silence-within-body", 0.5, 60, true), ("silence-before-last-chunk", nil, 0.5, true),
    ]

    @Test(
        "A body that arrives slowly has no limit but its own, and silence has one", arguments: slow)
    func body(_ row: (fault: String, limit: TimeInterval?, timeout: TimeInterval, ends: Bool))
        async throws
    {
        let environment = ServerEnvironment(baseUrl: try FaultServer().address)
        let ms = row.ends ? 30_000 : 2_000
        let (start, transport) = (ContinuousClock.now, AsyncHTTPTransport())
        var codes: [URLError.Code?] = []
        do {
            let whole = GetSlowly(fault: row.fault, ms: ms, limit: row.limit, timeout: row.timeout)
            _ = try await transport.response(in: environment, with: whole)
            codes.append(nil)
        } catch .urlLoadError(let error) { codes.append(error.code) }
        do {
            let read = ReadSlowly(fault: row.fault, ms: ms, limit: row.limit, timeout: row.timeout)
            for try await _ in try await transport.response(in: environment, with: read) {}
            codes.append(nil)
        } catch let error as StreamError {
            guard case .urlLoadError(let error) = error else { throw error }
            codes.append(error.code)
        }
        #expect(codes == (row.ends ? [.timedOut, .timedOut] : [nil, nil]))
        #expect(start.duration(to: .now) < .seconds(20))
    }
}
