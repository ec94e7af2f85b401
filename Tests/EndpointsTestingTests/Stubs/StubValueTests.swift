import Endpoints
import EndpointsTesting
import Foundation
import Testing

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
