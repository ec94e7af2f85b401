import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Values of stubs")
struct StubValueTests {
    struct Fetch<Value: Codable>: FlatRequest {
        static var endpoint: Endpoint<Self> { .once(Endpoint(method: .get, path: "value")) }
        typealias Response = Value
    }

    struct Dated: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "dated")
        typealias Response = Date
        static let responseDecoder: JSONDecoder = {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .custom { _ in Date(timeIntervalSince1970: 0) }
            return decoder
        }()
    }

    struct Listed: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "listed")
        typealias Response = [String]
        static let responseDecoder = PropertyListDecoder()
    }

    func roundTrip<Value: Codable & Equatable>(_ value: Value) async throws {
        let stub = StubTransport()
        stub.on(Fetch<Value>.self, .value(value))
        #expect(try await stub.response(in: server, with: Fetch<Value>()) == value)
    }

    @Test("A value of any kind of response is read back equal")
    func kinds() async throws {
        try await roundTrip("text")
        try await roundTrip(Data([0, 255]))
        try await roundTrip(["a", "b"])
        try await roundTrip(User?.none)
        try await roundTrip(User?.some(User(id: 1, fullName: "A")))
        try await roundTrip(String?.some("text"))
        try await roundTrip(42)
        try await roundTrip(Date(timeIntervalSince1970: 1))
    }

    @Test("The status of a value is the one that is given, or else 200, or 204 for nil")
    func status() async throws {
        struct Fetch: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "value")
            typealias Response = WithHTTPResponse<String?>
        }
        let stub = StubTransport()
        stub.on(
            Fetch.self, .value("a"), .value(nil), .value("a", status: 206), .value(nil, status: 200)
        )
        var statuses: [Int] = []
        for _ in 0..<4 {
            let response = try await stub.response(in: server, with: Fetch())
            statuses.append(response.httpResponse.statusCode)
        }
        #expect(statuses == [200, 204, 206, 200])
    }

    struct Save: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .post, path: "save")
        typealias Response = User
        struct ErrorResponse: Codable { let message: String }
    }

    /// A request whose errors have the status 200.
    struct Odd: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .post, path: "odd")
        typealias Response = User
        typealias ErrorResponse = Save.ErrorResponse
        static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
            !String(decoding: data, as: UTF8.self).contains("message")
        }
    }

    @Test("A value with an error's status, and an error with that of a success, are refused")
    func wrongKind() async throws {
        let (stub, user) = (StubTransport(), User(id: 1, fullName: "A"))
        let rows: [(StubResponse<Save>, String)] = [
            (
                .error(200, Save.ErrorResponse(message: "no")),
                "`.error(200, …)`, but the request takes this status for a success; write that of "
                    + "an error, such as 404"
            ),
            (
                .value(user, status: 404),
                "`.value(…, status: 404)`, but the request takes this status for an error; write "
                    + ".error(404, …), or a status such as 200"
            ),
            (
                .value(user, status: 304),
                "`.value(…, status: 304)`, but the request takes this status for an error; write "
                    + ".error(304, …), or a status such as 200"
            ),
        ]
        for (response, text) in rows {
            stub.on(Save.self, response)
            let error = await #expect(throws: Save.TaskError.self) {
                try await stub.response(in: server, with: Save())
            }
            #expect(
                error?.description == "Save: the load failed: the stub of Save has \(text)")
        }
        stub.on(Odd.self, .error(200, Save.ErrorResponse(message: "no")))
        let error = await #expect(throws: Odd.TaskError.self) {
            try await stub.response(in: server, with: Odd())
        }
        guard case .errorResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A property list is encoded as one")
    func propertyList() async throws {
        let stub = StubTransport()
        stub.on(Listed.self, .value(["a"]))
        #expect(try await stub.response(in: server, with: Listed()) == ["a"])
    }

    @Test("A decoder whose strategy is a function has no mirror, and the error says what to do")
    func custom() async throws {
        let stub = StubTransport()
        stub.on(Dated.self, .value(Date()))
        let error = await #expect(throws: Dated.TaskError.self) {
            try await stub.response(in: server, with: Dated())
        }
        #expect(
            error?.description.contains(
                "Pass the encoder, as in .value(user, encoder: MyEncoder())")
                == true)
        stub.on(Dated.self, .value(Date(), encoder: JSONEncoder()))
        let date = try await stub.response(in: server, with: Dated())
        #expect(date == Date(timeIntervalSince1970: 0))
    }
}
