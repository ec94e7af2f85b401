import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Custom success")
struct SucceededTests {
    /// An API that always sends the status 200 and says in the body whether it succeeded.
    struct PostMessage: RequestType {
        static let endpoint = Endpoint<PostMessage>(method: .post, path: "chat.postMessage")
        struct Response: Decodable { let ts: String }
        struct ErrorResponse: Decodable { let error: String }

        private struct Outcome: Decodable { let ok: Bool }

        static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
            httpResponse.statusCode == 200
                && (try? JSONDecoder().decode(Outcome.self, from: data))?.ok == true
        }
    }

    /// A request for which 404 is a success.
    struct Exists: RequestType {
        static let endpoint = Endpoint<Exists>(method: .head, path: "x")
        static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
            [200, 404].contains(httpResponse.statusCode)
        }
        static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Bool {
            httpResponse.statusCode == 200
        }
    }

    @Test("A request's own `succeeded` can make a 200 an error response")
    func refused() throws {
        #expect(
            try CannedResponse(200, #"{"ok": true, "ts": "1.2"}"#).read(PostMessage.self).ts
                == "1.2")
        let canned = CannedResponse(200, #"{"ok": false, "error": "no_text"}"#)
        guard
            case .errorResponse(let httpResponse, let response) = try canned.error(
                of: PostMessage.self)
        else {
            Issue.record("not refused")
            return
        }
        #expect(httpResponse.statusCode == 200)
        #expect(response.error == "no_text")
    }

    static let bodies = [
        (
            200, "",
            "The server responded with status 200 and an empty body, and the request's "
                + "`succeeded` returned false"
        ),
        (
            302, #"{"error": "x"}"#,
            "The server responded with status 302, which is neither a success nor an error"
        ),
        (
            201, #"{"ok": true}"#,
            "PostMessage: the error response with status 201 can't be read: the value at `error` is missing"
        ),
        (
            200, #"{"ok": true}"#,
            "PostMessage: the response with status 200 can't be read: the value at `ts` is missing"
        ),
        (
            500, #"{"ok": true, "error": "x"}"#,
            "The server responded with an error, status 500"
        ),
    ]

    @Test(
        "A response that `succeeded` refuses follows the rules of error responses",
        arguments: bodies)
    func rest(row: (status: Int, body: String, text: String)) throws {
        #expect(
            "\(try CannedResponse(row.status, row.body).error(of: PostMessage.self))" == row.text)
    }

    @Test("A request's own `succeeded` can make a 404 a success")
    func accepted() throws {
        #expect(try CannedResponse(200).read(Exists.self))
        #expect(try !CannedResponse(404).read(Exists.self))
        #expect(
            "\(try CannedResponse(204).error(of: Exists.self))"
                == "The server responded with an error, status 204")
    }
}
