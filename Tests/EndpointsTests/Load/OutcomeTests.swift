import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Outcomes", .needsServers)
struct OutcomeTests {
    @Test("The async loader ends each kind of load as the other loaders do", arguments: Outcome.all)
    func async(outcome: Outcome) async throws {
        let actual = try await outcome.actual(AsyncLoader())
        #expect(actual == outcome.expected)
    }

    @Test(
        "The callback loader ends each kind of load as the other loaders do", arguments: Outcome.all
    )
    func callback(outcome: Outcome) async throws {
        let actual = try await outcome.actual(CallbackLoader())
        #expect(actual == outcome.expected)
    }

    @Test("A stream ends each kind of load as the other loaders do", arguments: Outcome.all)
    func stream(outcome: Outcome) async throws {
        let actual = try await outcome.actual(StreamLoader())
        #expect(actual == outcome.expected)
    }

    struct AsyncLoader: OutcomeLoader {
        func load<Request: RequestType>(
            _ request: Request, in environment: Request.Environment, by session: URLSession
        ) async -> Result<Request.Response, Request.TaskError> {
            do throws(Request.TaskError) {
                return .success(try await session.response(in: environment, with: request))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The async loader, with responses that arrive in chunks.
    struct StreamLoader: OutcomeLoader {
        func load<Request: RequestType>(
            _ request: Request, in environment: Request.Environment, by session: URLSession
        ) async -> Result<Request.Response, Request.TaskError> {
            do throws(Request.TaskError) {
                let transport = InChunks(session)
                return .success(try await transport.response(in: environment, with: request))
            } catch {
                return .failure(error)
            }
        }
    }

    struct CallbackLoader: OutcomeLoader {
        func load<Request: RequestType>(
            _ request: Request, in environment: Request.Environment, by session: URLSession
        ) async -> Result<Request.Response, Request.TaskError> {
            await withCheckedContinuation { continuation in
                do throws(EndpointError) {
                    let task = try session.endpointTask(in: environment, with: request) { result in
                        continuation.resume(returning: result)
                    }
                    task.resume()
                } catch {
                    continuation.resume(returning: .failure(.endpointError(error)))
                }
            }
        }
    }
}
