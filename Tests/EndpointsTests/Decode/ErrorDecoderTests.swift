import Endpoints
import Foundation
import Testing

@Suite struct ErrorDecoderTests {
    private static func iso8601() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    struct Problem: Codable, Equatable { let at: Date }

    struct ByResponseDecoder: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "g")
        typealias Response = Void
        typealias ErrorResponse = Problem
        static let responseDecoder = ErrorDecoderTests.iso8601()
    }

    struct ByItsOwn: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "g")
        typealias Response = Void
        typealias ErrorResponse = Problem
        static let responseDecoder = JSONDecoder()
        static let errorDecoder = ErrorDecoderTests.iso8601()
    }

    struct OfOtherType: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "g")
        typealias Response = Problem
        typealias ErrorResponse = Problem
        static let responseDecoder = PropertyListDecoder()
    }

    static let text = #"{"at": "2026-03-01T00:00:00Z"}"#
    static let number = #"{"at": 0}"#
    static let at = Date(timeIntervalSince1970: 1_772_323_200)

    @Test(
        "Without one of its own, the error decoder is the response decoder, if that is a JSONDecoder"
    )
    func decoder() throws {
        #expect(try problem(ByResponseDecoder.self, Data(Self.text.utf8)) == Problem(at: Self.at))
        #expect(try problem(ByItsOwn.self, Data(Self.text.utf8)) == Problem(at: Self.at))
        let reference = Date(timeIntervalSinceReferenceDate: 0)
        #expect(try problem(OfOtherType.self, Data(Self.number.utf8)) == Problem(at: reference))
    }

    private func problem<Request: RequestType>(
        _ type: Request.Type, _ data: Data
    ) throws -> Problem? where Request.ErrorResponse == Problem {
        let response = CannedResponse(400, bytes: Array(data))
        do { _ = try response.read(type) } catch let error as EndpointTaskError<Problem> {
            guard case .errorResponse(_, let response) = error else { throw error }
            return response
        }
        return nil
    }
}
