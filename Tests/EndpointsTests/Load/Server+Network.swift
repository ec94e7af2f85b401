import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Server {
    /// What the server tests load with. The package in Sources/Integrations/AsyncHTTPClient has
    /// links to the tests and a transport of its own.
    static let network: any Transport = URLSession.shared
}
