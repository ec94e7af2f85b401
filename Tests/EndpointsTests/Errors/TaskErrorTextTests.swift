import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Texts of a TaskError")
struct TaskErrorTextTests {
    typealias TaskError = EndpointTaskError<ServerError>

    private static func unreadable(_ body: String, status: Int = 200) throws -> TaskError {
        struct Load: RequestType {
            static let endpoint = Endpoint<Load>(method: .get, path: "x")
            typealias Response = User
            typealias ErrorResponse = ServerError
        }
        return try CannedResponse(status, body).error(of: Load.self)
    }

    /// A URLError as a session makes it, with user info and a query in its URL.
    private static func urlError(_ code: URLError.Code) -> URLError {
        let url = "https://user:s3cret@api.example.com/x?key=s3cret"
        return URLError(
            code,
            userInfo: [
                NSURLErrorFailingURLErrorKey: URL(string: url) as Any,
                NSLocalizedDescriptionKey: "The request to \(url) failed",
            ])
    }

    /// Each case and its text.
    static let cases: [(error: @Sendable () throws -> TaskError, text: String)] = [
        (
            {
                .endpointError(
                    EndpointError(
                        requestType: "Load", field: .header("X-Token"),
                        reason: "has a control character, such as a line break; remove it"))
            },
            #"Load: the header "X-Token" has a control character, such as a line break; remove it"#
        ),
        (
            { .urlLoadError(urlError(.timedOut)) },
            "The load failed: it took too long (URLError -1001)"
        ),
        (
            { .urlLoadError(urlError(.cannotConnectToHost)) },
            "The load failed: no connection to the host could be made (URLError -1004)"
        ),
        (
            { .internetConnectionOffline(urlError(.notConnectedToInternet)) },
            "The device is offline: there is no connection to the internet (URLError -1009)"
        ),
        (
            {
                .transportError(
                    TransportError(
                        cause: SignInError(cause: StreamError.urlLoadError(urlError(.timedOut)))))
            },
            """
            The load failed: the credentials could not be read or refreshed: it took too long \
            (URLError -1001)
            """
        ),
        (
            {
                .transportError(
                    TransportError(
                        cause: SignInError(
                            cause: StreamError.transportError(
                                TransportError(cause: SignInError())))))
            },
            """
            The load failed: the credentials could not be read or refreshed: there are no \
            credentials; sign in
            """
        ),
        (
            { .transportError(TransportError(cause: StreamError.urlLoadError(URLError(.badURL)))) },
            "The load failed: the URL is malformed (URLError -1000)"
        ),
        (
            {
                .transportError(
                    TransportError(
                        cause: SignInError(
                            cause: TaskError.errorResponse(
                                httpResponse: try CannedResponse(400).httpResponse,
                                response: ServerError(code: 1, message: "s3cret")))))
            },
            """
            The load failed: the credentials could not be read or refreshed: The server responded \
            with an error, status 400
            """
        ),
        ({ .cancelled(URLError(.cancelled)) }, "The load was cancelled"),
        (
            { .unexpectedResponse(httpResponse: try CannedResponse(302).httpResponse) },
            "The server responded with status 302, which is neither a success nor an error"
        ),
        (
            {
                .errorResponse(
                    httpResponse: try CannedResponse(422).httpResponse,
                    response: ServerError(code: 1, message: "s3cret"))
            },
            "The server responded with an error, status 422"
        ),
        (
            { try unreadable("<s3cret>", status: 500) },
            "Load: the error response with status 500 can't be read: the content is not valid"
        ),
        (
            { try unreadable("<s3cret>") },
            "Load: the response with status 200 can't be read: the content is not valid"
        ),
    ]

    @Test(
        "The text of a TaskError is one sentence without a value that was sent or received",
        arguments: cases)
    func sentence(row: (error: @Sendable () throws -> TaskError, text: String)) throws {
        let error = try row.error()
        #expect(String(describing: error) == row.text)
        #expect("\(error)" == row.text)
        #expect(error.localizedDescription == row.text)
        #expect((error as any Error).localizedDescription == row.text)
        #expect((error as NSError).localizedDescription == row.text)
    }

    @Test("If the ErrorResponse is Never, the text doesn't say whether the response has a body")
    func never() throws {
        struct Load: RequestType {
            static let endpoint = Endpoint<Load>(method: .get, path: "x")
            typealias Response = User
            typealias ErrorResponse = Never
        }
        let error = try CannedResponse(404).error(of: Load.self)
        #expect(error.description == "The server responded with status 404")
    }

    private static let url = "https://api.example.com/x?key=…"

    @Test("Only debugDescription shows an unreadable body, and at most 512 bytes of it")
    func debugDescription() throws {
        let body = "<" + String(repeating: "a", count: 511)
        for status in [200, 500] {
            let error = try Self.unreadable(body + "b", status: status)
            #expect(
                error.debugDescription
                    == #"\#(error); \#(Self.url) -> \#(status); the body begins with "\#(body)""#)
            #expect(String(reflecting: error) == error.debugDescription)
        }
        let quoted = try Self.unreadable("a\n\"\u{0}\u{85}\u{2028}")
        #expect(
            quoted.debugDescription
                == "\(quoted); \(Self.url) -> 200; the body begins with "
                + #""a\n\"\0\u{85}\u{2028}""#)
        let cancelled = TaskError.cancelled(URLError(.cancelled))
        #expect(cancelled.debugDescription == "The load was cancelled")
    }

    @Test("Each code of a URLError has a text of its own, with its number")
    func codes() {
        let codes = (-3010 ... -995).compactMap(URLError.Code.init(rawValue:))
        let sentences = codes.map { TaskError.urlLoadError(URLError($0)).description }
        #expect(Set(sentences).count == codes.count)
        for (code, sentence) in zip(codes, sentences) {
            #expect(sentence.hasPrefix("The load failed: "))
            #expect(sentence.contains("URLError \(code.rawValue)"))
        }
    }

    struct Conflict: LocalizedError, Decodable {
        let message: String
        var errorDescription: String? { message.isEmpty ? nil : message }
    }

    @Test(
        "A localized error response says in the error's text what happened",
        arguments: [
            (
                "the name is taken",
                "The server responded with an error, status 409: the name is taken"
            ),
            ("", "The server responded with an error, status 409"),
        ])
    func localized(message: String, text: String) throws {
        let error = EndpointTaskError.errorResponse(
            httpResponse: try CannedResponse(409).httpResponse, response: Conflict(message: message)
        )
        #expect(error.description == text)
        #expect(error.localizedDescription == text)
    }
}
