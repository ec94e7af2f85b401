import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Catching errors")
struct CatchTests {
    struct Load: RequestType {
        static let endpoint = Endpoint<Load>(method: .get, path: "x")
        typealias Response = User
        typealias ErrorResponse = ServerError
    }
    struct LoadAll: RequestType {
        static let endpoint = Endpoint<LoadAll>(method: .get, path: "y")
        typealias Response = [User]
        typealias ErrorResponse = ServerError
    }

    private struct Canned: Transport {
        let canned: CannedResponse
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            TransportResponse(canned.body, try canned.httpResponse)
        }
    }

    private let transport = Canned(canned: CannedResponse(409, #"{"code": 7, "message": "no"}"#))

    @Test("A do block whose calls throw one type catches an error's case without a cast")
    func plain() async {
        do {
            let user = try await transport.response(in: .production, with: Load())
            Issue.record("\(user)")
        } catch .errorResponse(let httpResponse, let error) {
            #expect(httpResponse.statusCode == 409)
            #expect(error.code == 7)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("Inside a closure, `do throws(…)` catches an error's case without a cast")
    func closure() async {
        await Task { [transport] in
            do throws(Load.TaskError) {
                _ = try await transport.response(in: .production, with: Load())
                Issue.record("no error")
            } catch .errorResponse(let httpResponse, let error) {
                #expect(httpResponse.statusCode == 409)
                #expect(error.message == "no")
            } catch {
                Issue.record("\(error)")
            }
        }.value
    }

    @Test("Beside other calls that throw, an error can be caught as its type")
    func beside() async {
        do {
            try Task.checkCancellation()
            _ = try await transport.response(in: .production, with: Load())
            Issue.record("no error")
        } catch let error as Load.TaskError {
            guard case .errorResponse(_, let response) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(response == ServerError(code: 7, message: "no"))
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("Requests that share an ErrorResponse share one type of error to catch")
    func shared() async {
        do throws(EndpointTaskError<ServerError>) {
            _ = try? await transport.response(in: .production, with: Load())
            _ = try await transport.response(in: .production, with: LoadAll())
            Issue.record("no error")
        } catch .errorResponse(_, let error) {
            #expect(error.code == 7)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("The failure of a Result can be switched over by its case")
    func patterns() throws {
        let result: Result<User, Load.TaskError> = .failure(
            try transport.canned.error(of: Load.self))
        guard case .failure(let error) = result else { return }
        switch error {
        case .errorResponse(let code, let error):
            #expect(code.statusCode == 409)
            #expect(error.code == 7)
        default:
            Issue.record("\(error)")
        }
    }

    @Test("A switch over every case of a TaskError is exhaustive")
    func exhaustive() throws {
        switch try transport.canned.error(of: Load.self) {
        case .errorResponse(let httpResponse, let response):
            #expect(httpResponse.statusCode == 409 && response.code == 7)
        case .endpointError(let error): Issue.record("\(error.field) \(error.reason)")
        case .urlLoadError(let error), .internetConnectionOffline(let error):
            Issue.record("\(error.code)")
        case .transportError(let error): Issue.record("\(error)")
        case .fileError(let error): Issue.record("\(error)")
        case .cancelled: Issue.record("cancelled")
        case .unexpectedResponse(let httpResponse): Issue.record("\(httpResponse)")
        case .errorResponseParseError(let httpResponse, let data, let error),
            .responseParseError(let httpResponse, let data, let error):
            Issue.record("\(httpResponse) \(data) \(error.cause)")
        }
    }
}
