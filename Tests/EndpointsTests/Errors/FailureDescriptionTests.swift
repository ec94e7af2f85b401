import Endpoints
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Debug descriptions of loads that failed")
struct FailureDescriptionTests {
    private typealias Base = DebugDescriptionTests
    private static let url = Base.url

    struct Expired: Error {}

    @Test(
        "An errno that has a cause of its own is told in words",
        arguments: [
            (ELOOP, "the file is a symbolic link that leads back to itself; remove the link"),
            (ENAMETOOLONG, "the file's name or path is too long; use a shorter one"),
            (EMFILE, "too many files are open; close some, and try again"),
            (EIO, "the file can't be read or written (errno 5)"),
        ] as [(Int32, String)])
    func causes(code: Int32, text: String) {
        let error = FileError(.other(code: code), at: URL(fileURLWithPath: "/private/name"))
        #expect(error.description == text)
    }

    static let file = FileError(.missing, at: URL(fileURLWithPath: "/private/name"))
    static let refusal = EndpointError(requestType: "", field: .body, reason: "is too large")

    /// What a transport throws, and what is known of it.
    static let failures: [(error: any Error, text: String)] = [
        (
            URLError(.timedOut),
            "SignIn<User>: the load failed: it took too long (URLError -1001); \(url), T"
        ),
        (
            URLError(.dataNotAllowed),
            "SignIn<User>: the device is offline: cellular data is not allowed (URLError -1020); \(url), T"
        ),
        (
            file,
            "SignIn<User>: the load failed: there is no such file, or its directory is missing; check the file's URL; \(url), T; the file is \"/private/name\""
        ),
        (
            FileError(.notAFile, at: URL(string: "https://u:p@h/a?token=t0k3n1")!),
            "SignIn<User>: the load failed: the URL is not that of a file; use a file URL, and not that of a directory; \(url), T; the file is \"https://h/a?token=…\""
        ),
        (refusal, "SignIn<User>: the body is too large; \(url), T"),
        (Expired(), "SignIn<User>: the load failed: Expired was thrown; \(url), T"),
        (
            TransportError(cause: URLError(.timedOut)),
            "SignIn<User>: the load failed: it took too long (URLError -1001); \(url), T"
        ),
        (
            TransportError(cause: CancellationError()),
            "SignIn<User>: the load was cancelled; \(url), T"
        ),
        (
            TransportError(cause: Expired()),
            "SignIn<User>: the load failed: Expired was thrown; \(url), T"
        ),
        (CancellationError(), "SignIn<User>: the load was cancelled; \(url), T"),
        (URLError(.cancelled), "SignIn<User>: the load was cancelled; \(url), T"),
    ]

    @Test(
        "The error of a load that failed has the method, the masked URL and the time",
        arguments: failures)
    func failure(row: (error: any Error, text: String)) async {
        #expect(await Base.text(of: User.self) { _ in throw row.error } == row.text)
    }

    @Test("An error without a text of its own is named by its type, also out of a continuation")
    func boxed() async {
        let error = await #expect(throws: Fetch.TaskError.self) {
            try await ClosureTransport { _ in
                try await withCheckedThrowingContinuation { $0.resume(throwing: Expired()) }
            }
            .response(in: .production, with: Fetch())
        }
        #expect(error?.description == "Fetch: the load failed: Expired was thrown")
    }

    @Test("The error of a load that was cancelled doesn't keep the URL, which may have secrets")
    func cancelledURL() async throws {
        let thrown = URLError(.cancelled, userInfo: [NSLocalizedDescriptionKey: "s3cr3t"])
        let error = await #expect(throws: Show.TaskError.self) {
            try await Base.Stub { _ in throw thrown }
                .response(in: .production, with: Show(body: ""))
        }
        guard case .cancelled(let error) = error else { throw try #require(error) }
        #expect(!"\(error.userInfo)".contains("s3cr3t"))
    }

    @Test("The error of a request that can't be made has the sentence only, as there is no URL")
    func notMade() async throws {
        let error = await #expect(throws: Base.SignIn<User>.TaskError.self) {
            try await Base.Stub { TransportResponse(Data(), try Base.head($0, 200)) }
                .response(in: .production, with: Base.SignIn<User>(apiKey: "a\n"))
        }
        #expect(error?.debugDescription == error?.description)
    }

    @Test("The error of a request that can't be sent has its method and masked URL")
    func notSent() async throws {
        let error = await #expect(throws: Show.TaskError.self) {
            try await URLSession.shared.response(in: .production, with: Show(body: "x"))
        }
        #expect(error?.debugDescription.contains("; GET https://api.example.com/v1/a, 0") == true)
    }

    struct Show: FlatRequest {
        let body: String
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = Void
    }

    @Test(
        "The error of a file that can't be saved has the method, the URL, the status and the time")
    func saved() async throws {
        let stream = try await Base.Stub {
            TransportResponse(Data("x".utf8), try Base.head($0, 200))
        }
        .response(in: .production, with: Fetch())
        let missing = URL(fileURLWithPath: "/nowhere/file")
        let error = await #expect(throws: StreamError.self) { try await stream.save(to: missing) }
        #expect(
            error?.debugDescription.contains("; GET https://api.example.com/v1/a -> 200, ") == true)
        guard case .fileError(let error) = error else {
            Issue.record("no file error")
            return
        }
        #expect(error == FileError(.missing, at: missing))
        #expect(error.hashValue == FileError(.missing, at: missing).hashValue)
    }

    struct Fetch: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = ByteStream
    }

    @Test("The error of a save that was cancelled has the method, the URL and the status")
    func cancelled() async throws {
        let stream = try await Base.Stub {
            TransportResponse(Data("x".utf8), try Base.head($0, 200))
        }
        .response(in: .production, with: Fetch())
        let folder = try Folder()
        let progress = Progress(totalUnitCount: -1)
        progress.cancel()
        let error = await #expect(throws: StreamError.self) {
            try await stream.save(to: folder.file, progress: progress)
        }
        #expect(error?.description == "Fetch: the load was cancelled")
        #expect(
            error?.debugDescription.contains("; GET https://api.example.com/v1/a -> 200, ") == true)
    }

    struct Unmade: FlatRequest {
        struct Refusing: StreamedResponse {
            typealias Element = Data
            static var acceptedType: MIMEType? { nil }
            init(_ response: ArrivingResponse) throws { throw Expired() }
            func makeAsyncIterator() -> AsyncThrowingStream<Data, any Error>.Iterator {
                AsyncThrowingStream { nil }.makeAsyncIterator()
            }
        }
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = Refusing
    }

    @Test("The error of a stream that can't be made has the method, the URL and the status")
    func unmade() async {
        let error = await #expect(throws: Unmade.TaskError.self) {
            try await Base.Stub { TransportResponse(Data(), try Base.head($0, 200)) }
                .response(in: .production, with: Unmade())
        }
        #expect(error?.errorCode == 100200)
        #expect(
            error?.debugDescription.contains("; GET https://api.example.com/v1/a -> 200, ") == true)
    }

    @Test("The error of a stream that broke has the status of its response")
    func broken() async throws {
        let stream = try await Base.Stub { request in
            let body = ResponseBody { throw URLError(.networkConnectionLost) }
            return TransportResponse(body: body, try Base.head(request, 200))
        }
        .response(in: .production, with: Base.Watch())
        let error = await #expect(throws: StreamError.self) { for try await _ in stream {} }
        #expect(
            error?.debugDescription.contains("; GET https://api.example.com/v1/a -> 200, ") == true)
    }
}
