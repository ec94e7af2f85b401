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

    struct OfSameType: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "g")
        typealias Response = Problem
        typealias ErrorResponse = Problem
        typealias ErrorDecoder = PropertyListDecoder
        static let responseDecoder = PropertyListDecoder()
    }

    static let text = #"{"at": "2026-03-01T00:00:00Z"}"#
    static let number = #"{"at": 0}"#
    static let at = Date(timeIntervalSince1970: 1_772_323_200)
    static let list = (try? PropertyListEncoder().encode(Problem(at: at))) ?? Data()

    @Test("The error decoder is the response decoder, if it is of the same type and not declared")
    func decoder() throws {
        #expect(try problem(ByResponseDecoder.self, Data(Self.text.utf8)) == Problem(at: Self.at))
        #expect(try problem(ByItsOwn.self, Data(Self.text.utf8)) == Problem(at: Self.at))
        let reference = Date(timeIntervalSinceReferenceDate: 0)
        #expect(try problem(OfOtherType.self, Data(Self.number.utf8)) == Problem(at: reference))
        #expect(try problem(OfSameType.self, Self.list) == Problem(at: Self.at))
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
