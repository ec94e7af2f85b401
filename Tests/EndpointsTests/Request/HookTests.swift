import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct HookTests {
    struct Signed: FlatRequest {
        typealias Response = Void
        static let endpoint = Endpoint<Signed>(

            method: .post, path: "s",
            headers: HeaderList(
                ["X-Order": .fieldValue(value: "declared")], contentsOf: \.more))
        var body = "body"
        var refuses = false
        var more: [Headers: String] { ["X-More": "more"] }

        func prepare(_ request: inout URLRequest) throws {
            if refuses { throw Refusal(secret: "s3cr3t") }
            request.append("prepared")
            request.timeoutInterval = 7
            request.cachePolicy = .reloadIgnoringLocalCacheData
        }
    }

    struct Refusal: Error, Equatable { let secret: String }

    @Test("prepare changes the finished request, and then the environment's requestProcessor does")
    func order() throws {
        var environment = ServerEnvironment.production
        environment.requestProcessor = { request in
            request.append("processed \(request.timeoutInterval)")
            #expect(request.url?.absoluteString == "https://api.example.com/v1/s")
            #expect(request.httpMethod == "POST")
            #expect(request.httpBody == Data("body".utf8))
            #expect(request.value(forHTTPHeaderField: "X-More") == "more")
            #expect(
                request.value(forHTTPHeaderField: "Content-Type") == "text/plain; charset=utf-8")
        }
        let request = try Signed().urlRequest(in: environment)
        #expect(
            request.value(forHTTPHeaderField: "X-Order") == "declared, prepared, processed 7.0")
        #expect(request.timeoutInterval == 7)
        #expect(request.cachePolicy == .reloadIgnoringLocalCacheData)
    }

    @Test("Without hooks the request has Foundation's own defaults")
    func defaults() throws {
        let request = try Probe().urlRequest(in: .production)
        let url = try #require(request.url)
        #expect(request == URLRequest(url: url))
        #expect(request.httpBody == nil)
        #expect(request.allHTTPHeaderFields ?? [:] == [:])
    }

    @Test("An error thrown by prepare is kept as the cause, and requestProcessor doesn't run")
    func refusedByPrepare() throws {
        let environment = ServerEnvironment(baseUrl: ServerEnvironment.production.baseUrl) { _ in
            Issue.record("the processor ran")
        }
        let error = #expect(throws: EndpointError.self) {
            try Signed(refuses: true).urlRequest(in: environment)
        }
        #expect(error?.field == .prepare)
        #expect(
            error?.description
                == "Signed: the prepare function refused the request: Refusal was thrown")
        #expect(error?.cause as? Refusal == Refusal(secret: "s3cr3t"))
    }

    @Test("The suggestion of an error that a hook throws is that of the request's error")
    func suggestion() {
        let environment = ServerEnvironment(baseUrl: ServerEnvironment.production.baseUrl) { _ in
            throw SignInError()
        }
        let error = #expect(throws: EndpointError.self) {
            try Signed().urlRequest(in: environment)
        }
        #expect(error?.recoverySuggestion == "Sign in, and try again.")
    }

    @Test("An error thrown by requestProcessor is kept as the cause")
    func refusedByProcessor() throws {
        let environment = ServerEnvironment(baseUrl: ServerEnvironment.production.baseUrl) { _ in
            throw Refusal(secret: "s3cr3t")
        }
        let error = #expect(throws: EndpointError.self) { try Signed().urlRequest(in: environment) }
        #expect(error?.field == .requestProcessor)
        #expect(
            error?.description == """
                Signed: the environment's requestProcessor refused the request: Refusal was thrown
                """)
        #expect(error?.cause as? Refusal == Refusal(secret: "s3cr3t"))
    }

    @Test("A request that can't be made doesn't reach prepare or requestProcessor")
    func refusedBefore() throws {
        let environment = ServerEnvironment(baseUrl: URL(fileURLWithPath: "/")) { _ in
            Issue.record("the processor ran")
        }
        #expect(throws: EndpointError.self) {
            try Signed(refuses: true).urlRequest(in: environment)
        }
    }
}

extension URLRequest {
    fileprivate mutating func append(_ step: String) {
        let steps = value(forHTTPHeaderField: "X-Order") ?? ""
        setValue("\(steps), \(step)", forHTTPHeaderField: "X-Order")
    }
}
