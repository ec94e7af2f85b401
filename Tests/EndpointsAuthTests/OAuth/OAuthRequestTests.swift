import Endpoints
import EndpointsShared
import EndpointsTesting
import Foundation
import Testing

@testable import EndpointsAuth

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests of OAuth")
struct OAuthRequestTests {
    /// The request that a sign-in as a client sends.
    private func sent(by client: OAuthClient) async throws -> (body: String, header: String?) {
        let fixture = Fixture(client: client)
        let sent = Locked<(String, String?)>(("", nil))
        fixture.stub.on(TokenRequest.self) { _, urlRequest in
            let body = urlRequest.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? ""
            sent.withLock { $0 = (body, urlRequest.value(forHTTPHeaderField: "Authorization")) }
            return .json(#"{"access_token": "a", "token_type": "bearer"}"#)
        }
        try await fixture.credentials.signIn(.clientCredentials)
        return sent.withLock { $0 }
    }

    static let clients: [(OAuthClient, body: String, header: String?)] = [
        (
            OAuthClient("s6BhdRkqt3"),
            "grant_type=client_credentials&client_id=s6BhdRkqt3", nil
        ),
        // RFC 6749, section 2.3.1.
        (
            OAuthClient("s6BhdRkqt3", .basic(secret: "7Fjfp0ZBr1KtDRbnfVdmIw")),
            "grant_type=client_credentials",
            "Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3"
        ),
        (
            OAuthClient("s6BhdRkqt3", .post(secret: "7Fjfp0ZBr1KtDRbnfVdmIw")),
            "grant_type=client_credentials&client_id=s6BhdRkqt3"
                + "&client_secret=7Fjfp0ZBr1KtDRbnfVdmIw", nil
        ),
        // a%20b:p%3Aw%2F%C3%A9
        (
            OAuthClient("a b", .basic(secret: "p:w/é")), "grant_type=client_credentials",
            "Basic YSUyMGI6cCUzQXclMkYlQzMlQTk="
        ),
    ]

    @Test("A client authenticates as RFC 6749 says", arguments: clients)
    func authentication(row: (client: OAuthClient, body: String, header: String?)) async throws {
        let sent = try await sent(by: row.client)
        #expect(sent.body == row.body)
        #expect(sent.header == row.header)
    }

    @Test("A client's JWT names the client and the token URL, and is signed as one text")
    func jwt() async throws {
        let signed = Locked("")
        let client = OAuthClient(
            "s6BhdRkqt3",
            .signedJWT(algorithm: "ES256", keyID: "1") { bytes in
                signed.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
                return Data([1, 2, 3])
            })
        let body = try await sent(by: client).body
        let text = signed.withLock { $0 }
        #expect(
            body.hasSuffix(
                "&client_assertion_type="
                    + "urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer"
                    + "&client_assertion=\(text).AQID"))
        let parts = try text.split(separator: ".").map { part in
            var base64 = part.replacingOccurrences(of: "-", with: "+")
                .replacingOccurrences(of: "_", with: "/")
            base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
            return String(decoding: try #require(Data(base64Encoded: base64)), as: UTF8.self)
        }
        #expect(parts[0] == #"{"alg":"ES256","kid":"1","typ":"JWT"}"#)
        #expect(
            parts[1].hasPrefix(
                #"{"aud":"https://server.example.com/token","exp":1700000060,"iat":1700000000,"#
                    + #""iss":"s6BhdRkqt3","jti":""#))
    }

    @Test("A client's JWT with the algorithm none is refused")
    func noAlgorithm() async {
        let client = OAuthClient("a", .signedJWT(algorithm: "None") { _ in Data() })
        await #expect(throws: OAuthError.self) { try await sent(by: client) }
    }

    @Test("The code challenge is that of RFC 7636, appendix B")
    func challenge() {
        let challenge = CodeChallenge(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(challenge.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("A verifier has 43 characters, all of them unreserved, and no two are the same")
    func verifier() {
        let verifiers = (0..<100).map { _ in CodeChallenge().verifier }
        #expect(Set(verifiers).count == 100)
        for verifier in verifiers {
            #expect(verifier.utf8.count == 43)
            #expect(verifier.range(of: "^[A-Za-z0-9_-]*$", options: .regularExpression) != nil)
        }
    }

    static let secretFields = [
        "code", "code_verifier", "refresh_token", "access_token", "client_secret", "device_code",
        "user_code", "assertion", "client_assertion", "subject_token", "actor_token", "token",
        "id_token",
    ]

    @Test("The fields of OAuth that are secrets are masked in forms", arguments: secretFields)
    func masked(name: String) {
        #expect(SecretNames.usual.contains(name, in: .form))
    }

    static let urls: [(String, OAuthError.Code?)] = [
        ("https://server.example.com/token?tenant=1", nil),
        ("http://127.0.0.1:8080/token", nil),
        ("http://[::1]:8080/token", nil),
        ("http://localhost/token", nil),
        ("http://server.example.com/token", .insecureURL),
        ("http://127.0.0.1.evil.example/token", .insecureURL),
        ("http://localhost.evil.example/token", .insecureURL),
        ("https://user:pw@server.example.com/token", .insecureURL),
        ("https://server.example.com/token#a", .insecureURL),
        ("ftp://server.example.com/token", .insecureURL),
        ("file:///token", .insecureURL),
        ("javascript:alert(1)", .insecureURL),
    ]

    @Test("Tokens are requested by https, or on this machine", arguments: urls)
    func secureURLs(row: (text: String, code: OAuthError.Code?)) async throws {
        var fixture = Fixture()
        fixture.server.tokenURL = URL(string: row.text)
        fixture.stub.on(TokenRequest.self, .json(#"{"access_token": "a"}"#))
        do {
            try await fixture.credentials.signIn(.clientCredentials)
            #expect(row.code == nil)
        } catch let error as OAuthError {
            #expect(error.code == row.code)
            #expect(fixture.forms.isEmpty)
        }
    }

    static let responses: [(String, OAuthError.Code)] = [
        (#"{"token_type": "bearer"}"#, .unusableToken),
        (#"{"access_token": ""}"#, .unusableToken),
        (#"{"access_token": "a\r\nb"}"#, .unusableToken),
        (#"{"access_token": "a", "token_type": "a b"}"#, .unusableToken),
        // GitHub's way.
        (#"{"error": "bad_verification_code"}"#, "bad_verification_code"),
        (#"{"error": 7}"#, .unknown),
        (#"{"error": "wrong redirect"}"#, .unknown),
    ]

    @Test(
        "A token that can't be used, or an error with status 200, is an error", arguments: responses
    )
    func unusable(row: (json: String, code: OAuthError.Code)) async throws {
        let fixture = Fixture()
        fixture.stub.on(TokenRequest.self, .json(row.json))
        let error = await #expect(throws: OAuthError.self) {
            try await fixture.credentials.signIn(.clientCredentials)
        }
        #expect(error?.code == row.code)
    }

    @Test("An error with status 200 hides the client's secret", arguments: [true, false])
    func hiddenSecret(isBasic: Bool) async throws {
        let client = OAuthClient(
            "a", isBasic ? .basic(secret: "S3CR3T+S3CR3T") : .post(secret: "S3CR3T+S3CR3T"))
        let fixture = Fixture(client: client)
        let json = #"{"error": "x", "error_description": "S3CR3T+S3CR3T S3CR3T%2BS3CR3T"}"#
        fixture.stub.on(TokenRequest.self, .json(json))
        fixture.stub.on(DeviceAuthorizationRequest.self, .json(json))
        for flow in [OAuthFlow.clientCredentials, .device { _ in }] {
            let error = await #expect(throws: OAuthError.self) {
                try await fixture.credentials.signIn(flow)
            }
            #expect(error?.serverDescription == "… …")
        }
    }

    @Test("The text of an error hides what was sent as a secret, whole or cut")
    func hidden() async throws {
        let fixture = Fixture(client: OAuthClient("a", .post(secret: "S3CR3TS3CR3T")))
        let text = String(repeating: "x", count: 292) + "S3CR3TS3CR3T"
        fixture.stub.on(
            TokenRequest.self,
            .json(
                """
                {"error": "invalid_client", "error_description": "S3CR3TS3CR3T\\u0007 \(text)",
                "error_uri": "https://h/?a=S3CR3TS3CR3T"}
                """, status: 401))
        let error = try #require(
            await #expect(throws: OAuthError.self) {
                try await fixture.credentials.signIn(.clientCredentials)
            })
        #expect(error.code == .invalidClient)
        #expect(error.uri == nil)
        #expect(!"\(error)".contains("S3CR"))
        #expect(
            "\(error)".hasPrefix("the authorization server refused with `invalid_client` (…  x"))
    }
}
