import Endpoints
import EndpointsAsyncHTTPClient

extension Server {
    /// What the bodies are loaded with.
    static let transport: any Transport = AsyncHTTPTransport()
    static let transportName = "AsyncHTTPClient"
}
