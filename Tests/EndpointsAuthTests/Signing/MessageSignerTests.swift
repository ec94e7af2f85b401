import Endpoints
import EndpointsShared
import EndpointsTesting
import Foundation
import Testing

@testable import EndpointsAuth

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Signing by HTTP message signatures")
struct MessageSignerTests {
    private static let key = MessageSigningKey.hmacSHA256(Message.secret, id: "job")

    private static func fields(
        of signer: MessageSigner, _ request: TransportRequest
    ) async throws -> [String: String] {
        var request = request
        try await signer.sign(&request, at: Message.now)
        return request.urlRequest.allHTTPHeaderFields ?? [:]
    }

    @Test("The parameters are written in their order, with the labels, tags and times given")
    func parameters() async throws {
        let signer = MessageSigner(
            key: Self.key, covering: [.method], label: "a1", tag: "t", expiresAfter: 60,
            nonce: { "n" }, namingAlgorithm: true)
        let fields = try await Self.fields(of: signer, Message.request())
        #expect(
            fields["Signature-Input"] == """
                a1=("@method");created=1700000000;expires=1700000060;keyid="job";\
                alg="hmac-sha256";nonce="n";tag="t"
                """)
        #expect(fields["Content-Digest"] == nil)
    }

    @Test(
        "A body is covered by its digest, and so is the missing body of a POST",
        arguments: [
            ("POST", "hello", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="),
            ("PUT", nil, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
            ("QUERY", "hello", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="),
        ] as [(String, String?, String)])
    func digest(method: String, body: String?, digest: String) async throws {
        let signer = MessageSigner(key: Self.key, covering: [.method])
        let request = Message.request(method, body: body)
        let fields = try await Self.fields(of: signer, request)
        #expect(fields["Content-Digest"] == "sha-256=:\(digest):")
        #expect(fields["Signature-Input"]?.contains(#"("@method" "content-digest")"#) == true)
    }

    @Test("A file is covered by the digest of its bytes, by SHA-512 if that is asked for")
    func file() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("signed-\(UUID().uuidString)")
        try Data("hello".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var request = Message.request("PUT")
        request.upload = Upload([.file(file)])
        let signer = MessageSigner(key: Self.key, digest: .sha512)
        #expect(
            try await Self.fields(of: signer, request)["Content-Digest"]
                == "sha-512=:m3HSJL1i83hdltRq0+o9czGb+8KJDKra4t/3JRlnPKcjI8PZm6XBHXx6zG4UuMXaDEZjR1wuXDre9G9zvN7AQw==:"
        )
    }

    @Test("A component that is only covered if present is left out of a request without it")
    func optional() async throws {
        let signer = MessageSigner(
            key: Self.key, covering: [.method], coveringIfPresent: ["X-A", .query("a")],
            digest: nil)
        let without = try await Self.fields(of: signer, Message.request())
        #expect(without["Signature-Input"]?.hasPrefix(#"sig=("@method");"#) == true)
        let with = try await Self.fields(
            of: signer, Message.request("GET", "https://a.example.com/?a=1", ["X-A": "1"]))
        #expect(
            with["Signature-Input"]?
                .hasPrefix(#"sig=("@method" "x-a" "@query-param";name="a");"#) == true)
    }

    @Test("Another signature that the request has is kept")
    func others() async throws {
        let request = Message.request(
            "GET", "https://a.example.com/",
            ["Signature-Input": "b=();created=1", "Signature": "b=:AA==:"])
        let fields = try await Self.fields(of: MessageSigner(key: Self.key), request)
        #expect(fields["Signature-Input"]?.hasPrefix("b=();created=1, sig=(") == true)
        #expect(fields["Signature"]?.hasPrefix("b=:AA==:, sig=:") == true)
    }

    @Test("A closure signs the base, for an algorithm that isn't built in")
    func closure() async throws {
        let key = MessageSigningKey(id: "k", algorithm: .ed25519) { base in
            Data("signed \(base.count)".utf8)
        }
        let fields = try await Self.fields(
            of: MessageSigner(key: key, covering: [.method], digest: nil), Message.request())
        #expect(fields["Signature"] == "sig=:\(Data("signed 76".utf8).base64EncodedString()):")
    }

    private static let big = ["X-Dict": "a=1", "X-Bad": "é", "Host": "other.example.com"]

    @Test(
        "A component that can't be covered ends the request with an error that names it",
        arguments: [
            (
                "X-Missing", .header("x-missing"),
                """
                is covered by a signature, but isn't in the request; declare it, or write it in \
                `coveringIfPresent`
                """
            ),
            (
                "Content-Length", .header("content-length"),
                """
                is covered by a signature, but is set by the transport; cover `Content-Digest`, \
                which is that of the body
                """
            ),
            (
                "X Y", .header("x y"),
                """
                is covered by a signature, but isn't the name of a header; use letters, digits \
                and `-`
                """
            ),
            (
                "X-Bad", .header("x-bad"),
                """
                is covered by a signature, but has a control character or one that isn't ASCII, \
                which can't be signed; escape it
                """
            ),
            (
                .field("X-Dict", key: "b"), .header("x-dict"),
                #"is covered by a signature, but has no member "b""#
            ),
            (
                .field("X-Dict", as: .item), .header("x-dict"),
                "is covered by a signature, but isn't a structured item (RFC 9651)"
            ),
            (
                .authority, .transport,
                """
                covers "@authority" by a signature, but it differs from the header `Host`; remove \
                this header
                """
            ),
            (
                .query("x"), .transport,
                """
                covers "@query-param";name="x" by a signature, but it isn't in the query; declare \
                it, or leave it out
                """
            ),
            (
                .query("a"), .transport,
                """
                covers "@query-param";name="a" by a signature, but it is in the query more than \
                once; cover the whole `.query`
                """
            ),
            (
                .status, .transport,
                #"covers "@status" by a signature, but it is a component of responses only"#
            ),
            (
                .method.ofRequest, .transport,
                """
                covers "@method";req by a signature, but it is a component of a response's \
                signature; remove `ofRequest`
                """
            ),
            (
                "@target", .transport,
                #"covers "@target" by a signature, but it isn't a component that is known"#
            ),
            (
                "@signature-params", .transport,
                """
                covers "@signature-params" by a signature, but it is a part of each signature; \
                remove it from the components
                """
            ),
        ] as [(MessageComponent, EndpointError.Field, String)])
    func refused(
        component: MessageComponent, field: EndpointError.Field, reason: String
    ) async throws {
        let request = Message.request("GET", "https://a.example.com/?a=1&a=2", Self.big)
        let signer = MessageSigner(key: Self.key, covering: [component], digest: nil)
        let error = await #expect(throws: EndpointError.self) {
            try await Self.fields(of: signer, request)
        }
        #expect(error?.field == field)
        #expect(error?.reason == reason)
        #expect(error?.requestType == "Ask")
    }

    @Test(
        "A setting that can't be meant ends the request with an error",
        arguments: [
            (
                MessageSigner(key: .hmacSHA256(Data(), id: "a")),
                """
                has a `MessageSigner` that has an empty key, with which everybody can sign; use 32 \
                random bytes
                """
            ),
            (
                MessageSigner(key: key, label: "A"),
                """
                has a `MessageSigner` that has a wrong label; use small letters, digits and `-`, \
                and first a letter
                """
            ),
            (
                MessageSigner(key: key, expiresAfter: 0),
                "has a `MessageSigner` that expires after 0 seconds; write 1 to 1,000,000,000"
            ),
            (
                MessageSigner(key: key, tag: "é"),
                """
                has a `MessageSigner` with a text that can't be sent; use ASCII without line \
                breaks for the key's id, the tag, the nonce and the names
                """
            ),
            (
                MessageSigner(key: key, covering: [.method, .method]),
                #"covers "@method" by a signature, but it is covered twice; write it once"#
            ),
        ])
    func settings(signer: MessageSigner, reason: String) async throws {
        let error = await #expect(throws: EndpointError.self) {
            try await Self.fields(of: signer, Message.request())
        }
        #expect(error?.reason == reason)
        #expect(error?.field == .transport)
    }

    @Test(
        "A Content-Digest of the request's own is kept if it is that of the body",
        arguments: [
            ("sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:", nil),
            (
                "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:",
                "isn't the digest of the body; leave it to the signer"
            ),
            (
                "md5=:AAAA:",
                "has no digest that can be checked, as sha-256; leave it to the signer"
            ),
        ] as [(String, String?)])
    func ownDigest(field: String, reason: String?) async throws {
        let request = Message.request(
            "POST", "https://a.example.com/", ["Content-Digest": field], body: "hello")
        let signer = MessageSigner(key: Self.key)
        guard let reason else {
            #expect(try await Self.fields(of: signer, request)["Content-Digest"] == field)
            return
        }
        let error = await #expect(throws: EndpointError.self) {
            try await Self.fields(of: signer, request)
        }
        #expect(error?.field == .header("Content-Digest"))
        #expect(error?.reason == reason)
    }

    @Test("A label that the request has already isn't used again")
    func sameLabel() async throws {
        let request = Message.request(
            "GET", "https://a.example.com/",
            ["Signature-Input": "sig=();created=1", "Signature": "sig=:AA==:"])
        let error = await #expect(throws: EndpointError.self) {
            try await Self.fields(of: MessageSigner(key: Self.key), request)
        }
        #expect(
            error?.reason == #"has a signature "sig" already; give the signer another `label`"#)
    }

    @Test("A nonce has 22 characters, and each is another one")
    func nonces() {
        let nonces = Set((0..<100).map { _ in MessageSigner.randomNonce() })
        #expect(nonces.count == 100 && nonces.allSatisfy { $0.utf8.count == 22 })
    }

    @Test("No description, reflection or error shows a key")
    func secrets() async throws {
        let secret = "s3cr3t-key-of-mine-with-32-bytes"
        let key = MessageSigningKey.hmacSHA256(Data(secret.utf8), id: "k")
        let verifying = MessageVerifyingKey.hmacSHA256(Data(secret.utf8), id: "k")
        let signer = MessageSigner(key: key, covering: ["X-Missing"])
        let verifier = MessageVerifier(keys: [verifying], requiring: [.status])
        var shown = ""
        for value in [key, verifying, signer, verifier] as [Any] {
            dump(value, to: &shown)
            shown += "\(value) \(String(reflecting: value))"
        }
        let error = await #expect(throws: EndpointError.self) {
            try await Self.fields(of: signer, Message.request())
        }
        shown += "\(String(describing: error))"
        #expect(!shown.contains("s3cr3t") && !shown.contains("k3y") && !shown.contains("115"))
        #expect("\(signer)" == "MessageSigner(hmac-sha256)")
        #expect("\(verifier)" == "MessageVerifier(hmac-sha256)")
    }
}
