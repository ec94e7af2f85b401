import Endpoints
import Foundation

extension ServerEnvironment {
    static let production = ServerEnvironment(
        baseUrl: URL(string: "https://api.example.com/v1")!)
}
