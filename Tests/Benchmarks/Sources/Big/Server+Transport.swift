import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Server {
    /// What the bodies are loaded with. The package in Sources/Integrations/AsyncHTTPClient has
    /// links to the other files and a transport of its own.
    static let transport: any Transport = URLSession.shared
    static let transportName = "URLSession"
}
