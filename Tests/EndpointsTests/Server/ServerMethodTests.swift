import Endpoints
import Foundation
import Testing

@Suite("Methods at a server", .needsServers)
struct ServerMethodTests {
    /// A request whose method is the test's argument.
    struct Send: FlatRequest {
        let key: String
        static var endpoint: Endpoint<Self> {
            Endpoint(
                method: Verb.method, path: "anything/1", parameters: [.query("key", path: \.key)])
        }
        typealias Response = Void
    }

    struct Log: FlatRequest {
        let key: String
        static let endpoint = Endpoint<Log>(method: .get, path: "-/log/\(path: \.key)")
        struct Response: Decodable { let requests: [Recorded] }
    }

    enum Verb {
        @TaskLocal static var method = HTTPMethod.get
    }

    @Test(
        "A method arrives as declared, also one of the API's own",
        .notReplayed(as: "its URL is random"),
        arguments: [
            .get, .head, .post, .put, .delete, .options, .trace, .patch,
            "PROPFIND", .query, "M-SEARCH", "Find", "X!#$%&'*+-.^_`|~09",
        ] as [HTTPMethod])
    func sent(method: HTTPMethod) async throws {
        let key = UUID().uuidString
        try await Verb.$method.withValue(method) {
            try await Server.recorder.response(to: Send(key: key))
        }
        let requests = try await Server.recorder.response(to: Log(key: key)).requests
        #expect(requests.map(\.method) == [method.rawValue])
        #expect(requests.map(\.target) == ["/anything/1?key=\(key)"])
    }

    @Test(
        "A method is understood by httpbin",
        arguments: [.get, .post, .put, .delete, .trace, .patch] as [HTTPMethod])
    func understood(method: HTTPMethod) async throws {
        let anything = try await Verb.$method.withValue(method) {
            try await Server.httpbin.response(to: SendAnything(key: "k"))
        }
        #expect(anything.method == method.rawValue)
        #expect(anything.args == ["key": "k"])
    }

    struct SendAnything: FlatRequest {
        let key: String
        static var endpoint: Endpoint<Self> {
            Endpoint(
                method: Verb.method, path: "anything/1", parameters: [.query("key", path: \.key)])
        }
        typealias Response = Anything
    }

    @Test(
        "A method that URLSession would change is refused",
        arguments: ["get", "post", "put", "head", "delete", "connect", "options", "trace"]
            as [HTTPMethod])
    func refused(method: HTTPMethod) async throws {
        await #expect(throws: SendAnything.TaskError.self) {
            try await Verb.$method.withValue(method) {
                _ = try await Server.recorder.response(to: SendAnything(key: "k"))
            }
        }
    }
}
