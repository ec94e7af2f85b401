import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends each row's requests with `URLSession`: see servers.py.
@main
struct Servers {
    static func main() async {
        await Row.run(CommandLine.arguments.dropFirst()) {
            URLSession(configuration: .ephemeral)
        }
    }
}
