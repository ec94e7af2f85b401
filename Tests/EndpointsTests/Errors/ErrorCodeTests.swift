import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Codes and advice of errors")
struct ErrorCodeTests {
    typealias TaskError = EndpointTaskError<ServerError>
    typealias Row = (
        error: @Sendable () throws -> TaskError, code: Int, reason: String?, suggestion: String?
    )

    struct Load: RequestType {
        static let endpoint = Endpoint<Load>(method: .get, path: "x")
        typealias Response = User
        typealias ErrorResponse = ServerError
    }

    static let program =
        "Correct the request or its environment in the program; trying again doesn't help."
    static let version =
        "Update the app: the server sends something that this version can't read."
    static let file = URL(fileURLWithPath: "/s3cret")

    static let rows: [Row] = [
        (
            {
                .endpointError(
                    EndpointError(requestType: "Load", field: .header("A"), reason: "is empty"))
            }, 10006, #"the header "A" is empty"#, program
        ),
        (
            { .urlLoadError(URLError(.timedOut)) }, 21001, "it took too long (URLError -1001)",
            "Check the connection to the internet, and try again later."
        ),
        (
            { .urlLoadError(URLError(.badURL)) }, 21000, "the URL is malformed (URLError -1000)",
            nil
        ),
        (
            { .internetConnectionOffline(URLError(.notConnectedToInternet)) }, 31009,
            "there is no connection to the internet (URLError -1009)",
            "Connect the device to the internet, and try again."
        ),
        (
            { .transportError(TransportError(cause: SignInError())) }, 40000,
            "there are no credentials; sign in",
            "Sign in, and try again."
        ),
        (
            { .fileError(FileError(.outOfSpace, at: file)) }, 50005,
            "the disk has too little space for the file, or allows only smaller files",
            "Free some space on the disk, or use another disk, and try again."
        ),
        ({ .cancelled(URLError(.cancelled)) }, 60000, nil, nil),
        (
            { .unexpectedResponse(httpResponse: try CannedResponse(302).httpResponse) }, 70302,
            "the status is 302", nil
        ),
        (
            {
                .errorResponse(
                    httpResponse: try CannedResponse(401).httpResponse,
                    response: ServerError(code: 1, message: "s3cret"))
            }, 80401, "the status is 401", "Sign in, and try again."
        ),
        (
            { try CannedResponse(503, "s3cret").error(of: Load.self) }, 90503,
            "the content is not valid", "Try again later."
        ),
        (
            { try CannedResponse(200, "{}").error(of: Load.self) }, 100200,
            "the value at `id` is missing", version
        ),
    ]

    @Test(
        "Each case has a stable code, a reason and, where something helps, a suggestion",
        arguments: rows)
    func row(_ row: Row) throws {
        let error = try row.error()
        let bridged = error as NSError
        #expect(bridged.domain == "Endpoints.TaskError")
        #expect(bridged.code == row.code)
        #expect(error.failureReason == row.reason)
        #expect(bridged.localizedFailureReason == row.reason)
        #expect(error.recoverySuggestion == row.suggestion)
        #expect(bridged.localizedRecoverySuggestion == row.suggestion)
        #expect(bridged.localizedDescription == error.description)
        // From 70,000 on, a code ends with the status of the response that there was.
        #expect(error.httpResponse?.statusCode == (row.code > 70_000 ? row.code % 1_000 : nil))
    }

    @Test("Each field of a request has a code of its own")
    func fields() {
        let fields: [EndpointError.Field] = [
            .method, .path, .pathValue("a"), .query("a"), .form("a"), .header("a"), .body,
            .response,
            .property("a"), .baseUrl, .url, .prepare, .requestProcessor, .part("a"),
            .environmentHeaders, .transport,
        ]
        let errors = fields.map { EndpointError(requestType: "A", field: $0, reason: "is wrong") }
        #expect(errors.map(\.errorCode) == Array(1...16))
        #expect(errors.allSatisfy { ($0 as NSError).domain == "Endpoints.EndpointError" })
    }

    @Test("Each kind of FileError has a code of its own, and a suggestion unless it is unknown")
    func files() {
        let kinds: [FileError.Kind] = [
            .exists, .missing, .notAFile, .notPermitted, .outOfSpace, .changed, .busy,
            .other(code: 7),
        ]
        let errors = kinds.map { FileError($0, at: Self.file) }
        #expect(errors.map { ($0 as NSError).code } == [1, 2, 3, 4, 5, 6, 7, 1007])
        #expect(errors.map { ($0 as NSError).domain }.allSatisfy { $0 == "Endpoints.FileError" })
        #expect(
            errors.map { $0.recoverySuggestion == nil } == [
                false, false, false, false, false, false, false, true,
            ])
    }

    @Test("An error response that is a LocalizedError gives its own reason and suggestion")
    func localized() throws {
        struct Taken: LocalizedError {
            var failureReason: String? { "the name is taken" }
            var recoverySuggestion: String? { "Choose another name." }
        }
        let error = EndpointTaskError.errorResponse(
            httpResponse: try CannedResponse(409).httpResponse, response: Taken())
        #expect(error.failureReason == "the name is taken")
        #expect(error.recoverySuggestion == "Choose another name.")
    }

    @Test("Errors of every library type have a stable domain")
    func domains() throws {
        let parsing = try CannedResponse(200, "{}").error(of: Load.self)
        guard case .responseParseError(_, _, let error) = parsing else {
            Issue.record(parsing)
            return
        }
        #expect((error as NSError).domain == "Endpoints.EndpointParseError")
        #expect((error as NSError).code == 1)
        #expect((SignInError() as NSError).domain == "Endpoints.SignInError")
        #expect((UnrepresentableValue("a") as NSError).domain == "Endpoints.UnrepresentableValue")
    }
}
