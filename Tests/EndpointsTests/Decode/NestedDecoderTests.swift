import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Decoding below keys")
struct NestedDecoderTests {
    struct User: Codable, Equatable {
        let id: Int
        var at: Date?
    }

    struct GetUser: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "user")
        static let responseDecoder = JSONDecoder().below("data", "user")
        typealias Response = User
        struct ErrorResponse: Decodable { let message: String }
    }

    struct GetDate: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "date")
        static let responseDecoder = {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return decoder.below("date")
        }()
        typealias Response = Date?
    }

    @Test("A response below keys is decoded, and the request accepts JSON")
    func value() throws {
        let response = CannedResponse(200, #"{"data": {"user": {"id": 7}}, "more": 1}"#)
        #expect(try response.read(GetUser.self) == User(id: 7))
        let accept = try GetUser().urlRequest(in: .production).value(forHTTPHeaderField: "Accept")
        #expect(accept == "application/json")
    }

    static let failures = [
        (#"{"data": {}}"#, "the value at `data.user` is missing"),
        (#"{}"#, "the value at `data` is missing"),
        (#"{"data": {"user": {"id": "x"}}}"#, "the value at `data.user.id` is not of type Int"),
        (#"{"data": 1}"#, "the value at `data` is not an object"),
    ]

    @Test("An error below keys names the whole place", arguments: failures)
    func failure(_ json: String, _ reason: String) throws {
        let error = try CannedResponse(200, json).error(of: GetUser.self)
        #expect(error.description.contains(reason), "\(error)")
    }

    static let dates = [
        (#"{"date": "1970-01-01T00:00:05Z"}"#, 5.0 as Double?), (#"{"date": null}"#, nil),
    ]

    @Test("The strategies of the decoder hold below keys", arguments: dates)
    func strategy(_ json: String, _ seconds: Double?) throws {
        let date = try CannedResponse(200, json).read(GetDate.self)
        #expect(date?.timeIntervalSince1970 == seconds)
    }

    @Test("An error response is decoded from the top")
    func errorResponse() throws {
        let error = try CannedResponse(410, #"{"message": "gone"}"#).error(of: GetUser.self)
        guard case .errorResponse(_, let response) = error else {
            Issue.record(error)
            return
        }
        #expect(response.message == "gone")
    }
}
