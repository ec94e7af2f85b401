import Foundation
import Testing

@testable import Endpoints

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Texts of exceeded limits")
struct LimitTextTests {
    struct Get: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = String
    }

    private static func body(upTo limit: Int?, _ body: ResponseBody) async -> String {
        let server = ServerEnvironment(
            baseUrl: url("https://api.example.com"), loadPolicy: LoadPolicy(bodyLimit: limit))
        let transport = ClosureTransport { _ in
            TransportResponse(body: body, try HTTPURLResponse.stub(200))
        }
        do { return try await transport.response(in: server, with: Get()) } catch {
            return "\(error)"
        }
    }

    private static func chunks(_ texts: [String]) -> ResponseBody {
        let rest = Locked(texts[...])
        return ResponseBody { rest.withLock { $0.popFirst().map { Data($0.utf8) } } }
    }

    static let texts: [(text: @Sendable () async -> String, expected: String)] = [
        (
            { await body(upTo: 2, ResponseBody(Data("abc".utf8))) },
            "Get: the load failed: the response's body has more than 2 bytes; set a higher "
                + "bodyLimit in LoadPolicy (URLError -1103)"
        ),
        (
            { await body(upTo: 3, chunks(["ab", "cd"])) },
            "Get: the load failed: the response's body has more than 3 bytes; set a higher "
                + "bodyLimit in LoadPolicy (URLError -1103)"
        ),
        ({ await body(upTo: 4, chunks(["ab", "cd"])) }, "abcd"),
        (
            {
                var unread = UnreadData(limit: 3)
                do {
                    for chunk in ["ab", "cd"] { try unread.append(Data(chunk.utf8)) }
                    return "no error"
                } catch { return error.safeReason }
            },
            "more than 3 bytes of the response's body are unread; read them sooner, or set a higher "
                + "unreadLimit in LoadPolicy (URLError -1103)"
        ),
    ]

    @Test("A limit that is exceeded is named, with its number", arguments: texts)
    func limit(row: (text: @Sendable () async -> String, expected: String)) async {
        #expect(await row.text() == row.expected)
    }
}
