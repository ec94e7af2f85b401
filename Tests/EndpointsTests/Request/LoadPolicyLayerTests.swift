import Foundation
import Testing

@testable import Endpoints

private protocol SlowRequest: RequestType {}

extension SlowRequest {
    static var commonLoadPolicy: LoadPolicy { LoadPolicy(bodyLimit: 3, timeLimit: 9) }
    var commonLoadPolicy: LoadPolicy { LoadPolicy(redirectLimit: 9, timeLimit: 1) }
}

private struct Slow: SlowRequest {
    static let endpoint = Endpoint<Slow>(method: .get, path: "x")
    static let loadPolicy = LoadPolicy(redirectLimit: 2)
    typealias Response = Void
}

@Suite("Layers of the load policy")
struct LoadPolicyLayerTests {
    struct Server: EnvironmentType {
        let baseUrl = URL(string: "https://h") ?? URL(fileURLWithPath: "/")
        var loadPolicy = LoadPolicy.default
    }

    struct Get: RequestType {
        typealias Environment = Server
        static let endpoint = Endpoint<Get>(method: .get, path: "x")
        typealias Response = Void
        @TaskLocal static var commonLoadPolicy = LoadPolicy.default
        @TaskLocal static var loadPolicy = LoadPolicy.default
        var loadPolicy = LoadPolicy.default
    }

    @Test("A common policy that is a property of the request takes effect, below its own policy")
    func commonProperty() throws {
        let policy = Slow().policy(in: .production)
        #expect(policy == LoadPolicy(redirectLimit: 2, bodyLimit: 3, timeLimit: 1))
    }

    /// The policy of a load with a policy for the server, the protocol, the type and the value.
    private func policy(_ layers: [LoadPolicy]) -> LoadPolicy {
        let layers = layers + Array(repeating: .default, count: 4 - layers.count)
        return Get.$commonLoadPolicy.withValue(layers[1]) {
            Get.$loadPolicy.withValue(layers[2]) {
                Get(loadPolicy: layers[3]).policy(in: Server(loadPolicy: layers[0]))
            }
        }
    }

    static let rows: [([LoadPolicy], LoadPolicy)] = [
        ([], .default),
        ([LoadPolicy(timeLimit: 1)], LoadPolicy(timeLimit: 1)),
        ([LoadPolicy(timeLimit: 1), LoadPolicy(timeLimit: 2)], LoadPolicy(timeLimit: 2)),
        (
            [LoadPolicy(timeLimit: 1), LoadPolicy(redirectLimit: 2), LoadPolicy(bodyLimit: 3)],
            LoadPolicy(redirectLimit: 2, bodyLimit: 3, timeLimit: 1)
        ),
        (
            [LoadPolicy(repetition: .never), .default, .default, LoadPolicy(repetition: .always)],
            LoadPolicy(repetition: .always)
        ),
        (
            [LoadPolicy(redirects: .doNotFollow), LoadPolicy(redirects: .follow)],
            LoadPolicy(redirects: .follow)
        ),
        (
            [
                LoadPolicy(allowsInsecureRedirects: true), LoadPolicy(errorBodyLimit: 4),
                LoadPolicy(unreadLimit: 5), LoadPolicy(allowsInsecureRedirects: false),
            ], LoadPolicy(allowsInsecureRedirects: false, errorBodyLimit: 4, unreadLimit: 5)
        ),
        (
            [
                LoadPolicy(sensitiveHeaders: ["A"]), LoadPolicy(sensitiveHeaders: ["B"]),
                LoadPolicy(timeLimit: 5), LoadPolicy(sensitiveHeaders: ["C"]),
            ], LoadPolicy(sensitiveHeaders: ["A", "B", "C"], timeLimit: 5)
        ),
    ]

    @Test("A later layer replaces what it sets, and sensitive headers add up", arguments: rows)
    func layers(_ layers: [LoadPolicy], _ policy: LoadPolicy) {
        #expect(self.policy(layers) == policy)
    }

    @Test("Each property can be set after the policy was made")
    func properties() {
        var layer = LoadPolicy.default
        layer.redirectLimit = 7
        layer.timeLimit = 8
        #expect(
            policy([LoadPolicy(timeLimit: 1), layer]) == LoadPolicy(redirectLimit: 7, timeLimit: 8))
        layer.timeLimit = nil
        #expect(
            policy([LoadPolicy(timeLimit: 1), layer]) == LoadPolicy(redirectLimit: 7, timeLimit: 1))
    }

    struct Plain: RequestType {
        static let endpoint = Endpoint<Plain>(method: .get, path: "x")
        typealias Response = Void
        static let loadPolicy = LoadPolicy(timeLimit: 5)
    }

    @Test("A ServerEnvironment has a policy beside its processor")
    func serverEnvironment() throws {
        let url = try #require(URL(string: "https://h"))
        var server = ServerEnvironment(
            baseUrl: url, requestProcessor: { $0.setValue("1", forHTTPHeaderField: "X") },
            loadPolicy: LoadPolicy(sensitiveHeaders: ["X-User-Token"], bodyLimit: 9))
        let expected = LoadPolicy(sensitiveHeaders: ["X-User-Token"], bodyLimit: 9, timeLimit: 5)
        #expect(Plain().policy(in: server) == expected)
        server.loadPolicy.bodyLimit = 10
        #expect(try Plain().urlRequest(in: server).value(forHTTPHeaderField: "X") == "1")
        server.requestProcessor = nil
        #expect(try Plain().urlRequest(in: server).value(forHTTPHeaderField: "X") == nil)
        #expect(server.loadPolicy.bodyLimit == 10)
    }
}
