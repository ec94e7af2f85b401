import Foundation

func command(_ file: URL) async throws {
    let tool = Tool(clientID: "my-app", file: file)
    try await tool.signIn { code in print("Enter", code.userCode, "at", code.verificationURI) }
    print("Hello", try await tool.api(GetViewer()).login)
}
