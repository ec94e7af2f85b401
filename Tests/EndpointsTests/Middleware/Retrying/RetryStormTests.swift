import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

@Suite("1,000 clients and a server that fails for a minute")
struct RetryStormTests {
    @Test(
        "Retries add less than 25 % to the load of an overloaded server, and all clients recover",
        arguments: [true, false])
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func standard(isShared: Bool) throws {
        let server = try SickServer(policy: .standard, isShared: isShared)
        #expect(server.extraLoad < 0.25)
        #expect(server.peakAfterwards < 1.25)
        #expect(server.longestRecovery < RetryPolicy.standard.longestDelay)
        #expect(server.failuresOfAWellServer == 0)
        #expect(server.lost == 0)
    }

    @Test("Without a budget the same retries multiply an overloaded server's load")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func unlimited() throws {
        let server = try SickServer(
            clients: 100, policy: RetryPolicy(budget: .unlimited), isShared: true)
        #expect(server.extraLoad > 1.5)
    }
}
