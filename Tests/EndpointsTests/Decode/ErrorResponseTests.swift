import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct ServerError: Decodable, Equatable {
    let code: Int
    let message: String
}

@Suite("Error responses")
struct ErrorResponseTests {
    struct Save: RequestType {
        static let endpoint = Endpoint<Save>(method: .post, path: "x")
        typealias Response = User
        typealias ErrorResponse = ServerError
        static let loadPolicy = LoadPolicy(errorBodyLimit: 600)
    }

    /// A request whose error is any decodable type.
    struct Fail<Problem: Decodable & Sendable>: RequestType {
        static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "x") }
        typealias Response = Void
        typealias ErrorResponse = Problem
    }

    private static let body = #"{"code": 7, "message": "no"}"#

    @Test("Every status from 400 to 599 decodes as the typed error")
    func typed() throws {
        for status in 400...599 {
            let error = try CannedResponse(status, Self.body).error(of: Save.self)
            guard case .errorResponse(let httpResponse, let response) = error else {
                Issue.record("\(status): \(error)")
                continue
            }
            #expect(httpResponse.statusCode == status)
            #expect(response == ServerError(code: 7, message: "no"))
            #expect(
                "\(error)" == "The server responded with an error, status \(status)")
        }
    }

    @Test("A status that is neither success nor error is unexpected, even with an error's body")
    func otherStatus() throws {
        for status in Array(100..<200) + Array(300..<400) + [0, 99, 600, 999] {
            for error in try [
                "\(CannedResponse(status, Self.body).error(of: Save.self))",
                "\(CannedResponse(status).error(of: Fail<EmptyResponse>.self))",
            ] {
                #expect(
                    error
                        == "The server responded with status \(status), which is neither a success nor an error"
                )
            }
        }
    }

    @Test(
        "An error response without a body is unexpected where a typed error is declared",
        arguments: [400, 404, 500, 599])
    func emptyBody(status: Int) throws {
        guard
            case .unexpectedResponse(let httpResponse) = try CannedResponse(status).error(
                of: Save.self)
        else {
            Issue.record("not unexpected")
            return
        }
        #expect(httpResponse.statusCode == status)
        for blanks in [" ", "\r\n", "\u{FEFF}\t"] {
            #expect(
                Reader(Save.self).outcome(CannedResponse(status, blanks))
                    == "The server responded with status \(status) and an empty body")
        }
        for reader in [
            Reader(Fail<Data>.self), Reader(Fail<String>.self), Reader(Fail<ServerError?>.self),
        ] {
            #expect(
                reader.outcome(CannedResponse(status))
                    == "The server responded with status \(status) and an empty body"
            )
        }
    }

    @Test(
        "Any body of an error response decodes as EmptyResponse, the default",
        arguments: ["", "<html>", "{}"])
    func emptyResponse(body: String) throws {
        guard
            case .errorResponse(let httpResponse, EmptyResponse()) = try CannedResponse(503, body)
                .error(of: Fetch<User>.self)
        else {
            Issue.record("no EmptyResponse")
            return
        }
        #expect(httpResponse.statusCode == 503)
    }

    @Test("An error response decodes as Data, String or an optional as a success does")
    func otherTypes() throws {
        guard
            case .errorResponse(_, Data("<html>".utf8)) = try CannedResponse(500, "<html>").error(
                of: Fail<Data>.self),
            case .errorResponse(_, "é") = try CannedResponse(
                500, bytes: [0xE9], type: "text/html; charset=iso-8859-1"
            ).error(of: Fail<String>.self),
            case .errorResponse(_, nil) = try CannedResponse(500, "null").error(
                of: Fail<ServerError?>.self)
        else {
            Issue.record("not as expected")
            return
        }
    }

    @Test("An unreadable error response keeps its head, the beginning of its body and the cause")
    func unreadable() throws {
        let page = "<html>" + String(repeating: "é", count: 500)
        guard
            case .errorResponseParseError(let httpResponse, let data, let error) =
                try CannedResponse(502, page, fields: ["X-Request-Id": "4"]).error(of: Save.self)
        else {
            Issue.record("read")
            return
        }
        #expect(httpResponse.statusCode == 502)
        #expect(httpResponse.value(forHTTPHeaderField: "X-Request-Id") == "4")
        #expect(data == Data(page.utf8.prefix(600)), "as much as the policy's errorBodyLimit")
        #expect(error.requestType == "Save")
        #expect(error.cause is DecodingError)
    }

    @Test("An error response is decoded by the error decoder that the request declares")
    func decoder() throws {
        struct Snake: RequestType {
            static let endpoint = Endpoint<Snake>(method: .get, path: "x")
            typealias Response = Void
            struct ErrorResponse: Decodable { let errorCode: Int }
            static var errorDecoder: JSONDecoder {
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                return decoder
            }
        }
        guard
            case .errorResponse(_, let response) = try CannedResponse(400, #"{"error_code": 9}"#)
                .error(
                    of: Snake.self)
        else {
            Issue.record("not decoded")
            return
        }
        #expect(response.errorCode == 9)
    }
}
