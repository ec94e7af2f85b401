import Endpoints
import EndpointsShared
import EndpointsStreams
import EndpointsStructuredFields
import Foundation
import Testing

@testable import EndpointsAuth

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Verifying by HTTP message signatures")
struct MessageVerifierTests {
    private static let key = MessageVerifyingKey.hmacSHA256(Message.secret, id: "server")

    /// Sends a request to a server that responds so, and returns the body.
    @discardableResult
    private static func load(
        _ head: HTTPURLResponse, body: String = "{}",
        by verifier: MessageVerifier = MessageVerifier(keys: [key], requiring: [.status]),
        _ request: TransportRequest = Message.request(), at date: Date = Message.now
    ) async throws -> String {
        let transport = Respond { _ in TransportResponse(Data(body.utf8), head) }
            .verified(by: verifier, clock: Message.clock(date))
        let response = try await transport.send(request)
        return String(decoding: try await response.body.data(upTo: 100), as: UTF8.self)
    }

    private static func reason(
        _ head: HTTPURLResponse, body: String = "{}",
        by verifier: MessageVerifier = MessageVerifier(keys: [key], requiring: [.status]),
        _ request: TransportRequest = Message.request(), at date: Date = Message.now
    ) async -> MessageVerificationError.Reason? {
        do { try await load(head, body: body, by: verifier, request, at: date) } catch {
            let error = error as? MessageVerificationError
            #expect(error?.statusCode == head.statusCode)
            return error?.reason
        }
        return nil
    }

    @Test("A response that the server has signed is returned")
    func valid() async throws {
        #expect(try await Self.load(Message.signedHead()) == "{}")
    }

    @Test("Texts of an error are short, however long the names are that a server covers")
    func longNames() async throws {
        let name = String(repeating: "x", count: 20_000)
        let long = MessageComponent(stringLiteral: name)
        let unreadable = MessageVerificationError(reason: .unreadable(long), statusCode: 200)
        #expect("\(unreadable)".count < 250)
        let head = try Message.signedHead(200, [name: "1"], covering: [.status, long])
        var fields = head.allHeaderFields as? [String: String] ?? [:]
        fields = fields.filter { $0.key.lowercased() != name }
        #expect(await Self.reason(try Message.head(200, fields)) == .unreadable(long))
        let input = fields["Signature-Input"] ?? ""
        fields["Signature-Input"] = input.replacingOccurrences(
            of: "\"\(name)\"", with: "\"\(name)\";tr")
        guard case .unknownComponent(let text)? = await Self.reason(try Message.head(200, fields))
        else { throw URLError(.unknown) }
        #expect(text.count == 100)
        for header in ["Signature-Input", "Signature"] {
            var longer = fields
            longer[header, default: ""] += ";a=\"\(String(repeating: "y", count: 33_000))\""
            #expect(await Self.reason(try Message.head(200, longer)) == .malformed)
        }
    }

    @Test("A response whose signature covers the request is valid for this request alone")
    func ofRequest() async throws {
        let covered: [MessageComponent] = [
            .status, "content-digest", .method.ofRequest, .targetURI.ofRequest,
        ]
        let head = try Message.signedHead(covering: covered)
        let verifier = MessageVerifier(
            keys: [Self.key], requiring: [.method.ofRequest, .targetURI.ofRequest])
        try await Self.load(head, by: verifier)
        let other = Message.request("GET", "https://api.example.com/dogs?name=Max")
        #expect(await Self.reason(head, by: verifier, other) == .invalid)
    }

    @Test("A response with another status, header, body, key or signature is refused")
    func changed() async throws {
        let head = try Message.signedHead(
            200, ["X-A": "1"], covering: [.status, "x-a", "content-digest"])
        let fields = head.allHeaderFields as? [String: String] ?? [:]
        func changed(_ name: String, _ value: String?, _ status: Int = 200) throws
            -> HTTPURLResponse
        {
            var fields = fields
            let key = fields.keys.first { $0.lowercased() == name } ?? name
            fields[key] = value
            return try Message.head(status, fields)
        }
        try await Self.load(changed("x-b", "1"))
        #expect(await Self.reason(try changed("x-b", "1", 201)) == .invalid)
        #expect(await Self.reason(try changed("x-a", "2")) == .invalid)
        #expect(await Self.reason(try changed("x-a", nil)) == .unreadable("x-a"))
        #expect(await Self.reason(try changed("signature", "sig=:AAAA:")) == .invalid)
        #expect(await Self.reason(try changed("signature", "sig=::")) == .invalid)
        #expect(await Self.reason(try changed("signature", "sig=1")) == .malformed)
        #expect(await Self.reason(try changed("signature", "other=:AAAA:")) == .malformed)
        #expect(await Self.reason(try changed("signature", "sig=")) == .malformed)
        #expect(await Self.reason(try changed("signature", nil)) == .unsigned)
        #expect(await Self.reason(try changed("signature-input", nil)) == .unsigned)
        #expect(await Self.reason(try changed("signature-input", "sig=1")) == .unknownKey)
        #expect(await Self.reason(head, body: "{ }") == .otherBody)
        #expect(await Self.reason(head, body: "") == .otherBody)
        let otherKey = try Message.signedHead(key: Data("other".utf8))
        #expect(await Self.reason(otherKey) == .invalid)
    }

    @Test(
        "The algorithm is the key's, whatever the signature names",
        arguments: [("hmac-sha256", nil), ("ed25519", .otherAlgorithm), ("none", .otherAlgorithm)]
            as [(String, MessageVerificationError.Reason?)])
    func algorithm(name: String, reason: MessageVerificationError.Reason?) async throws {
        let head = try Message.signedHead(
            parameters: [
                ("created", .integer(1_700_000_000)), ("keyid", .string("server")),
                ("alg", .string(name)),
            ])
        #expect(await Self.reason(head) == reason)
    }

    @Test(
        "A signature is valid from when it was made until it is too old or has expired",
        arguments: [
            ([("created", .integer(1_700_000_000))], 0, nil),
            ([("created", .integer(1_700_000_000))], 360, nil),
            ([("created", .integer(1_700_000_000))], 361, .expired),
            ([("created", .integer(1_700_000_000))], -60, nil),
            ([("created", .integer(1_700_000_000))], -61, .fromTheFuture),
            (
                [("created", .integer(1_700_000_000)), ("expires", .integer(1_700_000_010))], 70,
                nil
            ),
            (
                [("created", .integer(1_700_000_000)), ("expires", .integer(1_700_000_010))], 71,
                .expired
            ),
            ([], 0, .withoutTime),
            ([("created", .string("now"))], 0, .malformed),
            ([("created", .date(1_700_000_000))], 0, .malformed),
        ] as [([(String, StructuredValue)], TimeInterval, MessageVerificationError.Reason?)])
    func time(
        parameters: [(String, StructuredValue)], seconds: TimeInterval,
        reason: MessageVerificationError.Reason?
    ) async throws {
        let head = try Message.signedHead(parameters: parameters)
        #expect(await Self.reason(head, at: Message.now + seconds) == reason)
    }

    @Test("A signature covers what is required, and nothing that can't be checked")
    func coverage() async throws {
        let bare = try Message.signedHead(covering: [.status])
        #expect(await Self.reason(bare) == .bodyUncovered)
        let allowing = MessageVerifier(
            keys: [Self.key], requiring: [.status], allowsUnsignedBody: true)
        #expect(await Self.reason(bare, by: allowing) == nil)
        let typed = MessageVerifier(keys: [Self.key], requiring: [.status, "Content-Type"])
        #expect(
            await Self.reason(try Message.signedHead(), by: typed) == .uncovered("content-type"))
        let inputs: [(String, MessageVerificationError.Reason)] = [
            (#"("@status" "x";tr)"#, .unknownComponent(#""x";tr"#)),
            (#"("@status" "x";unknown)"#, .unknownComponent(#""x";unknown"#)),
            (#"("@status" "X")"#, .unknownComponent(#""X""#)),
            (#"("@status" "@status")"#, .malformed), ("(1)", .unknownComponent("1")),
            (#"("@status" "@method")"#, .unreadable(.method)),
            (#"("@status" "x";bs)"#, .unreadable(.bytes("x"))),
            (
                #"("@status" "content-digest";key="md5")"#,
                .unreadable(.field("content-digest", key: "md5"))
            ),
            (#"("@status" "@unknown")"#, .unknownComponent(#""@unknown""#)),
            (
                #"("@status" \#((0..<64).map { #""x";key="k\#($0)""# }.joined(separator: " ")))"#,
                .malformed
            ),
        ]
        for (input, reason) in inputs {
            let head = try Message.head(
                200,
                [
                    "Signature-Input": "sig=\(input);created=1700000000", "Signature": "sig=:AA==:",
                    "Content-Digest": "sha-256=:AA==:", "X": "1",
                ])
            #expect(await Self.reason(head) == reason, "\(input)")
        }
    }

    @Test("Of several signatures, one by a known key, label and tag is verified")
    func several() async throws {
        let head = try Message.signedHead(parameters: [
            ("created", .integer(1_700_000_000)), ("keyid", .string("server")),
            ("tag", .string("t")),
        ])
        var fields = head.allHeaderFields as? [String: String] ?? [:]
        for name in ["Signature-Input", "Signature"] {
            let key = fields.keys.first { $0.lowercased() == name.lowercased() } ?? name
            let first = name == "Signature" ? "a=:AAAA:" : #"a=("@status");keyid="proxy""#
            fields[key] = "\(first), \(fields[key] ?? "")"
        }
        let both = try Message.head(200, fields)
        try await Self.load(both)
        func verifier(label: String? = nil, tag: String? = nil, id: String = "server")
            -> MessageVerifier
        {
            MessageVerifier(
                keys: [.hmacSHA256(Message.secret, id: id)], requiring: [.status], label: label,
                tag: tag)
        }
        #expect(await Self.reason(both, by: verifier(label: "sig", tag: "t")) == nil)
        #expect(await Self.reason(both, by: verifier(label: "a")) == .unknownKey)
        #expect(await Self.reason(both, by: verifier(tag: "u")) == .unknownKey)
        #expect(await Self.reason(both, by: verifier(id: "other")) == .unknownKey)
    }

    @Test("Of many signatures by a known key, only the first eight are tried")
    func most() async throws {
        func head(others: Int) throws -> HTTPURLResponse {
            let signed = try Message.signedHead(label: "last")
            var fields = signed.allHeaderFields as? [String: String] ?? [:]
            for (name, member) in [("Signature-Input", "()"), ("Signature", ":AAAA:")] {
                let key = fields.keys.first { $0.lowercased() == name.lowercased() } ?? name
                let members = (0..<others).map { "a\($0)=\(member)" } + [fields[key] ?? ""]
                fields[key] = members.joined(separator: ", ")
            }
            return try Message.head(200, fields)
        }
        #expect(await Self.reason(try head(others: 7)) == nil)
        #expect(await Self.reason(try head(others: 8)) == .uncovered(.status))
    }

    @Test("A closure verifies, for an algorithm that isn't built in")
    func closure() async throws {
        let key = MessageVerifyingKey(id: "server", algorithm: .ed25519) { base, signature in
            SHA256.hmac(base, key: Message.secret) == Array(signature)
        }
        let verifier = MessageVerifier(keys: [key], requiring: [.status])
        #expect(try await Self.load(Message.signedHead(), by: verifier) == "{}")
    }

    @Test(
        "A response without content needs no digest, even if one is required",
        arguments: [("GET", 204), ("GET", 304), ("HEAD", 200)])
    func noContent(method: String, status: Int) async throws {
        let request = Message.request(method)
        let head = try Message.signedHead(status, covering: [.status], to: request)
        let verifier = MessageVerifier(keys: [Self.key], requiring: [.status, "Content-Digest"])
        #expect(try await Self.load(head, body: "", by: verifier, request) == "")
    }

    @Test("A Repr-Digest is that of a body which is a whole representation")
    func representation() async throws {
        let digest = Data(SHA256.hash(Data("{}".utf8))).base64EncodedString()
        let fields = ["Repr-Digest": "sha-256=:\(digest):"]
        let whole = try Message.signedHead(200, fields, covering: [.status, "repr-digest"])
        #expect(await Self.reason(whole) == nil)
        #expect(await Self.reason(whole, body: "[]") == .otherBody)
        let part = try Message.signedHead(206, fields, covering: [.status, "repr-digest"])
        #expect(await Self.reason(part) == .bodyUncovered)
    }

    @Test("A compressed body and a digest of another algorithm can't be checked, and are refused")
    func unchecked() async throws {
        let compressed = try Message.signedHead(200, ["Content-Encoding": "gzip"])
        #expect(await Self.reason(compressed) == .compressed)
        let plain = try Message.signedHead(200, ["Content-Encoding": "identity"])
        #expect(await Self.reason(plain) == nil)
        let unknown = try Message.signedHead(200, ["Content-Digest": "md5=:AAAA:"])
        #expect(await Self.reason(unknown) == .unknownDigest)
        let one = try Message.signedHead(
            covering: [.status, .field("content-digest", key: "sha-256")])
        #expect(await Self.reason(one) == nil)
        #expect(await Self.reason(one, body: "[]") == .otherBody)
        // A member that isn't covered may be anybody's.
        let digest = Data(SHA256.hash(Data("{}".utf8))).base64EncodedString()
        let two = try Message.signedHead(
            200, ["Content-Digest": "sha-256=:\(digest):, sha-512=:AAAA:"],
            covering: [.status, .field("content-digest", key: "sha-256")])
        #expect(await Self.reason(two) == nil)
    }

    @Test("The request asks for no compression, unless it has an Accept-Encoding")
    func coding() async throws {
        let head = try Message.signedHead()
        let sent = Locked([String?]())
        let transport = Respond { request in
            let value = request.urlRequest.value(forHTTPHeaderField: "Accept-Encoding")
            sent.withLock { $0.append(value) }
            return TransportResponse(Data("{}".utf8), head)
        }.verified(
            by: MessageVerifier(keys: [Self.key], requiring: [.status]), clock: Message.clock())
        _ = try await transport.send(Message.request())
        _ = try await transport.send(
            Message.request("GET", "https://a.example.com/", ["Accept-Encoding": "br"]))
        #expect(sent.withLock(\.self) == ["identity", "br"])
    }

    @Test(
        "A setting that can't be meant ends each request with an error",
        arguments: [
            (
                MessageVerifier(keys: [], requiring: [.status]),
                """
                has `MessageVerifier(keys: [])`, which can't be meant; give it a key of the server
                """
            ),
            (
                MessageVerifier(keys: [key, key], requiring: [.status]),
                """
                has `MessageVerifier(keys:)`, which can't be meant; give each key an id of its own
                """
            ),
            (
                MessageVerifier(keys: [.hmacSHA256(Data(), id: "")], requiring: [.status]),
                """
                has `MessageVerifier(keys:)`, which can't be meant; a key is empty, with which \
                everybody can sign
                """
            ),
            (
                MessageVerifier(keys: [key], requiring: []),
                """
                has `MessageVerifier(requiring: [])`, which can't be meant; write what a signature \
                must cover, such as `.status`
                """
            ),
            (
                MessageVerifier(keys: [key], requiring: [.method]),
                """
                has `MessageVerifier(requiring: ["@method"])`, which can't be meant; a response \
                doesn't have it; write `.ofRequest` after it
                """
            ),
            (
                MessageVerifier(keys: [key], requiring: [.status], maximumAge: 0),
                """
                has `MessageVerifier(maximumAge:tolerance:)`, which can't be meant; write an age \
                above zero, and a tolerance of 0 or more
                """
            ),
        ])
    func settings(verifier: MessageVerifier, reason: String) async throws {
        let head = try Message.signedHead()
        let error = await #expect(throws: EndpointError.self) {
            try await Self.load(head, by: verifier)
        }
        #expect(error?.reason == reason)
    }
}
