import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Responses of stubs")
struct StubResponseTests {
    let stub = StubTransport()
    var api: EndpointClient<ServerEnvironment> { EndpointClient(stub, in: server) }

    struct Peek: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "peek")
        typealias Response = WithHTTPResponse<Data>
        typealias ErrorResponse = ServerError

        static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
            httpResponse.statusCode < 400
        }
    }

    static let responses: [(stub: StubResponse<Peek>, status: Int, type: String?, body: String)] = [
        (.status(204), 204, nil, ""),
        (.status(301, headers: ["Content-Type": "a/b"]), 301, "a/b", ""),
        (.json("[]"), 200, "application/json", "[]"),
        (.json("1", status: 201, headers: ["content-type": "a/b"]), 201, "a/b", "1"),
        (.data(Data("x".utf8), status: 206), 206, nil, "x"),
        (
            .chunks([Data("x".utf8), Data("y".utf8)], headers: ["Content-Type": "a/b"]), 200, "a/b",
            "xy"
        ),
    ]

    @Test("A stub's status, headers and bytes arrive as they are", arguments: responses)
    func response(
        row: (stub: StubResponse<Peek>, status: Int, type: String?, body: String)
    ) async throws {
        stub.on(Peek.self, row.stub)
        let response = try await api(Peek())
        #expect(response.httpResponse.statusCode == row.status)
        #expect(response.httpResponse.value(forHTTPHeaderField: "Content-Type") == row.type)
        #expect(response.value == Data(row.body.utf8))
    }

    @Test(
        "A stub whose status isn't a number of three digits is refused",
        arguments: [0, -1, 99, 1000, .max, .min])
    func status(_ status: Int) async {
        let stubs: [StubResponse<Peek>] = [
            .status(status), .json("[]", status: status), .data(Data(), status: status),
            .chunks([], status: status), .value(Data(), status: status),
            .error(status, ServerError(message: "")),
        ]
        for response in stubs {
            stub.on(Peek.self, response)
            let error = await #expect(throws: Peek.TaskError.self) { try await api(Peek()) }
            #expect(
                error?.description == """
                    Peek: the load failed: the stub of Peek has the status \(status), but a status \
                    is a number of three digits; write one, as in .status(404)
                    """)
        }
    }

    private static let link = "the header \"Link\" without a link; write one such as"
    private static let length = "the header \"Content-Length\""
    private static let thrown = "`.throwing(…)` of a TaskError, which a load makes itself; write"

    static let wrong: [(stub: StubResponse<Peek>, reason: String)] = [
        (StubResponse.status(200).delayed(by: -5), "`delayed(by: -5.0)`, which can't be meant"),
        (StubResponse.status(200).delayed(by: .nan), "`delayed(by: nan)`, which can't be meant"),
        (.status(200, headers: ["Bad Name": "x"]), #"the header "Bad Name", which no server"#),
        (.json("1", headers: ["": "x"]), #"the header "", which no server can send"#),
        (.data(Data(), headers: ["X": "a\nb"]), #"the header "X", which no server can send"#),
        (.chunks([], headers: ["X": "a\u{0}"]), #"the header "X", which no server can send"#),
        (.json("1", headers: ["Link": "https://h/2; rel=next"]), link),
        (.status(200, headers: ["link": "<https://h/2; rel=next"]), link),
        (.data(Data(), headers: ["Link": "rel=next"]), link),
        (
            .json("1", headers: ["Content-Length": "2"]),
            "the header \"Content-Length\" \"2\", but a body of 1 bytes; remove the header, or"
        ),
        (.status(200, headers: ["content-length": "1"]), length),
        (.data(Data("ab".utf8), headers: ["Content-Length": "02"]), length),
        (.chunks([Data("a".utf8), Data("b".utf8)], headers: ["Content-Length": "1"]), length),
        (.throwing(Peek.TaskError.cancelled(URLError(.cancelled))), thrown),
        (.throwing(StreamError.urlLoadError(URLError(.timedOut))), thrown),
    ]

    @Test("A delay or a header that can't be meant is refused", arguments: wrong)
    func refused(row: (stub: StubResponse<Peek>, reason: String)) async {
        stub.on(Peek.self, row.stub)
        let error = await #expect(throws: Peek.TaskError.self) { try await api(Peek()) }
        #expect(error?.description.contains("the stub of Peek has \(row.reason)") == true)
    }

    struct Head: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .head, path: "peek")
        typealias Response = WithHTTPResponse<Void>
    }

    @Test("The length of a response that isn't sent is accepted")
    func length() async throws {
        stub.on(Head.self, .status(200, headers: ["Content-Length": "9"]))
        let length = try await api(Head()).httpResponse.value(forHTTPHeaderField: "Content-Length")
        #expect(length == "9")
        stub.on(Peek.self, .status(304, headers: ["Content-Length": "9"]))
        #expect(try await api(Peek()).httpResponse.statusCode == 304)
        let packed: HeaderDictionary<String> = ["Content-Length": "22", "Content-Encoding": "gzip"]
        for headers in [["Content-Length": "2"], packed] {
            stub.on(Peek.self, .json("[]", headers: headers))
            #expect(try await api(Peek()).value == Data("[]".utf8))
        }
    }

    static let twice: [(headers: HeaderDictionary<String>, name: String, value: String)] = [
        (["Set-Cookie": "a=1", "Set-Cookie": "b=2"], "Set-Cookie", "a=1, b=2"),
        (
            ["Link": "<a>; rel=next", "X": "1", "link": "<b>; rel=last"], "Link",
            "<a>; rel=next, <b>; rel=last"
        ),
        (
            [.cacheControl: "no-store", "cache-control": "private"], "Cache-Control",
            "no-store, private"
        ),
    ]

    @Test("A stub sends both values of a header that it has twice", arguments: twice)
    func headerTwice(row: (headers: HeaderDictionary<String>, name: String, value: String))
        async throws
    {
        for stubbed: StubResponse<Peek> in [
            .status(200, headers: row.headers), .json("1", headers: row.headers),
            .data(Data(), headers: row.headers), .chunks([], headers: row.headers),
            .error(404, ServerError(message: ""), headers: row.headers),
        ] {
            stub.on(Peek.self, stubbed)
            let httpResponse: HTTPURLResponse?
            do { httpResponse = try await api(Peek()).httpResponse } catch {
                httpResponse = error.httpResponse
            }
            #expect(httpResponse?.value(forHTTPHeaderField: row.name) == row.value)
        }
    }

    @Test("A stub's error arrives as the error response that it is")
    func errorResponse() async throws {
        stub.on(Peek.self, .error(409, ServerError(message: "taken"), headers: ["X-Id": "7"]))
        let error = await #expect(throws: Peek.TaskError.self) { try await api(Peek()) }
        guard case .errorResponse(let httpResponse, let response) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(httpResponse.statusCode == 409)
        #expect(httpResponse.value(forHTTPHeaderField: "X-Id") == "7")
        #expect(response == ServerError(message: "taken"))
    }
}
