import Endpoints
import EndpointsTesting
import Testing

@Test("A test file of ten lines stubs, loads and asserts one request")
func tenLines() async throws {
    let stub = StubTransport()
    stub.on(GetUser.self, .value(User(id: 42, fullName: "Ann")))
    #expect(try await stub.response(in: server, with: GetUser(id: 42)).fullName == "Ann")
}
