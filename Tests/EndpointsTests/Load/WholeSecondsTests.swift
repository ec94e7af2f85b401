#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Testing

    @testable import Endpoints

    /// `URLSession` on Linux drops the fraction of a timeout, and 0 ends a load at once.
    @Suite("Timeouts in whole seconds")
    struct WholeSecondsTests {
        @Test(
            "A timeout is rounded up to whole seconds, and not to none",
            arguments: [(0.3, 1), (0.001, 1), (1, 1), (1.2, 2), (60, 60), (0, 0), (-1, 0)])
        func rounded(_ seconds: TimeInterval, _ whole: TimeInterval) throws {
            var request = URLRequest(url: try #require(URL(string: "https://h")))
            request.timeoutInterval = seconds
            #expect(request.withFiniteTimeout.timeoutInterval == whole)
        }
    }
#endif
