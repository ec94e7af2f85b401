import Endpoints
import EndpointsTesting
import Foundation
import Testing

/// Problems of path declarations, and constants in paths.
@Suite("Path declarations")
struct PathSuspicionTests {
    struct Get: FlatRequest {
        let name: String
        static let endpoint = Endpoint<Get>(method: .get, path: "")
        typealias Response = Void
    }

    @Test(
        "A slash put between a punctuation mark and a path value is a problem",
        arguments: [
            ("file-\(path: \.name)", ["file-"]), ("a..\(path: \.name)", ["a.."]),
            ("x=\(path: \.name)/y@\(path: \.name)", ["x=", "/y@"]),
            ("file-\(path: \.name, includesSlash: false)", []), ("files\(path: \.name)", []),
            ("files/\(path: \.name)", []), ("\(path: \.name)-", []),
        ] as [(PathTemplate<Get>, [String])])
    func slash(path: PathTemplate<Get>, literals: [String]) {
        let problems = Endpoint<Get>(method: .get, path: path).problems.map(\.description)
        #expect(
            problems
                == literals.map {
                    """
                    Get: the path value "name" comes after "\($0)", and a slash is sent between \
                    them; write the slash if you want it, or add `includesSlash: false` if you don't
                    """
                })
    }

    @Test("The problem of a slash names a computed property by its position in the path")
    func position() {
        let endpoint = Endpoint<Get>(method: .get, path: "a/file-\(path: \.name.isEmpty)")
        #expect(
            endpoint.problems.map(\.description) == [
                ##"Get: the path value "#1" comes after "a/file-", and a slash is sent between "##
                    + "them; write the slash if you want it, or add `includesSlash: false` if you don't"
            ])
    }

    @Test("A name in braces is a problem, as another library's path, but is sent")
    func braces() throws {
        struct GetUser: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "users/{id}")
            typealias Response = Void
        }
        struct GetBraces: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "users/}{")
            typealias Response = Void
        }
        #expect(
            GetUser().problems.map(\.description) == [
                #"""
                GetUser: the path has a name in braces, which no value replaces; write \#
                `\(path: \.name)`
                """#
            ])
        #expect(
            try GetUser().urlRequest(in: .production).url?.absoluteString
                == "https://api.example.com/v1/users/%7Bid%7D")
        #expect(GetBraces().problems.isEmpty)
    }

    @Test(
        "A name after a colon is a problem, as another library's path; a colon elsewhere isn't",
        arguments: [
            ("users/:id", true), (":id", true), ("/:id", true), ("users/:user_id/posts", true),
            ("users/\(path: \.name)/posts/:post", true),
            ("messages:send", false), ("messages/\(path: \.name):cancel", false),
            ("users/:", false), ("urn:isbn:1", false), ("a/:1", false), ("times/12:30", false),
            ("x/:a:b", false),
        ] as [(PathTemplate<Get>, Bool)])
    func colon(path: PathTemplate<Get>, isProblem: Bool) {
        #expect(
            Endpoint<Get>(method: .get, path: path).problems.map(\.description)
                == (isProblem
                    ? [
                        #"""
                        Get: the path has a name after a colon, which no value replaces; write \#
                        `\(path: \.name)`
                        """#
                    ] : []))
    }

    @Test("A path that is a whole URL is a problem")
    func wholeURL() {
        let endpoint = Endpoint<Get>(method: .get, path: "https://h/users")
        #expect(
            endpoint.problems.map(\.description) == [
                "Get: the path is a whole URL; put its scheme and host into the environment"
            ])
    }

    @Test("A path with a constant that has no text is a problem")
    func constantWithoutText() {
        let endpoint = Endpoint<Get>(method: .get, path: "\(value: Double.nan)/users")
        #expect(
            endpoint.problems.map(\.description) == [
                ##"Get: the path value "#1" can't be written as text: "##
                    + "the number is not finite; use a finite one, or nil"
            ])
    }

    @Test("A parameter with an empty name is a problem")
    func parameterWithoutName() {
        let endpoint = Endpoint<Get>(
            method: .post, path: "a",
            parameters: [.query("", path: \.name), .formValue("", value: 1)])
        #expect(
            endpoint.problems.map(\.description) == [
                #"Get: the query item "" has no name; give it one"#,
                #"Get: the form field "" has no name; give it one"#,
            ])
    }

    struct GetVersion: RequestType {
        static let endpoint = Endpoint<GetVersion>(
            method: .get, path: "v\(value: 2, includesSlash: false)/\(value: "a/b")/users")
        typealias Response = Void
    }

    @Test("A constant in a path is escaped as a value is")
    func constants() throws {
        let url = try GetVersion().urlRequest(in: .production).url
        #expect(url?.absoluteString.hasSuffix("/v2/a%2Fb/users") == true)
    }
}
