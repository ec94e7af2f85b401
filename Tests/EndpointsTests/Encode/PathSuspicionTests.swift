import Endpoints
import Foundation
import Testing

/// What a path can say that is hardly meant, and constants in it.
@Suite("A path's declaration")
struct PathSuspicionTests {
    struct Get: FlatRequest {
        let name: String
        static let endpoint = Endpoint<Get>(method: .get, path: "")
        typealias Response = Void
    }

    @Test(
        "is suspicious where a slash comes behind a punctuation mark",
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
                    Get: the path value "name" comes behind "\($0)" with a slash between them; \
                    write the slash, or `includesSlash: false`
                    """
                })
    }

    @Test("is refused where it is a whole URL")
    func wholeURL() {
        let endpoint = Endpoint<Get>(method: .get, path: "https://h/users")
        #expect(
            endpoint.problems.map(\.description) == [
                "Get: the path is a whole URL; its scheme and host belong to the environment"
            ])
    }

    @Test("is refused with a constant that has no text")
    func constantWithoutText() {
        let endpoint = Endpoint<Get>(method: .get, path: "\(value: Double.nan)/users")
        #expect(
            endpoint.problems.map(\.description) == [
                "Get: the path has no text: the number is not finite"
            ])
    }

    @Test("is suspicious where a parameter has no name")
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

    @Test("may have constants in it, escaped as values")
    func constants() throws {
        let url = try GetVersion().urlRequest(in: .production).url
        #expect(url?.absoluteString.hasSuffix("/v2/a%2Fb/users") == true)
    }
}
