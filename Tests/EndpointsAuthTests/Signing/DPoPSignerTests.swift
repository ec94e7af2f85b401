import Endpoints
import EndpointsMiddleware
import EndpointsShared
import Foundation
import Testing

@testable import EndpointsAuth

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct DPoPSignerTests {
    /// The key of the example in RFC 9449, section 4.1.
    private static let jwk = [
        "kty": "EC", "crv": "P-256", "x": "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
        "y": "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA",
    ]

    private static func key(
        _ algorithm: String = "ES256", _ jwk: [String: String] = jwk
    ) -> DPoPKey {
        DPoPKey(algorithm, jwk: jwk) { Data(SHA256.hash($0)) }
    }

    /// A server that notes the parts of each proof, and its responses in order.
    private final class ProofServer: Transport {
        private let replies: Locked<[(Int, [String: String], String)]>
        let proofs = Locked<[[String: String]]>([])

        init(_ replies: [(Int, [String: String])]) {
            self.replies = Locked(replies.map { ($0.0, $0.1, "{}") })
        }

        init(_ replies: [(Int, [String: String], String)]) { self.replies = Locked(replies) }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let proof = request.urlRequest.value(forHTTPHeaderField: "DPoP")
            let url = request.urlRequest.url ?? URL(filePath: "/")
            if let proof { proofs.withLock { $0.append(Self.claims(of: proof)) } }
            let (status, fields, body) = replies.withLock { replies in
                replies.count > 1 ? replies.removeFirst() : replies[0]
            }
            let head = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: nil, headerFields: fields)
            guard let head else { throw URLError(.badServerResponse) }
            return TransportResponse(Data(body.utf8), head)
        }

        static func claims(of proof: String) -> [String: String] {
            let parts = proof.split(separator: ".").map { part in
                var text = String(part).replacingOccurrences(of: "-", with: "+")
                    .replacingOccurrences(of: "_", with: "/")
                text += String(repeating: "=", count: (4 - text.count % 4) % 4)
                return Data(base64Encoded: text) ?? Data()
            }
            guard parts.count == 3,
                let claims = try? JSONSerialization.jsonObject(with: parts[1]) as? [String: Any],
                let header = try? JSONSerialization.jsonObject(with: parts[0]) as? [String: Any]
            else { return [:] }
            let content = proof.split(separator: ".").dropLast().joined(separator: ".")
            var texts = claims.merging(header) { $1 }.mapValues { "\($0)" }
            texts["isSigned"] = "\(parts[2] == Data(SHA256.hash(Data(content.utf8))))"
            return texts
        }
    }

    @Test(
        arguments: [
            "https://a.test/x", "https://a.test/x?q=1#f", "https://ann:s3cr3t@a.test/x?q=a@b",
            "https://ann@a.test/x",
        ])
    func `The URL of a proof has no query, fragment and user info`(url: String) async throws {
        var request = TransportRequest(
            URLRequest(url: try #require(URL(string: url))), requestType: Get.self)
        try await DPoPSigner(Self.key()).sign(&request, at: Date())
        let proof = request.urlRequest.value(forHTTPHeaderField: "DPoP") ?? ""
        #expect(ProofServer.claims(of: proof)["htu"] == "https://a.test/x")
    }

    @Test func `A proof has the digest of RFC 9449's token, and what the RFC asks for`()
        async throws
    {
        let server = ProofServer([(200, [:])])
        let token = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
        let tokens = MemoryCredentials(
            for: ServerEnvironment.a, AccessToken(.scheme("DPoP", token))
        ) { $0 }
        let clock = TransportClock(
            date: { Date(timeIntervalSince1970: 1_562_262_618.7) }, uptime: { 0 },
            sleep: { _ in }, random: { 0 })
        let transport = server.signed(by: DPoPSigner(Self.key()), clock: clock)
            .authorized(by: tokens)
        for _ in 0..<2 { _ = try await transport.response(in: .a, with: Get(path: "a b")) }
        let proofs = server.proofs.withLock { $0 }
        let proof = try #require(proofs.first)
        #expect(proof["ath"] == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
        #expect(proof["htm"] == "GET" && proof["htu"] == "https://a.test/a%20b")
        #expect(proof["typ"] == "dpop+jwt" && proof["alg"] == "ES256")
        #expect(proof["iat"] == "1562262618" && proof["nonce"] == nil)
        #expect(proof["isSigned"] == "true")
        #expect(Set(proofs.compactMap { $0["jti"] }).count == 2)
    }

    /// The example of RFC 7638, section 3.1, and the key of RFC 8037, appendix A.3.
    static let thumbprints: [([String: String], String?)] = [
        (
            ["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
            "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
        ),
        (
            [
                "kty": "RSA", "e": "AQAB", "alg": "RS256", "kid": "2011-04-29",
                "n": """
                0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhD\
                R1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6C\
                f0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1\
                n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1\
                jF44-csFCur-kEgU8awapJzKnqDKgw
                """,
            ], "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"
        ),
        (["kty": "EC", "crv": "P-256", "x": "a"], nil), (["kty": "oct", "k": "a"], nil), ([:], nil),
    ]

    @Test(arguments: thumbprints)
    func `A key has the thumbprint of RFC 7638`(jwk: [String: String], thumbprint: String?) {
        #expect(Self.key("RS256", jwk).thumbprint == thumbprint)
    }

    private static let nonceNeeded = [
        "WWW-Authenticate": #"DPoP error="use_dpop_nonce", error_description="x""#,
        "DPoP-Nonce": "n1",
    ]

    /// The responses, and the nonces of the proofs.
    static let nonces: [([(Int, [String: String])], [String])] = [
        ([(401, nonceNeeded), (200, [:])], ["", "n1"]),
        ([(401, nonceNeeded), (401, nonceNeeded)], ["", "n1"]),
        ([(401, ["DPoP-Nonce": "n1"]), (200, [:])], [""]),
        ([(401, ["WWW-Authenticate": #"DPoP error="use_dpop_nonce""#]), (200, [:])], [""]),
        ([(400, nonceNeeded), (200, [:])], [""]), ([(200, nonceNeeded), (200, [:])], [""]),
    ]

    @Test(arguments: nonces)
    func `A 401 that wants a nonce is followed by one request with it`(
        replies: [(Int, [String: String])], nonces: [String]
    ) async throws {
        let server = ProofServer(replies)
        let transport = server.signed(by: DPoPSigner(Self.key()))
        _ = try? await transport.response(in: .a, with: Post())
        #expect(server.proofs.withLock { $0.map { $0["nonce"] ?? "" } } == nonces)
    }

    @Test func `Requests that wait for the same nonce are each sent once more`() async throws {
        let signer = DPoPSigner(Self.key())
        let head = try #require(
            HTTPURLResponse(
                url: URL(filePath: "/"), statusCode: 401, httpVersion: nil,
                headerFields: Self.nonceNeeded))
        let urlRequest = URLRequest(url: try #require(URL(string: "https://a.test/x")))
        var requests = (0..<3).map { _ in TransportRequest(urlRequest, requestType: Get.self) }
        for request in requests { request.signatureReaders = SignatureReaders() }
        func isCorrected(_ index: Int) async throws -> Bool {
            let readers = try #require(requests[index].signatureReaders)
            return try await readers.isCorrected(by: head, at: Date())
        }
        for index in 0..<2 { try await signer.sign(&requests[index], at: Date()) }
        for index in 0..<2 { #expect(try await isCorrected(index)) }
        try await signer.sign(&requests[2], at: Date())
        #expect(try await !isCorrected(2))
    }

    @Test func `A nonce is sent only to the server that has given it, and the newest one`()
        async throws
    {
        let server = ProofServer([
            (200, ["DPoP-Nonce": "n1"]), (200, ["DPoP-Nonce": "n2"]), (200, [:]),
        ])
        let other = try #require(URL(string: "https://b.test/x"))
        let transport = server.signed(by: DPoPSigner(Self.key()), trusting: [other])
        for _ in 0..<3 { _ = try await transport.response(in: .a, with: Get()) }
        _ = try await transport.response(in: .a, with: Get(), at: other)
        #expect(server.proofs.withLock { $0.map { $0["nonce"] ?? "" } } == ["", "n1", "n2", ""])
    }

    /// A key that must not be used, and what the error says.
    static let faults: [(String, [String: String], String)] = [
        ("none", jwk, #"has `DPoPKey("none")`"#), ("NONE", jwk, #"has `DPoPKey("NONE")`"#),
        ("HS256", jwk, #"has `DPoPKey("HS256")`"#), ("", jwk, #"has `DPoPKey("")`"#),
        ("ES256", jwk.merging(["d": "s3cret"]) { $1 }, "has the private member `d`"),
        ("ES256", ["kty": "oct", "k": "s3cret"], "has the private member `k`"),
        ("ES256", ["kty": "EC"], "isn't a public key of the type EC, RSA or OKP"),
    ]

    @Test(arguments: faults)
    func `A key that proves nothing, or would be sent, is refused`(
        algorithm: String, jwk: [String: String], text: String
    ) async throws {
        let server = ProofServer([(200, [:])])
        let key = Self.key(algorithm, jwk)
        let transport = server.signed(by: DPoPSigner(key))
        let error = await #expect(throws: Get.TaskError.self) {
            try await transport.response(in: .a, with: Get())
        }
        var shown = "\(try #require(error)) \(key)"
        dump(key, to: &shown)
        #expect(shown.contains(text) && !shown.contains("s3cret"), "\(shown)")
        #expect(server.proofs.withLock { $0.count } == 0)
    }

    /// The responses of a token URL, and how many requests it gets.
    static let tokenReplies: [([(Int, [String: String], String)], count: Int, isSignedIn: Bool)] = [
        ([wantsNonce, token], 2, true), ([wantsNonce, wantsNonce], 2, false), ([token], 1, true),
        ([(400, [:], #"{"error": "use_dpop_nonce"}"#), token], 1, false),
        ([(400, ["DPoP-Nonce": "n1"], #"{"error": "invalid_grant"}"#), token], 1, false),
    ]
    private static let wantsNonce = (
        400, ["DPoP-Nonce": "n1"], #"{"error": "use_dpop_nonce"}"#
    )
    private static let token = (
        200, ["Content-Type": "application/json"],
        #"{"access_token": "t0k3n", "token_type": "DPoP", "expires_in": 60}"#
    )

    @Test(arguments: tokenReplies)
    func `A sign-in sends the nonce that its server wants, once`(
        replies: [(Int, [String: String], String)], count: Int, isSignedIn: Bool
    ) async throws {
        let server = ProofServer(replies)
        let dpop = server.signed(by: DPoPSigner(Self.key()))
        let tokens = OAuthCredentials(
            for: ServerEnvironment.a,
            server: OAuthServer(tokenURL: URL(string: "https://b.test/t")),
            client: OAuthClient("c"), transport: dpop)
        try? await tokens.signIn(.clientCredentials)
        #expect(try await tokens.isSignedIn == isSignedIn)
        let proofs = server.proofs.withLock { $0 }
        #expect(proofs.count == count)
        #expect(proofs.allSatisfy { $0["htu"] == "https://b.test/t" && $0["ath"] == nil })
        #expect(proofs.dropFirst().allSatisfy { $0["nonce"] == "n1" })
        guard isSignedIn else { return }
        _ = try await dpop.authorized(by: tokens).response(in: .a, with: Get())
        #expect(server.proofs.withLock { $0.last?["ath"] } != nil)
    }

    /// A server with one connection, which a response holds until its body is dropped.
    private final class OneConnection: Transport {
        private final class Hold: Sendable {
            let count: Locked<Int>
            init(_ count: Locked<Int>) { self.count = count }
            deinit { count.withLock { $0 -= 1 } }
        }

        private let held = Locked(0)
        private let isFirst = Locked(true)

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let isFree = held.withLock { held in
                held += 1
                return held == 1
            }
            guard isFree else { throw URLError(.timedOut) }
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            let head = try #require(
                HTTPURLResponse(
                    url: URL(filePath: "/"), statusCode: isFirst ? 401 : 200, httpVersion: nil,
                    headerFields: [
                        "DPoP-Nonce": "n0nce", "WWW-Authenticate": "DPoP error=\"use_dpop_nonce\"",
                    ]))
            let hold = Hold(held)
            return TransportResponse(
                body: ResponseBody {
                    _ = hold; return nil
                }, head)
        }
    }

    @Test("The response that wants a nonce doesn't hold the connection for the second request")
    func connection() async throws {
        let transport = OneConnection().signed(by: DPoPSigner(Self.key()))
        _ = try await transport.response(in: .a, with: GetArchive())
    }
}
