import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The body of a 401 in place of a stream", .timeLimit(.minutes(5)))
struct UnauthorizedBodyTests {
    struct Watch: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "watch")
        static let loadPolicy = LoadPolicy(bodyLimit: 1000)
        typealias Response = ByteStream
    }

    /// Responds with a 401 whose body is longer than the limit, and doesn't end.
    private final class Endless: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { true }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            guard let url = request.url, let head = try? HTTPURLResponse.stub(401, at: "\(url)")
            else { return }
            client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data(count: 1001))
        }

        override func stopLoading() {}
    }

    @Test("An endless 401 ends the load at the limit of an error response")
    func endless() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Endless.self]
        let session = URLSession(configuration: configuration)
        let error = await #expect(throws: Watch.TaskError.self) {
            try await session.response(in: .production, with: Watch())
        }
        guard case .urlLoadError(let error) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error.code == .dataLengthExceedsMaximum)
    }

    @Test("Before a head is final, a stream's body has the limit of an error response")
    func limit() throws {
        let buffer = ResponseBuffer(unreadLimit: .max)
        let load = SessionLoad(
            of: URLRequest(url: url("https://h")), by: .shared, under: LoadPolicy(), into: buffer)
        #expect(load.bodyLimit == 64 << 20)
        buffer.begin(try .stub(200), isFinal: true)
        #expect(load.bodyLimit == .max)
    }
}
