import Endpoints
import EndpointsStreams
import EndpointsTesting
import Foundation
import Testing

@Suite("GitHub")
@MainActor struct GitHubTests {
    let stub = StubTransport()
    var api: EndpointClient<GitHub> { EndpointClient(stub, in: .production) }

    @Test("No declaration of GitHub's requests has a problem")
    func declarations() {
        #expect(
            problems(
                of: GetUser.self, ListRepos.self, ListIssues.self, CreateIssue.self, EditIssue.self,
                Star.self, GetLatestRelease.self, DownloadAsset.self, UploadAsset.self
            ).isEmpty)
    }

    @Test("The list loads every page and removes an issue that was closed")
    func list() async {
        let next = #"<https://api.github.com/repositories/1/issues?page=2>; rel="next""#
        stub.on(
            ListIssues.self,
            .value([Issue(number: 1, title: "a", state: .open)], headers: ["Link": next]),
            .value([Issue(number: 2, title: "b", state: .open)]))
        stub.on(EditIssue.self) { .value(Issue(number: $0.number, title: "a", state: .closed)) }

        let list = IssueList(api, owner: "ann", repo: "bee")
        await list.load()
        #expect(list.issues.map(\.number) == [1, 2])

        await list.close(list.issues[0])
        #expect(list.issues.map(\.number) == [2])
        #expect(list.message == nil)
        #expect(stub.sent(EditIssue.self).map(\.number) == [1])
    }

    @Test("GitHub's message and an advice are shown")
    func message() async {
        stub.on(
            ListIssues.self, .error(404, GitHubError(message: "Not Found")),
            .throwing(URLError(.timedOut)))
        let list = IssueList(api, owner: "ann", repo: "bee")
        await list.load()
        #expect(list.message == "Not Found")
        await list.load()
        #expect(
            list.message?.hasSuffix("Check the connection to the internet, and try again later.")
                == true)
    }

    @Test("A change of an issue sends only what changes")
    func edit() throws {
        let edit = EditIssue(
            owner: "ann", repo: "bee", number: 7,
            body: .init(state: .set(.closed), milestone: .clear))
        #expect(
            try edit.snapshot(in: .production) == """
                PATCH https://api.github.com/repos/ann/bee/issues/7
                Accept: application/vnd.github+json
                Content-Type: application/json
                User-Agent: example
                X-GitHub-Api-Version: 2022-11-28

                {
                  "milestone" : null,
                  "state" : "closed"
                }
                """)
    }

    @Test("The issues since a day with two labels are asked for by their URL")
    func query() throws {
        let request = ListIssues(
            owner: "ann", repo: "bee", state: .open, labels: ["bug", "good first issue"],
            since: Date(timeIntervalSince1970: 0))
        #expect(
            try request.urlRequest(in: .production).url?.absoluteString
                == "https://api.github.com/repos/ann/bee/issues?state=open"
                + "&labels=bug,good%20first%20issue&since=1970-01-01T00:00:00Z")
    }

    @Test("A file of a release is saved as it arrives")
    func download() async throws {
        stub.on(
            GetLatestRelease.self,
            .value(.init(id: 1, tagName: "1.0", assets: [.init(id: 5, name: "a.zip")])))
        stub.on(DownloadAsset.self, .chunks([Data("ab".utf8), Data("c".utf8)]))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }

        let release = try await api(GetLatestRelease(owner: "ann", repo: "bee"))
        let asset = DownloadAsset(owner: "ann", repo: "bee", id: release.assets[0].id)
        try await api(asset).save(to: file)
        #expect(try Data(contentsOf: file) == Data("abc".utf8))
        #expect(stub.unused.isEmpty)
    }

    @Test("A file is added to a release at the server for uploads")
    func upload() async throws {
        stub.on(UploadAsset.self) { .value(.init(id: 6, name: $0.name)) }
        let asset = try await EndpointClient(stub, in: GitHub.uploads)(
            UploadAsset(
                owner: "ann", repo: "bee", release: 1, name: "a.txt",
                body: File(Data("text".utf8), name: "a.txt")))
        #expect(asset.id == 6)
        #expect(stub.sent[0].urlRequest.url?.host == "uploads.github.com")
    }
}
