import Endpoints
import EndpointsStreams
import Foundation
import Observation

/// The issues of a repository, for a view.
@MainActor @Observable
final class IssueList {
    let owner: String
    let repo: String
    private(set) var issues: [Issue] = []
    private(set) var message: String?

    private let api: EndpointClient<GitHub>

    init(_ api: EndpointClient<GitHub>, owner: String, repo: String) {
        self.api = api
        self.owner = owner
        self.repo = repo
    }

    /// Loads all pages; each is shown when it is there.
    func load() async {
        issues = []
        message = nil
        do throws(ListIssues.TaskError) {
            let request = ListIssues(owner: owner, repo: repo, state: .open)
            for try await page in api.pages(of: request) { issues += page }
        } catch {
            show(error)
        }
    }

    func close(_ issue: Issue) async {
        do throws(EditIssue.TaskError) {
            let closed = try await api(
                EditIssue(
                    owner: owner, repo: repo, number: issue.number,
                    body: .init(state: .set(.closed))))
            issues.removeAll { $0.id == closed.id }
        } catch {
            show(error)
        }
    }

    private func show(_ error: EndpointTaskError<GitHubError>) {
        switch error {
        case .cancelled: break
        case .errorResponse(_, let error): message = error.message
        default:
            message = [error.localizedDescription, error.recoverySuggestion]
                .compactMap(\.self).joined(separator: ". ")
        }
    }
}
