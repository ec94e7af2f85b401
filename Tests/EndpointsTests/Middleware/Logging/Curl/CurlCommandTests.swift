import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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

    @Test("Each secret in a curl command has a variable of its own")
    func distinct() throws {
        var request = Probe()
        request.moreHeaders = ["X-Api-Key": "s1", "X_Api_Key": "s2", "X.Api.Key": "s3"]
        let command = try request.curl(in: .production)
        for argument in [
            #""X-Api-Key: $X_API_KEY""#, #"'X.Api.Key: '"$X_API_KEY_2""#,
            #"'X_Api_Key: '"$X_API_KEY_3""#,
        ] { #expect(command.contains("--header \(argument) "), "\(command)") }
    }

    struct Post<Body: Encodable & Sendable>: FlatRequest {
        let body: Body
        static var endpoint: Endpoint<Self> { .once(Endpoint(method: .post, path: "a")) }
        typealias Response = Void
    }

    @Test("A file whose URL isn't that of a file is refused, as the load refuses it")
    func notAFile() throws {
        let file = File(url("https://h/a.png"))
        let form = Multipart([.file("a", file)])
        func expect<Body: Encodable & Sendable>(_ request: Post<Body>) {
            let error = #expect(throws: EndpointError.self) { try request.curl(in: .production) }
            #expect(error?.field == .body)
            #expect(
                error?.reason
                    == "can't be read: \(FileError(.notAFile, at: url("https://h/a.png")))")
        }
        expect(Post(body: file))
        expect(Post(body: form))
    }

    struct Hook: FlatRequest {
        var (a, b, c) = (Secret("abcdefgh"), Secret("abcdef"), Secret("k3y"))
        var key = Secret("k4y")
        static let endpoint = Endpoint<Self>(
            method: .get,
            path: """
                \(secret: \.a)/\(secret: \.b)/bot\(secret: \.b, includesSlash: false)/\
                \(secret: \.c)
                """,
            headers: ["Secret": .field(path: \.key), "User-Info": .field(path: \.key)])
        typealias Response = Void
    }

    @Test("Each secret in a path has a variable of its own, which no header has")
    func distinctInPath() throws {
        let command = try Hook().curl(in: try ServerEnvironment(at: "https://u:p@h"))
        for argument in [
            #"'https://'"$USER_INFO"'@h/'"$SECRET"'/'"$SECRET_2"'/bot'"$SECRET_2"'/'"$SECRET_3"'' "#,
            #""Secret: $SECRET_4" "#, #""User-Info: $USER_INFO_2""#,
        ] { #expect(command.contains(argument), "\(command)") }
    }

    struct PostNothing: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .post, path: "p")
        typealias Response = Void

        func prepare(_ request: inout URLRequest) {
            request.upload = Upload([])
        }
    }

    @Test("The command for an upload without pieces sends an empty body")
    func noPieces() throws {
        #expect(try PostNothing().curl(in: .production).hasPrefix("printf '' | curl "))
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

    @Test("A stream of one's own as the body is refused, as a command can't send it")
    func bodyStream() throws {
        struct Send: FlatRequest {
            static let endpoint = Endpoint<Send>(method: .post, path: "send")
            typealias Response = Void
            func prepare(_ request: inout URLRequest) {
                request.httpBodyStream = InputStream(data: Data("x".utf8))
            }
        }
        let error = #expect(throws: EndpointError.self) { try Send().curl(in: .production) }
        #expect(
            error?.description == """
                Send: the body is an httpBodyStream, which a curl command can't send; use Data or a File
                """)
    }

    @Test(
        "A header with a secret name is a shell variable",
        arguments: [
            "X-API-Key", "X-Goog-Api-Key", "DD-API-KEY", "Ocp-Apim-Subscription-Key", "X-Auth-Key",
            "X_Access_Key", "X-User-Token", "Private-Token",
        ])
    func secretName(name: String) throws {
        var request = Probe()
        request.moreHeaders = [Headers(name: name): "s3cr3t"]
        #expect(!(try request.curl(in: .production).contains("s3cr3t")))
    }

    @Test(
        "A header with another name is shown", arguments: ["Idempotency-Key", "Sec-WebSocket-Key"])
    func shownName(name: String) throws {
        var request = Probe()
        request.moreHeaders = [Headers(name: name): "shown"]
        #expect(try request.curl(in: .production).contains("shown"))
    }
}
