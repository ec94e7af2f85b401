import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsMiddleware
@testable import EndpointsStreams

@Suite("Downloads that are continued", .timeLimit(.minutes(5)))
struct ContinuedDownloadTests {
    struct GetFile: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "file")
        static let loadPolicy = LoadPolicy(timeLimit: 3600)
        typealias Response = ByteStream
    }

    struct GetPart: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "file", headers: ["Range": "bytes=2-"])
        typealias Response = ByteStream
    }

    /// Responds with four bytes and a lost connection, then with another response.
    private struct Server {
        let fields: [String: String]
        let next: (status: Int, range: String?, text: String)
        var nextTag = "\"1\""
        var failure = URLError.Code.networkConnectionLost
        /// Where redirects lead after the first response. All of the file is `whole` there.
        var moved: String?
        let requests = Locked<[TransportRequest]>([])

        var transport: ClosureTransport {
            ClosureTransport { request in
                let attempt = requests.withLock { requests in
                    requests.append(request)
                    return requests.count
                }
                let part = request.urlRequest.value(forHTTPHeaderField: "Range") != nil
                guard attempt == 1 else {
                    var fields = ["ETag": nextTag]
                    guard let moved else {
                        fields["Content-Range"] = next.range
                        return try .stub(next.status, fields, next.text)
                    }
                    guard part else { return try .stub(200, fields, "whole", at: moved) }
                    fields["Content-Range"] = next.range
                    return try .stub(next.status, fields, next.text, at: moved)
                }
                let isRead = Locked(false)
                let body = ResponseBody {
                    let isFirst = isRead.withLock { isRead in
                        defer { isRead = true }
                        return !isRead
                    }
                    guard isFirst else { throw URLError(failure) }
                    return Data("0123".utf8)
                }
                return TransportResponse(body: body, try .stub(part ? 206 : 200, fields))
            }
        }
    }

    static let tag = ["ETag": "\"1\""]
    static let tagAndLength = ["ETag": "\"1\"", "Content-Length": "10"]
    typealias Row = (
        fields: [String: String], next: (status: Int, range: String?, text: String), file: String?
    )

    static let rows: [Row] = [
        (tag, (206, "bytes 4-9/10", "456789"), "0123456789"),
        (tag, (206, "Bytes 4-9/10", "456789"), "0123456789"),
        (tag, (206, "bytes 4-5/10", "45"), nil),
        (tag, (206, "bytes 4-9/*", "456789"), nil),
        (tag, (206, "bytes 4-9", "456789"), nil),
        (tag, (206, "bytes 4-/10", "456789"), nil),
        (tag, (206, "bytes 5-9/10", "56789"), nil),
        (tag, (206, "bytes 4--9223372036854775808/0", ""), nil),
        (tag, (206, "bytes 4-9/-9223372036854775808", "456789"), nil),
        (tag, (206, "bytes 4-9223372036854775807/1", "456789"), nil),
        (tag, (206, "bytes 4-+9/+10", "456789"), nil),
        (tag, (206, nil, "456789"), nil),
        (tag, (416, "bytes */4", "no more"), "0123"),
        (tag, (416, "bytes */10", "no more"), nil),
        (tag, (416, nil, "no more"), nil),
        ([:], (416, "bytes */4", "no more"), nil),
        (tagAndLength, (416, "bytes */4", "no more"), nil),
        (tagAndLength.merging(["Content-Length": "4"]) { $1 }, (416, "bytes */4", ""), "0123"),
        (tag, (200, nil, "abc"), "abc"),
        (tag, (204, nil, ""), nil),
        (tag, (205, nil, ""), nil),
        ([:], (204, nil, ""), nil),
        ([:], (205, nil, ""), nil),
        (tagAndLength, (206, "bytes 4-9/10", "456789"), "0123456789"),
        (tagAndLength, (206, "bytes 4-9/*", "456789"), "0123456789"),
        (tagAndLength, (206, "bytes 4-10/11", "4567890"), nil),
        (tagAndLength, (206, "bytes 4-8/10", "45678"), nil),
    ]

    @Test(
        "A download goes on only with the whole rest of the same file, and else fails",
        arguments: rows)
    func continued(_ row: Row) async throws {
        let server = Server(fields: row.fields, next: row.next)
        try await expect(row.file, GetFile(), from: server)
    }

    @Test("A download waits by its clock before each new request, each time twice as long")
    func waits() async throws {
        let (waits, attempts) = (Journal<TimeInterval>(), Journal<Void>())
        let transport = ClosureTransport { _ in
            guard attempts.add(()) == 1 else { throw URLError(.cannotConnectToHost) }
            let body = ResponseBody { throw URLError(.networkConnectionLost) }
            return TransportResponse(body: body, try .stub(200, [:]))
        }
        let stream = try await transport.response(in: .production, with: GetFile())
        let folder = try Folder()
        let error = await #expect(throws: StreamError.self) {
            try await stream.save(to: folder.file, clock: .journal(waits))
        }
        #expect(error?.errorCode == 21004)
        #expect(waits.entries == [1, 2, 4, 8, 16])
    }

    @Test("A download of a part, which the request asks for, starts again after a lost connection")
    func part() async throws {
        let server = Server(fields: Self.tag, next: (206, "bytes 2-9/10", "23456789"))
        try await expect("23456789", GetPart(), from: server)
    }

    private func expect<Request: RequestType>(
        _ file: String?, _ request: Request, from server: Server
    ) async throws where Request.Response == ByteStream, Request.Environment == ServerEnvironment {
        let folder = try Folder()
        let url = folder.file
        let stream = try await server.transport.response(in: .production, with: request)
        let error = await Self.error { () throws(StreamError) in
            _ = try await stream.saved(to: url)
        }
        if case .unexpectedResponse(let httpResponse) = error {
            #expect(httpResponse.statusCode == server.next.status)
        } else {
            #expect(error == nil)
        }
        let text = try? String(contentsOf: url, encoding: .utf8)
        #expect(text == file)
        let names = try folder.names
        #expect(names.count == (file == nil ? 0 : 1))
    }

    @Test("The rest of another version of the file isn't added to the beginning of the first")
    func otherVersion() async throws {
        var server = Server(fields: Self.tag, next: (206, "bytes 4-9/10", "456789"))
        server.nextTag = "\"2\""
        try await expect(nil, GetFile(), from: server)
        var ended = Server(fields: Self.tag, next: (416, "bytes */4", ""))
        ended.nextTag = "\"2\""
        try await expect(nil, GetFile(), from: ended)
    }

    @Test(
        "A tag counts for its own URL: after a redirect to another one, all is requested again",
        arguments: [
            ("https://api.example.com/v1/items", "0123456789"),
            ("https://api.example.com/v1/items?signature=2", "0123456789"),
            ("https://api.example.com/v1/other", "whole"),
            ("https://api.example.com/v1/items/", "whole"),
            ("https://other.example/v1/items", "whole"),
        ])
    func otherPlace(moved: String, file: String) async throws {
        for (status, range) in [(206, "bytes 4-9/10"), (416, "bytes */4")] {
            var server = Server(fields: Self.tag, next: (status, range, "456789"))
            server.moved = moved
            let isWhole = file == "whole"
            try await expect(status == 206 || isWhole ? file : "0123", GetFile(), from: server)
        }
    }

    @Test("A download goes on after a timeout, if its time limit leaves time")
    func timeout() async throws {
        var server = Server(fields: Self.tag, next: (206, "bytes 4-9/10", "456789"))
        server.failure = .timedOut
        try await expect("0123456789", GetFile(), from: server)
    }

    private static let unexpected = """
        the server responded with status 404 to the new request that followed a lost connection, \
        so the stream or file can't go on; load it from the start
        """

    @Test(
        "The error of a file that can't be loaded on says to load it from the start",
        arguments: [tag, [:]])
    func unexpectedFile(fields: [String: String]) async throws {
        let folder = try Folder()
        let url = folder.file
        let server = Server(fields: fields, next: (404, nil, ""))
        let stream = try await server.transport.response(in: .production, with: GetFile())
        let error = await Self.error { () throws(StreamError) in
            _ = try await stream.saved(to: url)
        }
        #expect(error?.description == "GetFile: \(Self.unexpected)")
    }

    @Test("The error of an event stream that can't connect again says to load it from the start")
    func unexpectedEvents() async throws {
        let isFirst = Locked(true)
        let transport = ClosureTransport { _ in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            let fields = ["Content-Type": "text/event-stream"]
            return try .stub(isFirst ? 200 : 404, fields, "retry: 1\ndata: 1\n\n")
        }
        let events = try await transport.response(in: .production, with: GetEvents())
        let error = await #expect(throws: StreamError.self) { for try await _ in events {} }
        #expect(error?.description == "GetEvents: \(Self.unexpected)")
    }

    struct GetEvents: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "events")
        static let loadPolicy = LoadPolicy(timeLimit: 60)
        typealias Response = EventStream<ServerSentEvent>
    }

    @Test("An event stream ends at once if its time limit would end before it connects again")
    func waiting() async throws {
        try await expect(21001, afterEvent: "retry: 3600000", requests: 1)
    }

    @Test("An event stream ends with the error of a sign-in, and doesn't connect again")
    func signIn() async throws {
        try await expect(40000, afterEvent: "retry: 1", requests: 2)
    }

    /// Expects the code of the error after one event, if the second request ends with a
    /// `SignInError`.
    private func expect(_ code: Int, afterEvent retry: String, requests count: Int) async throws {
        let requests = Locked(0)
        let transport = ClosureTransport { _ in
            let attempt = requests.withLock { count in
                count += 1
                return count
            }
            guard attempt == 1 else { throw SignInError() }
            let fields = ["Content-Type": "text/event-stream"]
            return try .stub(200, fields, "\(retry)\ndata: 1\n\n")
        }
        var events = try await transport.response(in: .production, with: GetEvents())
            .makeAsyncIterator()
        #expect(try await events.next()?.data == "1")
        let error = await #expect(throws: StreamError.self) { try await events.next() }
        #expect(error?.errorCode == code)
        #expect(requests.withLock { $0 } == count)
    }

    @Test("The request for the rest has the time limit that is left")
    func timeLimit() async throws {
        let server = Server(fields: Self.tag, next: (206, "bytes 4-9/10", "456789"))
        try await expect("0123456789", GetFile(), from: server)
        let limits = server.requests.withLock { $0 }.compactMap(\.policy.timeLimit)
        #expect(limits.count == 2 && limits[0] == 3600 && limits[1] < 3600)
    }

    @Test("The rest isn't requested when the time limit is over")
    func noTimeLeft() async throws {
        struct Brief: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "file")
            static let loadPolicy = LoadPolicy(timeLimit: 1e-9)
            typealias Response = ByteStream
        }
        let folder = try Folder()
        let server = Server(fields: Self.tag, next: (206, "bytes 4-9/10", "456789"))
        let stream = try await server.transport.response(in: .production, with: Brief())
        let url = folder.file
        let error = await Self.error { () throws(StreamError) in
            _ = try await stream.saved(to: url)
        }
        guard case .urlLoadError(let error) = error else {
            Issue.record("not a URLError: \(String(describing: error))")
            return
        }
        #expect(error.code == .networkConnectionLost)
        #expect(server.requests.withLock(\.count) == 1)
    }

    private static func error(
        of save: () async throws(StreamError) -> Void
    ) async -> StreamError? {
        do throws(StreamError) { try await save() } catch { return error }
        return nil
    }
}
