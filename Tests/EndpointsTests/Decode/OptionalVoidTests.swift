import Endpoints
import Foundation
import Testing

@Suite("Void? as a response")
struct OptionalVoidTests {
    private struct Delete: RequestType {
        static let endpoint = Endpoint<Delete>(method: .delete, path: "x")
        typealias Response = Void?
    }

    private struct DeleteWithHead: RequestType {
        static let endpoint = Endpoint<DeleteWithHead>(method: .delete, path: "x")
        typealias Response = WithHTTPResponse<Void?>
    }

    @Test(
        "A response without content is nil for Void?, and any other a value",
        arguments: [
            (CannedResponse(204), false), (CannedResponse(200), false),
            (CannedResponse(205, "x"), false),
            (CannedResponse(200, "x"), true), (CannedResponse(200, "null"), true),
        ])
    func value(_ canned: CannedResponse, _ isValue: Bool) throws {
        #expect(try (canned.read(Delete.self) != nil) == isValue)
        let response = try canned.read(DeleteWithHead.self)
        #expect((response.value != nil) == isValue)
        #expect(response.httpResponse.statusCode == canned.status)
    }

    @Test("A request for Void? asks for no media type")
    func accept() throws {
        let request = try Delete().urlRequest(in: .production)
        #expect(request.value(forHTTPHeaderField: "Accept") == nil)
    }
}
