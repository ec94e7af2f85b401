import Endpoints
import Foundation

extension ServerEnvironment {
    /// The server that the seed's examples are for, as its "Output URL" has it.
    public static let production = ServerEnvironment(
        baseUrl: URL(string: "https://production.mydomain.com")!)
}
