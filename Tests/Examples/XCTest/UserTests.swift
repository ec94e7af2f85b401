import Endpoints
import EndpointsTesting
import Foundation
import XCTest

/// The testing library with XCTest instead of swift-testing.
final class UserTests: XCTestCase {
    struct GetUser: FlatRequest {
        let id: Int
        static let endpoint = Endpoint<GetUser>(method: .get, path: "users/\(path: \.id)")
        struct Response: Codable, Equatable { let name: String }
    }

    let server = ServerEnvironment(baseUrl: URL(string: "https://api.example.com")!)

    func testAUserIsLoadedFromAStub() async throws {
        let stub = StubTransport()
        stub.on(GetUser.self, .value(GetUser.Response(name: "Ann")))
        let user = try await EndpointClient(stub, in: server)(GetUser(id: 42))
        XCTAssertEqual(user, GetUser.Response(name: "Ann"))
        XCTAssertEqual(stub.sent(GetUser.self).map(\.id), [42])
        XCTAssertEqual(stub.unused, [])
    }

    func testARequestWithoutAStubFailsByName() async {
        do {
            _ = try await EndpointClient(StubTransport(), in: server)(GetUser(id: 42))
            XCTFail("it has no stub")
        } catch {
            XCTAssertTrue(error.localizedDescription.contains("GetUser has no stub"))
        }
    }

    func testADeclarationHasNoProblemAndASnapshot() throws {
        XCTAssertTrue(problems(of: GetUser.self).isEmpty)
        XCTAssertEqual(
            try GetUser(id: 42).snapshot(in: server),
            "GET https://api.example.com/users/42\nAccept: application/json")
    }
}
