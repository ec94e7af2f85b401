import Foundation
import Testing

@testable import Endpoints

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The declared path of a request on its way")
struct PathTemplateTests {
    struct User: Sendable { var name = "ann" }

    /// A request of any path.
    struct Placed: FlatRequest {
        var id = 42
        var name: String?
        var user = User()
        var files = ["a", "b"]
        var token = Secret("s3cr3t")
        var computed: Int { id }
        static var endpoint: Endpoint<Placed> { Endpoint(method: .get, path: path) }
        @TaskLocal static var path: PathTemplate<Placed> = ""
        typealias Response = Void
    }

    static let rows: [(path: PathTemplate<Placed>, base: String, template: String)] = [
        ("users/\(path: \.id)", "https://h", "/users/{id}"),
        ("users\(path: \.id)", "https://h/v1", "/v1/users/{id}"),
        ("/users/\(path: \.id)/posts", "https://h/v1/", "/v1/users/{id}/posts"),
        ("\(path: \.id)", "https://h", "/{id}"),
        ("list/\(path: \.name, mayBeLeftOut: true)", "https://h", "/list/{name}"),
        ("file-\(path: \.id, includesSlash: false).txt", "https://h", "/file-{id}.txt"),
        ("\(path: \.user.name)/\(path: \.id)", "https://h", "/{user.name}/{id}"),
        ("files/\(segments: \.files)", "https://h", "/files/{files}"),
        ("users/\(commaSeparated: \.files)", "https://h", "/users/{files}"),
        ("hooks/\(secret: \.token)", "https://h", "/hooks/{token}"),
        ("\(value: 2)/a b/{c}", "https://h", "/2/a%20b/%7Bc%7D"),
        ("users/\(value: "a/b")", "https://h", "/users/a%2Fb"),
        ("", "https://h", "/"), ("", "https://h/v1/", "/v1/"), ("/", "https://h/v1/", "/v1/"),
        ("users", "https://u:p@h:8080/v1?token=t0k3n", "/v1/users"),
        ("users", "https://h/v1;token=t0k3n", "/v1;token=…/users"),
        ("a//b/", "https://h", "/a//b/"),
    ]

    @Test("The template is the base URL's path and the names of the values", arguments: rows)
    func template(row: (path: PathTemplate<Placed>, base: String, template: String)) throws {
        let server = ServerEnvironment(baseUrl: try #require(URL(string: row.base)))
        for id in 1...2 {
            try Placed.$path.withValue(row.path) {
                let request = try TransportRequest(of: Placed(id: id, name: "x"), in: server)
                #expect(request.pathTemplate == row.template)
            }
        }
    }

    @Test("A value of a property without a name has its number")
    func computed() throws {
        let path: PathTemplate<Placed> = "\(path: \.id)/\(path: \.computed)"
        try Placed.$path.withValue(path) {
            let request = try TransportRequest(of: Placed(), in: .production)
            #expect(["/v1/{id}/{computed}", "/v1/{id}/{2}"].contains(request.pathTemplate))
        }
    }

    @Test("A request at a URL that a server has named, or of a `URLRequest`, has no template")
    func none() throws {
        let url = try #require(URL(string: "https://h/next"))
        let named = try TransportRequest(of: Placed(), in: .production, at: url)
        #expect(named.pathTemplate == nil)
        let bare = TransportRequest(URLRequest(url: url), requestType: Placed.self)
        #expect(bare.pathTemplate == nil)
    }

    @Test(
        "A masked URL has no user info, and `…` for what the request sends as a secret",
        arguments: [
            ("https://u:p4ssw0rd@h/users?token=x#f", [], "https://h/users?token=…"),
            ("https://h/users/s3cr3t-t0k3n?q=s3cr3t-t0k3n", [], "https://h/users/…?q=…"),
            ("https://h/?ticket=x", [], "https://h/?ticket=x"),
            ("https://h/?ticket=x", ["ticket"], "https://h/?ticket=…"),
            ("https://h/?token=x&q=s3cr3t-t0k3n", .nothing, "https://h/?token=x&q=s3cr3t-t0k3n"),
        ] as [(String, SecretNames, String)])
    func masked(url: String, names: SecretNames, text: String) throws {
        var urlRequest = URLRequest(url: try #require(URL(string: url)))
        urlRequest.setValue("Bearer s3cr3t-t0k3n", forHTTPHeaderField: "Authorization")
        let request = TransportRequest(urlRequest, requestType: Placed.self)
        #expect(request.maskedURL(masking: names) == text)
    }

    @Test("A masked URL hides a secret in the path")
    func maskedPath() throws {
        try Placed.$path.withValue("hooks/\(secret: \.token)") {
            let request = try TransportRequest(of: Placed(), in: .production)
            #expect(request.maskedURL() == "https://api.example.com/v1/hooks/…")
        }
    }
}
