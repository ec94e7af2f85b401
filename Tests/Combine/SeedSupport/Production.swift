import Endpoints
import Foundation

extension ServerEnvironment {
    /// The server of the seed's examples, as in its "Output URL".
    public static let production = ServerEnvironment(
        baseUrl: URL(string: "https://production.mydomain.com")!)
}
