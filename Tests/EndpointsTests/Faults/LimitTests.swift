import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Limits of a load", .needsServers)
struct LimitTests {
    @Test(
        "A body larger than the limit ends the load, also an error's and a compressed one",
        arguments: [
            ("bomb?mb=2", LoadPolicy(bodyLimit: 1 << 20)),
            ("error-bomb?mb=2", LoadPolicy(bodyLimit: 1 << 20)),
            ("error-large?mb=2", LoadPolicy(bodyLimit: 1 << 20)),
            ("bomb?mb=68", .default),
        ])
    func tooLarge(_ path: String, _ policy: LoadPolicy) async throws {
        #expect(try await end(of: path, under: policy) == .dataLengthExceedsMaximum)
        let code: URLError.Code? = policy == .default ? nil : .dataLengthExceedsMaximum
        #expect(try await end(of: path, under: policy, inChunks: true) == code)
    }

    @Test(
        "A body as long as the limit is read, and one byte more ends the load",
        arguments: [(12, nil), (11, URLError.Code.dataLengthExceedsMaximum)])
    func justAsLarge(_ largest: Int, _ code: URLError.Code?) async throws {
        let policy = LoadPolicy(bodyLimit: largest)
        #expect(try await end(of: "keep-alive-closed", under: policy) == code)
        #expect(try await end(of: "keep-alive-closed", under: policy, inChunks: true) == code)
    }

    @Test(
        "The time limit ends a load whose body never ends",
        arguments: ["endless-body", "endless-body-without-length", "error-endless"], [false, true])
    func endless(_ path: String, _ inChunks: Bool) async throws {
        let start = ContinuousClock.now
        let policy = LoadPolicy(timeLimit: 0.2)
        #expect(try await end(of: path, under: policy, inChunks: inChunks) == .timedOut)
        #expect(start.duration(to: .now) < .seconds(30), "the server goes on for two minutes")
    }

    @Test(
        "A time limit that leaves no time ends the load at once",
        arguments: [0, -1, -Double.infinity, .nan])
    func noTime(_ seconds: TimeInterval) async throws {
        let policy = LoadPolicy(timeLimit: seconds)
        #expect(try await end(of: "no-response", under: policy) == .timedOut)
        #expect(try await end(of: "no-response", under: policy, inChunks: true) == .timedOut)
    }

    @Test(
        "A time limit that isn't finite leaves the session's limit in place",
        arguments: [.infinity, 1e300 as Double])
    func sessionsTime(_ seconds: TimeInterval) async throws {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForResource = 0.2
        let session = URLSession(configuration: configuration)
        let policy = LoadPolicy(timeLimit: seconds)
        #expect(try await end(of: "no-response", under: policy, by: session) == .timedOut)
    }

    @Test("A load that exceeds its time limit calls back on the session's delegate queue")
    func queue() async throws {
        let queue = OperationQueue()
        let session = URLSession(configuration: .default, delegate: nil, delegateQueue: queue)
        let environment = ServerEnvironment(baseUrl: try FaultServer().address)
        let (queues, calls) = AsyncStream.makeStream(of: OperationQueue?.self)
        let task = try session.endpointTask(in: environment, with: GetNoResponse()) { _ in
            calls.yield(OperationQueue.current)
        }
        task.resume()
        var iterator = queues.makeAsyncIterator()
        let current = try #require(await iterator.next())
        #expect(current === queue)
    }

    @Test("An error's body that can't be read is kept up to its limit")
    func unreadableError() async throws {
        let environment = ServerEnvironment(baseUrl: try FaultServer().address)
        do throws(GetLargeError<[Int]>.TaskError) {
            try await URLSession.shared.response(in: environment, with: GetLargeError<[Int]>())
            Issue.record("the error response is a success")
        } catch .errorResponseParseError(_, let data, _) {
            #expect(data == Data(#"{"error": "aaaaa"#.utf8))
        } catch {
            Issue.record(error)
        }
    }

    @Test("An error's body that can be read is read whole, whatever the limit")
    func readableError() async throws {
        let environment = ServerEnvironment(baseUrl: try FaultServer().address)
        do throws(GetLargeError<Fault.Problem>.TaskError) {
            try await URLSession.shared.response(
                in: environment, with: GetLargeError<Fault.Problem>())
            Issue.record("the error response is a success")
        } catch .errorResponse(_, let problem) {
            #expect(problem.error.utf8.count == 1_000_000 - 13)
        } catch {
            Issue.record(error)
        }
    }

    /// The code of the error that a load ends with; `nil` for a response.
    private func end(
        of path: String, under policy: LoadPolicy, by session: URLSession = .shared,
        inChunks: Bool = false
    ) async throws -> URLError.Code? {
        let url = try #require(URL(string: path, relativeTo: FaultServer().address))
        do {
            let transport: any Transport = inChunks ? InChunks(session) : session
            _ = try await transport.load(URLRequest(url: url.absoluteURL), policy)
        } catch let error as URLError {
            return error.code
        }
        return nil
    }
}

/// A request that gets no response, with a short time limit.
private struct GetNoResponse: FlatRequest {
    static let endpoint = Endpoint<GetNoResponse>(method: .get, path: "no-response")
    typealias Response = Void
    static var loadPolicy: LoadPolicy { LoadPolicy(timeLimit: 0.2) }
}

/// A request for an error response of a megabyte, with a limit of a few bytes.
private struct GetLargeError<ErrorResponse: Decodable & Sendable>: FlatRequest {
    typealias Response = Void

    static var endpoint: Endpoint<Self> {
        Endpoint(method: .get, path: "error-large", parameters: [.queryValue("mb", value: 1)])
    }
    static var loadPolicy: LoadPolicy { LoadPolicy(errorBodyLimit: 16) }
}
