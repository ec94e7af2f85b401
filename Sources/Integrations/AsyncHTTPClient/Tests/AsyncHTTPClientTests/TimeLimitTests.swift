import Endpoints
import EndpointsAsyncHTTPClient
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
}
