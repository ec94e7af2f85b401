import Endpoints
import EndpointsTesting
import Foundation
import Testing

/// Reads what Chromium's developer tools exported; `Tests/Support/chromium.py` makes the file.
@Suite("Archives that a browser has exported")
struct ChromiumTests {
    static let server = ServerEnvironment(
        baseUrl: URL(string: "http://httpbin.test") ?? URL(fileURLWithPath: "/"))
    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Chromium.har")

    struct Show: FlatRequest {
        let show: [String]
        static let endpoint = Endpoint<Self>(
            method: .get, path: "get", parameters: [.query("show", path: \.show)])
        struct Response: Decodable {
            struct Values: Decodable { let show: [String] }
            let args: Values
        }
    }

    struct SendJSON: FlatRequest {
        struct Person: Codable, Equatable {
            let name: String
            let age: Int
        }
        let body: Person
        static let endpoint = Endpoint<Self>(method: .post, path: "post")
        struct Response: Decodable { let json: Person }
    }

    struct SendForm: FlatRequest {
        let name: String
        let city: String
        static let endpoint = Endpoint<Self>(
            method: .post, path: "post",
            parameters: [.form("name", path: \.name), .form("city", path: \.city)])
        struct Response: Decodable { let form: [String: String] }
    }

    struct GetBytes: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "bytes/20", parameters: [.queryValue("seed", value: 1)])
        typealias Response = Data
    }

    struct GetCompressed: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "gzip")
        struct Response: Decodable { let gzipped: Bool }
    }

    struct GetNothing: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "status/404")
        typealias Response = Void
    }

    struct Delete: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .delete, path: "status/204")
        typealias Response = Data?
    }

    @Test("A session that was recorded in a browser replays in a test")
    func replay() async throws {
        let replay = try Replay(Self.file)
        let api = EndpointClient(replay, in: Self.server)

        #expect(try await api(Show(show: ["names", "all"])).args.show == ["names", "all"])
        let ann = SendJSON.Person(name: "Ann", age: 42)
        #expect(try await api(SendJSON(body: ann)).json == ann)
        let form = try await api(SendForm(name: "a b", city: "Köln")).form
        #expect(form == ["name": "a b", "city": "Köln"])
        #expect(try await api(GetBytes()).count == 20)
        #expect(try await api(GetCompressed()).gzipped)
        let error = await #expect(throws: GetNothing.TaskError.self) { try await api(GetNothing()) }
        #expect(error?.errorCode == 80404)
        #expect(try await api(Delete()) == nil)
        #expect(replay.unused.isEmpty)
    }

    @Test("A request that the browser did not send is shown beside the nearest one it sent")
    func missing() async throws {
        let error = await #expect(throws: Show.TaskError.self) {
            try await EndpointClient(try Replay(Self.file), in: Self.server)(Show(show: ["none"]))
        }
        #expect(
            error?.description.contains("line 1 was `GET http://httpbin.test/get?show=") == true)
    }
}
