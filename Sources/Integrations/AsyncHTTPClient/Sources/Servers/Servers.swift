import AsyncHTTPClient
import Endpoints
import EndpointsAsyncHTTPClient

/// Sends each row's requests with AsyncHTTPClient: see Tests/Servers/servers.py.
@main
struct Servers {
    static func main() async {
        await Row.run(CommandLine.arguments.dropFirst()) { AsyncHTTPTransport() }
    }
}
