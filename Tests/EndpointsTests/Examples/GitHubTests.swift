import Endpoints
import Foundation
import Testing

/// https://docs.github.com/rest
struct GitHub: EnvironmentType {
    let baseUrl: URL
    static let production = GitHub(baseUrl: URL(string: "https://api.github.com")!)
}

struct GitHubError: Decodable, Sendable {
    let message: String
}

/// What all requests to GitHub have in common.
protocol GitHubRequest: RequestType where Environment == GitHub, ErrorResponse == GitHubError {}

extension GitHubRequest {
    var commonHeaders: [Headers: String] {
        [.accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"]
    }
}

struct UserInfo: GitHubRequest, FlatRequest {
    let login: String
    static let endpoint = Endpoint<UserInfo>(method: .get, path: "users/\(path: \.login)")

    struct Response: Decodable, Sendable {
        let name: String
        let location: String?
    }
}

@Suite("GitHub")
struct GitHubTests {
    @Test("GitHub's user is decoded")
    func user() async throws {
        let user = try await CannedResponses.session.response(
            in: .production, with: UserInfo(login: "objcio"))
        #expect(user.name == "objc.io")
        #expect(user.location == nil)
    }

    @Test("GitHub's error about a missing user is decoded")
    func nobody() async {
        do {
            let user = try await CannedResponses.session.response(
                in: .production, with: UserInfo(login: "nobody"))
            Issue.record("\(user)")
        } catch .errorResponse(let httpResponse, let error) {
            #expect(httpResponse.statusCode == 404)
            #expect(error.message == "Not Found")
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("GitHub's request has the headers that its protocol gives")
    func request() throws {
        let request = try UserInfo(login: "a/b").urlRequest(in: .production)
        #expect(request.url?.absoluteString == "https://api.github.com/users/a%2Fb")
        #expect(
            request.allHTTPHeaderFields == [
                "Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28",
            ])
    }
}
