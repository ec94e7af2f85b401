import EndpointsAuth
import Foundation

func command(_ url: URL) async throws {
    let server = ToolServer(url, signingIn: .loopback { print("Open", $0) }) { issuer in
        OAuthClient(issuer == "https://login.example" ? "my-app" : "https://me.example/tool.json")
    }
    for tool in try await server.tools() { print(tool.name) }
    print(try await server.call("search", ["text": "swift"]))
}
