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
    var additionalHeaders: [Headers: String] {
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
    @Test("tells of a user")
    func user() async throws {
        let user = try await CannedAnswers.session.response(
            in: .production, with: UserInfo(login: "objcio"))
        #expect(user.name == "objc.io")
        #expect(user.location == nil)
    }

    @Test("has words for a user that isn't there")
    func nobody() async {
        do {
            let user = try await CannedAnswers.session.response(
                in: .production, with: UserInfo(login: "nobody"))
            Issue.record("\(user)")
        } catch .errorResponse(let httpResponse, let error) {
            #expect(httpResponse.statusCode == 404)
            #expect(error.message == "Not Found")
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("is described without being asked")
    func request() throws {
        let request = try UserInfo(login: "a/b").urlRequest(in: .production)
        #expect(request.url?.absoluteString == "https://api.github.com/users/a%2Fb")
        #expect(
            request.allHTTPHeaderFields == [
                "Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28",
            ])
    }
}
