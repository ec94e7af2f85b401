import Endpoints
import EndpointsFormats
import EndpointsStreams
import Foundation

/// https://docs.github.com/rest
struct GitHub: EnvironmentType {
    let baseUrl: URL

    static let production = GitHub(baseUrl: URL(string: "https://api.github.com")!)
    static let uploads = GitHub(baseUrl: URL(string: "https://uploads.github.com")!)
}

/// What all requests to GitHub share.
protocol GitHubRequest: FlatRequest where Environment == GitHub, ErrorResponse == GitHubError {}

extension GitHubRequest {
    var commonHeaders: HeaderDictionary<String> {
        [
            .accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28",
            .userAgent: "example",
        ]
    }

    static var bodyEncoder: JSONEncoder { .github }
    static var responseDecoder: JSONDecoder { .github }
}

extension JSONEncoder {
    fileprivate static let github: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }()
}

extension JSONDecoder {
    fileprivate static let github: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()
}

/// What GitHub says of an error. As a `LocalizedError`, its text is part of the load's error.
struct GitHubError: Codable, LocalizedError {
    let message: String
    var errorDescription: String? { message }
}

struct GetUser: GitHubRequest {
    let login: String

    static let endpoint = Endpoint<GetUser>(method: .get, path: "users/\(path: \.login)")

    struct Response: Codable, Sendable {
        let login: String
        let name: String?
        let publicRepos: Int
    }
}

/// The repositories of a user, page by page.
struct ListRepos: GitHubRequest, PagedRequest {
    enum Sort: String, PathRepresentable { case created, updated, pushed, fullName = "full_name" }

    let owner: String
    var sort: Sort?
    var perPage = 100

    static let endpoint = Endpoint<ListRepos>(
        method: .get,
        path: "users/\(path: \.owner)/repos",
        parameters: [.query("sort", path: \.sort), .query("per_page", path: \.perPage)])
    static let paging = Paging<ListRepos>.link()

    struct Repo: Codable, Sendable {
        let id: Int
        let fullName: String
    }
    typealias Response = [Repo]
}

struct Issue: Codable, Sendable, Equatable, Identifiable {
    enum State: String, Codable, Sendable, PathRepresentable { case open, closed }

    let number: Int
    let title: String
    var state: State
    var id: Int { number }
}

/// The issues of a repository, page by page.
struct ListIssues: GitHubRequest, PagedRequest {
    let owner: String
    let repo: String
    var state: Issue.State?
    var labels: [String] = []
    var since: Date?

    static let endpoint = Endpoint<ListIssues>(
        method: .get,
        path: "repos/\(path: \.owner)/\(path: \.repo)/issues",
        parameters: [
            .query("state", path: \.state),
            .query("labels", path: \.labels, style: .commaSeparated),
            .query("since", path: \.since),
        ])
    static let paging = Paging<ListIssues>.link()
    typealias Response = [Issue]
}

struct CreateIssue: GitHubRequest {
    struct Body: Encodable, Sendable {
        let title: String
        var body: String?
        var labels: [String] = []
    }

    let owner: String
    let repo: String
    let body: Body

    static let endpoint = Endpoint<CreateIssue>(
        method: .post, path: "repos/\(path: \.owner)/\(path: \.repo)/issues")
    typealias Response = Issue
}

/// Changes some members of an issue and keeps the others.
struct EditIssue: GitHubRequest {
    struct Body: Encodable, Sendable {
        var title: Change<String> = .keep
        var state: Change<Issue.State> = .keep
        var milestone: Change<Int> = .keep
    }

    let owner: String
    let repo: String
    let number: Int
    let body: Body

    static let endpoint = Endpoint<EditIssue>(
        method: .patch,
        path: "repos/\(path: \.owner)/\(path: \.repo)/issues/\(path: \.number)")
    typealias Response = Issue
}

struct Star: GitHubRequest {
    let owner: String
    let repo: String

    static let endpoint = Endpoint<Star>(
        method: .put, path: "user/starred/\(path: \.owner)/\(path: \.repo)")
    typealias Response = Void
}

struct GetLatestRelease: GitHubRequest {
    let owner: String
    let repo: String

    static let endpoint = Endpoint<GetLatestRelease>(
        method: .get, path: "repos/\(path: \.owner)/\(path: \.repo)/releases/latest")

    struct Response: Codable, Sendable {
        struct Asset: Codable, Sendable {
            let id: Int
            let name: String
        }

        let id: Int
        let tagName: String
        let assets: [Asset]
    }
}

/// The bytes of a file of a release, which a redirect to another server leads to.
struct DownloadAsset: GitHubRequest {
    let owner: String
    let repo: String
    let id: Int

    static let endpoint = Endpoint<DownloadAsset>(
        method: .get,
        path: "repos/\(path: \.owner)/\(path: \.repo)/releases/assets/\(path: \.id)",
        headers: [.accept: "application/octet-stream"])
    typealias Response = ByteStream
}

/// Adds a file to a release; sent to ``GitHub/uploads``.
struct UploadAsset: GitHubRequest {
    let owner: String
    let repo: String
    let release: Int
    let name: String
    let body: File

    static let endpoint = Endpoint<UploadAsset>(
        method: .post,
        path: "repos/\(path: \.owner)/\(path: \.repo)/releases/\(path: \.release)/assets",
        parameters: [.query("name", path: \.name)])
    typealias Response = GetLatestRelease.Response.Asset
}
