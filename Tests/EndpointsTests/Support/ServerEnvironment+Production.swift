import Endpoints
import Foundation
import Testing

extension ServerEnvironment {
    static let production = ServerEnvironment(baseUrl: url("https://api.example.com/v1"))
    static let staging = ServerEnvironment(baseUrl: url("https://staging.example.com:8443"))

    /// A server at an address; fails the test if it isn't a URL.
    init(at address: String) throws {
        self.init(baseUrl: try #require(URL(string: address), "not a URL: \(address)"))
    }

    private static func url(_ address: String) -> URL {
        URL(string: address) ?? URL(fileURLWithPath: "/")
    }
}
