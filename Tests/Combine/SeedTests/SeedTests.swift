import Endpoints
import Foundation
import OpenCombine
import SeedSupport
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The requests of the seed's examples, which Tests/Compile/seed.sh compiles.
@Suite("The seed's examples", .serialized, .timeLimit(.minutes(1))) struct SeedTests {
    @Test(
        "Each example of the seed makes the request that its text describes", arguments: Example.all
    )
    func request(_ example: Example) throws {
        let request = try example.request(.production)
        #expect(request.httpMethod == example.method)
        #expect(request.url?.absoluteString == "https://production.mydomain.com" + example.target)
        #expect(request.allHTTPHeaderFields ?? [:] == example.headers)
        #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == example.body)
    }

    @Test("Each example of the seed sends its request where it is used", arguments: Example.all)
    func use(_ example: Example) async throws {
        guard let use = example.use else { return }
        let sent = Production.requests()
        var cancellables: Set<AnyCancellable> = []
        use(&cancellables)
        let request = try #require(await sent.first { _ in true })
        #expect(cancellables.count == 1)
        #expect(request.httpMethod == example.method)
        #expect(request.url?.absoluteString == "https://production.mydomain.com" + example.target)
        for (name, value) in example.headers {
            #expect(request.value(forHTTPHeaderField: name) == value)
        }
        #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == example.body)
    }
}

/// Stands for the production server in `URLSession.shared`. It records each request and responds to
/// none.
final class Production: URLProtocol {
    private static let reader = Mutex<AsyncStream<URLRequest>.Continuation?>(nil)

    /// The requests that arrive from now on.
    static func requests() -> AsyncStream<URLRequest> {
        _ = URLProtocol.registerClass(Production.self)
        let (stream, continuation) = AsyncStream<URLRequest>.makeStream()
        reader.withLock { $0 = continuation }
        return stream
    }

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() { _ = Self.reader.withLock { $0?.yield(request) } }
    override func stopLoading() {}
}
