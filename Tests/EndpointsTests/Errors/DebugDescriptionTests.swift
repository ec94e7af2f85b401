import Endpoints
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Debug descriptions of errors")
struct DebugDescriptionTests {
    struct SignIn<Response: Decodable>: FlatRequest {
        var token = "t0k3n1"
        var apiKey = "k3yk3y"
        var user = "ann"
        static var endpoint: Endpoint<Self> {
            Endpoint(
                method: .post, path: "sign-in",
                parameters: [.query("token", path: \.token), .query("user", path: \.user)],
                headers: [
                    .authorization: .fieldValue(value: Credentials.bearer("b34r3r")),
                    "X-Api-Key": .field(path: \.apiKey),
                ])
        }
        typealias ErrorResponse = ServerError
        static var loadPolicy: LoadPolicy { LoadPolicy(sensitiveHeaders: ["X-Api-Key"]) }
    }

    /// A transport that is a closure.
    struct Stub: Transport {
        let respond: @Sendable (TransportRequest) throws -> TransportResponse

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            try respond(request)
        }
    }

    /// The debug description of the error that a load ends with, with `T` for its time.
    static func text<Response: Decodable>(
        of type: Response.Type,
        _ respond: @escaping @Sendable (TransportRequest) throws -> TransportResponse
    ) async -> String {
        do {
            _ = try await Stub(respond: respond)
                .response(in: .production, with: SignIn<Response>())
            return "no error"
        } catch {
            return error.debugDescription.replacing(/, [0-9.e-]+ s(?=;|$)/, with: ", T")
        }
    }

    static let url = "POST https://api.example.com/v1/sign-in?token=…&user=ann"

    static let responses: [(status: Int, body: String, text: String)] = [
        (
            200, #"{"id": "x", "password": "pa55"}"#,
            "SignIn<User>: the response with status 200 can't be read: the value at `id` is not of "
                + #"type Int; \#(url) -> 200, T; the body begins with "#
                + #""{\"id\": \"x\", \"password\": \"…\"}""#
        ),
        (
            500, "<h1>you sent Bearer b34r3r</h1>",
            "SignIn<User>: the error response with status 500 can't be read: the content is not "
                + "valid; \(url) -> 500, T; the body is 31 bytes"
        ),
        (
            500, "<h1>you sent b34r3r, k3yk3y, t0k3n1</h1>",
            "SignIn<User>: the error response with status 500 can't be read: the content is not "
                + "valid; \(url) -> 500, T; the body begins with "
                + #""<h1>you sent …, …, …</h1>""#
        ),
        (
            401, #"{"code": 1, "message": "no", "token": "n3w"}"#,
            "SignIn<User>: the server responded with an error, status 401; \(url) -> 401, T; the body begins with "
                + #""{\"code\": 1, \"message\": \"no\", \"token\": \"…\"}""#
        ),
        (
            302, "",
            "SignIn<User>: the server responded with status 302, which is neither a success nor an error; \(url) -> 302, T"
        ),
    ]

    @Test(
        "A response in an error is shown with the method, URL, status, time and body, without secrets",
        arguments: responses)
    func response(row: (status: Int, body: String, text: String)) async {
        let text = await Self.text(of: User.self) { request in
            TransportResponse(Data(row.body.utf8), try Self.head(request, row.status))
        }
        #expect(text == row.text)
    }

    struct LogIn: FlatRequest {
        var user = "ann"
        var password = "p4ss w/rd"
        static let endpoint = Endpoint<Self>(
            method: .post, path: "log-in",
            parameters: [.form("user", path: \.user), .form("password", path: \.password)])
        typealias Response = [Int]
    }

    @Test(
        "A secret that a body sent is hidden in the response that repeats it, also in its encodings",
        arguments: [
            ("no p4ss w/rd for ann", "no … for ann"), ("p4ss+w%2Frd", "…"),
            (#"{"bad": "p4ss w\/rd"}"#, #"{\"bad\": \"…\"}"#), ("<b>p4ss w/rd</b>", "<b>…</b>"),
        ])
    func repeated(body: String, shown: String) async throws {
        let error = await #expect(throws: LogIn.TaskError.self) {
            try await Stub { TransportResponse(Data(body.utf8), try Self.head($0, 200)) }
                .response(in: .production, with: LogIn())
        }
        #expect(error?.debugDescription.hasSuffix(#"the body begins with "\#(shown)""#) == true)
    }

    struct Complaint: Decodable, Sendable, LocalizedError {
        let message: String
        var errorDescription: String? { message }
    }

    struct Ask: FlatRequest {
        var key = Secret("b34r3r-t0k3n")
        static let endpoint = Endpoint<Self>(
            method: .get, path: "bot\(secret: \.key, includesSlash: false)/send",
            parameters: [.queryValue("access_token", value: "qu3ry-t0k3n")])
        typealias Response = Void
        typealias ErrorResponse = Complaint
    }

    @Test("A secret that an error response repeats in its own text is hidden in every text")
    func repeatedInSentence() async throws {
        let body = #"{"message": "bad b34r3r-t0k3n, or qu3ry-t0k3n; your token is wrong"}"#
        let error = await #expect(throws: Ask.TaskError.self) {
            try await Stub { TransportResponse(Data(body.utf8), try Self.head($0, 401)) }
                .response(in: .production, with: Ask())
        }
        let sentence = "status 401: bad …, or …; your token is wrong"
        #expect(error?.description.hasSuffix(sentence) == true)
        #expect(error?.localizedDescription.hasSuffix(sentence) == true)
        #expect(error?.debugDescription.contains("t0k3n") == false)
    }

    @Test(
        "The URLs in the URLError of a failed load have no secrets",
        arguments: ["https://api.example.com/a?token=t0k3n", "https://u:t0k3n@api.example.com/a"])
    func urlErrorsURLs(address: String) async throws {
        let error = await #expect(throws: Ask.TaskError.self) {
            try await Stub { _ in
                let url = try #require(URL(string: address))
                throw URLError(
                    .cannotConnectToHost,
                    userInfo: [
                        NSURLErrorFailingURLErrorKey: url,
                        "NSErrorFailingURLStringKey": url.absoluteString,
                    ])
            }
            .response(in: .production, with: Ask())
        }
        guard case .urlLoadError(let inner) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!"\(inner) \(inner.userInfo)".contains("t0k3n"))
        #expect(inner.failingURL?.host == "api.example.com")
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!dumped.contains("t0k3n"))
    }

    @Test("A response with its head is printed without the headers")
    func printed() throws {
        let url = try #require(URL(string: "https://h/a"))
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil,
                headerFields: ["Set-Cookie": "id=t0k3n", "X-Session-Token": "t0k3n"]))
        let response = WithHTTPResponse(value: [1, 2], httpResponse: head)
        var dumped = ""
        dump(response, to: &dumped)
        #expect("\(response)" == "[1, 2], status 200")
        #expect(!(dumped + String(reflecting: response)).contains("t0k3n"))
    }

    @Test("A method that a hook sets can't begin a new line of a text")
    func method() async throws {
        struct Bad: RequestType {
            static let endpoint = Endpoint<Self>(method: .get, path: "x")
            typealias Response = Void
            func prepare(_ request: inout URLRequest) { request.httpMethod = "GE\r\nT" }
        }
        let error = await #expect(throws: Bad.TaskError.self) {
            try await Stub { TransportResponse(Data(), try Self.head($0, 500)) }
                .response(in: .production, with: Bad())
        }
        #expect(error?.debugDescription.contains(where: \.isNewline) == false)
    }

    static func head(_ request: TransportRequest, _ status: Int) throws -> HTTPURLResponse {
        let url = try #require(request.urlRequest.url)
        return try #require(
            HTTPURLResponse(
                url: url, statusCode: status, httpVersion: nil, headerFields: ["A": "b"]))
    }

    @Test("An error of a stream, before it and in it, has the same")
    func stream() async throws {
        let refused = await #expect(throws: EndpointTaskError<EmptyResponse>.self) {
            try await Stub { TransportResponse(Data("no".utf8), try Self.head($0, 503)) }
                .response(in: .production, with: Watch())
        }
        #expect(
            refused?.debugDescription.contains("GET https://api.example.com/v1/a -> 503") == true)
        #expect(refused?.debugDescription.hasSuffix(#"the body begins with "no""#) == true)
        let stream = try await Stub { TransportResponse(Data("x".utf8), try Self.head($0, 200)) }
            .response(in: .production, with: Watch())
        let unreadable = await #expect(throws: StreamError.self) {
            for try await _ in stream {}
        }
        #expect(
            unreadable?.debugDescription.contains("; GET https://api.example.com/v1/a -> 200")
                == true)
    }

    @Test(
        "An event stream that is answered with another type shows the beginning of the body",
        arguments: [
            (
                200, #"{"error": "over quota"}"#,
                #"the body begins with "{\"error\": \"over quota\"}""#
            ),
            (200, "<h1>sign in</h1>", #"the body begins with "<h1>sign in</h1>""#),
            (200, "", "T"),
        ])
    func noEventStream(status: Int, body: String, end: String) async throws {
        struct Events: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "events")
            typealias Response = EventStream<Int>
        }
        for isWhole in [true, false] {
            let chunks = Journal<Data>()
            let error = await #expect(throws: Events.TaskError.self) {
                try await Stub { request in
                    let head = try Self.head(request, status)
                    guard !isWhole else { return TransportResponse(Data(body.utf8), head) }
                    let chunked = ResponseBody(chunks: {
                        chunks.add(Data())
                        return chunks.entries.count == 1 ? Data(body.utf8) : nil
                    })
                    return TransportResponse(body: chunked, head)
                }
                .response(in: .production, with: Events())
            }
            let text = error?.debugDescription.replacing(/, [0-9.e-]+ s(?=;|$)/, with: ", T") ?? ""
            #expect(text.hasPrefix("Events: the response with status 200 can't be read: an event"))
            #expect(text.contains("; GET https://api.example.com/v1/events -> 200, T"))
            #expect(text.hasSuffix(end))
        }
    }

    @Test("The body of a stream that can't be used is waited for a second at most")
    func endlessBody() async throws {
        struct Events: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "events")
            typealias Response = EventStream<Int>
        }
        let start = ContinuousClock.now
        let error = await #expect(throws: Events.TaskError.self) {
            try await Stub { request in
                let body = ResponseBody(chunks: {
                    try await Task.sleep(for: .seconds(600))
                    return nil
                })
                return TransportResponse(body: body, try Self.head(request, 200))
            }
            .response(in: .production, with: Events())
        }
        #expect(error?.description.contains("an event stream must have") == true)
        #expect(.now - start < .seconds(300))
    }

    struct Watch: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = JSONLines<Int>
    }

    @Test("The response of an error keeps its URL, status and headers")
    func head() async throws {
        let error = await #expect(throws: SignIn<User>.TaskError.self) {
            try await Stub { TransportResponse(Data(), try Self.head($0, 404)) }
                .response(in: .production, with: SignIn<User>())
        }
        guard case .unexpectedResponse(let head) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(head.url?.query == "token=t0k3n1&user=ann")
        #expect(head.statusCode == 404)
        #expect(head.value(forHTTPHeaderField: "a") == "b")
    }

    @Test("Dumping an error shows no secret that was sent as a header or received in the body")
    func dumped() async throws {
        let error = await #expect(throws: SignIn<User>.TaskError.self) {
            try await Stub {
                TransportResponse(
                    Data(#"{"code": 1, "message": "b34r3r"}"#.utf8), try Self.head($0, 404))
            }
            .response(in: .production, with: SignIn<User>())
        }
        guard case .errorResponse(let head, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        var text = ""
        dump(head, to: &text)
        #expect(!text.contains("b34r3r") && !text.contains("k3yk3y"))
    }
}
