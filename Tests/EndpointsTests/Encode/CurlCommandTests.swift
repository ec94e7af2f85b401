import Endpoints
import Foundation
import Testing

@Suite("The text of curl commands")
struct CurlCommandTests {
    static let token = Credentials.bearer("s3cr3t")

    static let secrets: [(header: Headers, argument: String)] = [
        (.authorization, #""Authorization: $AUTHORIZATION""#), ("X-Key", #""X-Key: $X_KEY""#),
        // Between double quotes a shell would run the one and replace the other.
        ("X-`id`", #"'X-`id`: '"$X__ID_""#), ("X$HOME", #"'X$HOME: '"$X_HOME""#),
        ("2nd", #""2nd: $_2ND""#),
    ]

    @Test("A secret header in a curl command is a shell variable", arguments: secrets)
    func secret(row: (header: Headers, argument: String)) throws {
        let endpoint = Endpoint<Probe>(
            method: .get, path: "p", headers: [row.header: .fieldValue(value: Self.token)])
        let command = try Probe.$endpoint.withValue(endpoint) {
            try Probe().curl(in: .production)
        }
        #expect(command.contains("--header \(row.argument) "))
        #expect(!command.contains("s3cr3t"))
    }

    static let addresses: [(base: String, argument: String)] = [
        ("https://ann:s3cr3t@h/a@b", #"'https://'"$USER_INFO"'@h/a@b/probe'"#),
        ("https://s3cr3t@h", #"'https://'"$USER_INFO"'@h/probe'"#),
        ("https://h?a=//b@c", "'https://h/probe?a=//b@c'"),
        ("https://h/a@b", "'https://h/a@b/probe'"),
    ]

    @Test(
        "The user info of a URL is a shell variable in a curl command, unless it is requested",
        arguments: addresses)
    func userInfo(row: (base: String, argument: String)) throws {
        let server = try ServerEnvironment(at: row.base)
        #expect(try Probe().curl(in: server).contains("--url \(row.argument) "))
        let url = try #require(try Probe().urlRequest(in: server).url?.absoluteString)
        #expect(try Probe().curl(in: server, showsCredentials: true).contains("--url '\(url)' "))
    }

    @Test(
        "A request with a body that is not sent has no curl command",
        arguments: [HTTPMethod.get, .head])
    func notSent(method: HTTPMethod) throws {
        let endpoint = Endpoint<Probe>(
            method: method, path: "p", parameters: [.form("a", path: \.a)])
        let error = Probe.$endpoint.withValue(endpoint) {
            #expect(throws: EndpointError.self) { try Probe(a: "1").curl(in: .production) }
        }
        #expect(
            error?.description
                == "Probe: the body is not sent with \(method.rawValue) by URLSession; use POST, PUT or PATCH"
        )
    }
}
