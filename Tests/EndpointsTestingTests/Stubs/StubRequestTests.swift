import Endpoints
import EndpointsFormats
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("What stubs read and write")
struct StubRequestTests {
    struct Search: FlatRequest {
        let words: String
        let token: String?
        static let endpoint = Endpoint<Self>(
            method: .get, path: "search", headers: ["X-Token": .field(path: \.token)])
        typealias Response = String
    }

    @Test("A stub's closure can read the headers of the URLRequest")
    func headers() async throws {
        let stub = StubTransport()
        stub.on(Search.self) { request, urlRequest in
            let token = urlRequest.value(forHTTPHeaderField: "X-Token")
            return token == nil ? .status(401) : .value("\(request.words) \(token ?? "")")
        }
        let api = EndpointClient(stub, in: server)
        #expect(try await api(Search(words: "a", token: "t0k3n")) == "a t0k3n")
        let error = await #expect(throws: Search.TaskError.self) {
            try await api(Search(words: "a", token: nil))
        }
        #expect(error?.errorCode == 80401)
        stub.on(Search.self) { .value($0.words) }
        #expect(try await api(Search(words: "b", token: nil)) == "b")
        stub.on(Search.self) { .value($0.words + ($1.url?.path ?? "")) }
        #expect(try await api(Search(words: "b", token: nil)) == "b/search")
    }

    struct Pay: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .post, path: "pay")
        typealias Response = User
        struct Declined: Codable, Equatable, Sendable {
            let code: String
            let declinedAt: Date
        }
        typealias ErrorResponse = Declined

        static let responseDecoder = GetUser.responseDecoder.below("userInfo").below(
            "items", "user")
        static let errorDecoder = {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            decoder.dateDecodingStrategy = .secondsSince1970
            return decoder.below("error")
        }()
    }

    @Test("A value and an error are written under the keys of a NestedDecoder")
    func nested() async throws {
        let stub = StubTransport()
        let declined = Pay.Declined(code: "card", declinedAt: Date(timeIntervalSince1970: 7))
        let user = User(id: 1, fullName: "Ann")
        stub.on(
            Pay.self, .error(402, declined), .value(user),
            .error(402, declined, encoder: Seconds()))
        let api = EndpointClient(stub, in: server)
        for _ in 0..<2 {
            do throws(Pay.TaskError) {
                #expect(try await api(Pay()) == user)
            } catch .errorResponse(let httpResponse, let error) {
                #expect(httpResponse.statusCode == 402)
                #expect(error == declined)
            }
        }
        let error = await #expect(throws: Pay.TaskError.self) { try await api(Pay()) }
        guard case .errorResponse(_, declined) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// An encoder that a test passes: it writes what the decoder under the keys reads.
    private struct Seconds: EncoderType {
        var contentType: MIMEType? { .json }
        func encode<Value: Encodable>(_ value: Value) throws -> Data {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .secondsSince1970
            return try encoder.encode(value)
        }
    }
}
