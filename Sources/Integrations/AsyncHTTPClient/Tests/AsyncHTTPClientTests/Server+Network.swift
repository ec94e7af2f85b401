import Endpoints
import EndpointsAsyncHTTPClient

extension Server {
    /// What the server tests load with.
    static let network: any Transport = AsyncHTTPTransport()
}
