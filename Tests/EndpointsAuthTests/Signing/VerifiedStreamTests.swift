import Endpoints
import EndpointsMiddleware
import EndpointsShared
import Foundation
import Testing

@testable import EndpointsAuth
@testable import EndpointsStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct Archive: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "archive")
    typealias Response = ByteStream
}

extension ServerEnvironment {
    fileprivate static let kennel = ServerEnvironment(
        baseUrl: URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/"))
}

@Suite("Verifying streams and files")
struct VerifiedStreamTests {
    private static let verifier = MessageVerifier(
        keys: [.hmacSHA256(Message.secret, id: "server")], requiring: [.status])

    /// A transport whose response has these chunks, of which the last may be followed by an error.
    private static func transport(
        _ chunks: [String], signed body: String? = nil, then error: (any Error)? = nil,
        _ count: Locked<Int> = Locked(0), fields: [String: String] = [:]
    ) throws -> some Transport {
        let head = try Message.signedHead(200, fields, body: body ?? chunks.joined())
        return Respond { _ in
            count.withLock { $0 += 1 }
            let rest = Locked(chunks[...])
            let body = ResponseBody {
                if let chunk = rest.withLock({ $0.popFirst() }) { return Data(chunk.utf8) }
                if let error { throw error }
                return nil
            }
            return TransportResponse(body: body, head)
        }.verified(by: verifier, clock: Message.clock())
    }

    /// The chunks until the end or an error.
    private static func chunks(
        of transport: some Transport
    ) async throws -> (chunks: [String], error: (any Error)?) {
        var request = Message.request()
        request.streamsResponse = true
        let body = try await transport.send(request).body
        var chunks: [String] = []
        do {
            for try await chunk in body { chunks.append(String(decoding: chunk, as: UTF8.self)) }
        } catch { return (chunks, error) }
        return (chunks, nil)
    }

    @Test(
        "A stream has all chunks that the server has signed",
        arguments: [[], ["a"], ["a", "b", "c"], ["a", "", "b", ""]])
    func valid(chunks: [String]) async throws {
        let (received, error) = try await Self.chunks(of: Self.transport(chunks))
        #expect(received == chunks.filter { !$0.isEmpty })
        #expect(error == nil)
    }

    @Test(
        "A stream with another body ends with an error in place of the last chunk",
        arguments: [
            (["a", "b", "x"], "abc", ["a", "b"]), (["x"], "a", []), (["a", "b"], "abc", ["a"]),
            (["a", "b", "c"], "ab", ["a", "b"]), ([], "a", []),
        ])
    func otherBody(chunks: [String], signed: String, given: [String]) async throws {
        let (received, error) = try await Self.chunks(of: Self.transport(chunks, signed: signed))
        #expect(received == given)
        #expect((error as? MessageVerificationError)?.reason == .otherBody)
    }

    @Test("An error of the connection ends a stream as incomplete once a chunk was given out")
    func lost() async throws {
        let lost = URLError(.networkConnectionLost)
        let early = try await Self.chunks(of: Self.transport(["a"], then: lost))
        #expect(early.chunks.isEmpty)
        #expect((early.error as? URLError)?.code == .networkConnectionLost)
        let late = try await Self.chunks(of: Self.transport(["a", "b"], then: lost))
        #expect(late.chunks == ["a"])
        #expect((late.error as? MessageVerificationError)?.reason == .incomplete)
        let cancelled = try await Self.chunks(
            of: Self.transport(["a", "b"], then: CancellationError()))
        #expect(cancelled.error is CancellationError)
    }

    @Test("Reading on after the error of a wrong body gives the error again, and no chunk")
    func again() async throws {
        var request = Message.request()
        request.streamsResponse = true
        var iterator = try await Self.transport(["x"], signed: "a").send(request).body
            .makeAsyncIterator()
        for _ in 0..<2 {
            await #expect(throws: MessageVerificationError.self) { try await iterator.next() }
        }
    }

    @Test("A file is saved only if its whole body is the one that was signed")
    func file() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("verified-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("archive")

        func save(_ transport: some Transport) async throws {
            let stream = try await transport.response(in: .kennel, with: Archive())
            try await stream.save(to: file, clock: Message.clock())
        }
        let count = Locked(0)
        for transport in [
            try Self.transport(["a", "x"], signed: "ab", count),
            try Self.transport(
                ["a", "b"], signed: "abc", then: URLError(.networkConnectionLost), count,
                fields: ["ETag": "\"1\""]),
        ] {
            let error = await #expect(throws: StreamError.self) { try await save(transport) }
            guard case .transportError(let error)? = error else {
                Issue.record("the error is \(String(describing: error))")
                continue
            }
            #expect(error.cause is MessageVerificationError)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
        // Neither was continued by a second request.
        #expect(count.withLock(\.self) == 2)
        try await save(Self.transport(["a", "b"]))
        #expect(try String(contentsOf: file, encoding: .utf8) == "ab")
    }

    /// Downloads a file of 16 bytes, whose first response somebody changes and cuts. Returns the
    /// ranges that were asked for.
    private static func download(
        to file: URL, cut error: any Error
    ) async throws -> [String] {
        let whole = String(repeating: "good", count: 4)
        let fields = ["ETag": "\"1\"", "Accept-Ranges": "bytes"]
        let asked = Locked([String]())
        let transport = Respond { request in
            let range = request.urlRequest.value(forHTTPHeaderField: "Range")
            let count = asked.withLock { asked in
                asked.append(range ?? "-")
                return asked.count
            }
            let head: HTTPURLResponse
            if let range {
                let ends = range.dropFirst("bytes=".count).split(separator: "-").map { Int($0) }
                let (first, last) = (ends[0] ?? 0, (ends.count > 1 ? ends[1] : nil) ?? 15)
                let part = String(whole.dropFirst(first).prefix(last - first + 1))
                let of = ["Content-Range": "bytes \(first)-\(last)/\(whole.utf8.count)"]
                head = try Message.signedHead(206, fields.merging(of) { $1 }, body: part)
                return TransportResponse(Data(part.utf8), head)
            }
            let length = ["Content-Length": "\(whole.utf8.count)"]
            head = try Message.signedHead(200, fields.merging(length) { $1 }, body: whole)
            guard count == 1 else { return TransportResponse(Data(whole.utf8), head) }
            let chunks = Locked(["evil", "evil", "last"][...])
            return TransportResponse(
                body: ResponseBody {
                    if let chunk = chunks.withLock({ $0.popFirst() }) { return Data(chunk.utf8) }
                    throw error
                }, head)
        }.verified(by: verifier, clock: Message.clock())
        await #expect(throws: Archive.TaskError.self) {
            try await transport.download(in: .kennel, Archive(), to: file, clock: Message.clock())
        }
        try await transport.download(in: .kennel, Archive(), to: file, clock: Message.clock())
        return asked.withLock { $0 }
    }

    @Test(
        "A later download doesn't go on with bytes that weren't verified",
        arguments: [true, false])
    func later(isCancelled: Bool) async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("archive")
        let error: any Error =
            isCancelled ? CancellationError() : URLError(.networkConnectionLost)
        let asked = try await Self.download(to: file, cut: error)
        #expect(asked == ["-", "-"])
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("goodgood"))
    }

    @Test("A verified download keeps no part and has one lane", arguments: [true, false])
    func lanes(isVerified: Bool) async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let head = try Message.signedHead(
            200, ["ETag": "\"1\"", "Accept-Ranges": "bytes", "Content-Length": "2"])
        let server = Respond { _ in TransportResponse(Data("{}".utf8), head) }
        let verified = server.verified(by: Self.verifier, clock: Message.clock())
        let transport: any Transport = isVerified ? verified : server
        let response = try await transport.response(in: .kennel, with: Archive()).response
        let part = try PartFile(for: folder.appendingPathComponent("archive"))
        #expect((PartRecord(response) == nil) == isVerified)
        #expect(try Download(response, into: part, .system).allowsLanes != isVerified)
    }

    @Test("A part that was loaded without a signature isn't gone on with")
    func unverifiedPart() async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("archive")
        let fields = ["ETag": "\"1\"", "Content-Length": "8"]
        let plain = Respond { _ in
            let chunks = Locked(["evil"][...])
            return TransportResponse(
                body: ResponseBody {
                    if let chunk = chunks.withLock({ $0.popFirst() }) { return Data(chunk.utf8) }
                    throw CancellationError()
                }, try Message.head(200, fields))
        }
        _ = try? await plain.download(in: .kennel, Archive(), to: file, clock: Message.clock())
        let asked = Locked([String]())
        let verified = Respond { request in
            let range = request.urlRequest.value(forHTTPHeaderField: "Range")
            asked.withLock { $0.append(range ?? "-") }
            if range != nil {
                let of = ["ETag": "\"1\"", "Content-Range": "bytes 4-7/8"]
                return TransportResponse(
                    Data("GOOD".utf8), try Message.signedHead(206, of, body: "GOOD"))
            }
            return TransportResponse(
                Data("goodGOOD".utf8), try Message.signedHead(200, fields, body: "goodGOOD"))
        }.verified(by: Self.verifier, clock: Message.clock())
        try await verified.download(in: .kennel, Archive(), to: file, clock: Message.clock())
        #expect(try String(contentsOf: file, encoding: .utf8) == "goodGOOD")
        #expect(asked.withLock { $0 } == ["bytes=4-", "-"])
    }

    @Test("`signed` around `verified` is refused, and works inside of it")
    func order() async throws {
        let signer = MessageSigner(key: .hmacSHA256(Message.secret, id: "job"))
        let head = try Message.signedHead(
            covering: [.status, "content-digest", .targetURI.ofRequest])
        let sent = Locked([URLRequest]())
        let base = Respond { request in
            sent.withLock { $0.append(request.urlRequest) }
            return TransportResponse(Data("{}".utf8), head)
        }
        let wrong = base.verified(by: Self.verifier, clock: Message.clock()).signed(by: signer)
        await #expect(throws: EndpointError.self) { try await wrong.send(Message.request()) }
        let right = base.signed(by: signer, clock: Message.clock())
            .verified(by: Self.verifier, clock: Message.clock())
        _ = try await right.send(Message.request())
        let urlRequest = sent.withLock { $0.last }
        let last = try #require(urlRequest)
        #expect(last.value(forHTTPHeaderField: "Signature")?.hasPrefix("sig=:") == true)
    }

    @Test(
        "A redirect must be signed, and the response to the request that it leads to",
        arguments: [true, false])
    func redirect(isSigned: Bool) async throws {
        let signer = MessageSigner(key: .hmacSHA256(Message.secret, id: "job"))
        let next = Message.request("GET", "https://api.example.com/cats")
        let last = try Message.signedHead(
            covering: [.status, "content-digest", .targetURI.ofRequest], to: next)
        let first =
            isSigned
            ? try Message.signedHead(
                302, ["Location": "/cats"], covering: [.status, "Location", "content-digest"])
            : try Message.head(302, ["Location": "/cats"])
        let transport = Respond { request in
            let isFirst = request.urlRequest.url?.path == "/dogs"
            return TransportResponse(Data("{}".utf8), isFirst ? first : last)
        }.signed(by: signer, clock: Message.clock()).verified(
            by: Self.verifier, clock: Message.clock())
        guard isSigned else {
            await #expect(throws: MessageVerificationError.self) {
                try await transport.send(Message.request())
            }
            return
        }
        #expect(try await transport.send(Message.request()).httpResponse.statusCode == 200)
    }

    @Test("A redirect to a trusted server isn't signed, though `verified` outside has followed it")
    func trusted() async throws {
        let sent = Locked([String]())
        let signer = MessageSigner(key: .hmacSHA256(Message.secret, id: "job"))
        let server = try #require(URL(string: "https://trusted.example.com"))
        let transport = Respond { request in
            let isFirst = request.urlRequest.url?.host == "api.example.com"
            let isSigned = request.urlRequest.value(forHTTPHeaderField: "Signature") != nil
            sent.withLock { $0.append("\(request.urlRequest.url?.host ?? ""), \(isSigned)") }
            let fields = ["Location": "https://trusted.example.com/all"]
            let head = try Message.signedHead(isFirst ? 307 : 200, fields)
            return TransportResponse(Data("{}".utf8), head)
        }.signed(by: signer, trusting: [server], clock: Message.clock()).verified(
            by: Self.verifier, clock: Message.clock())
        for _ in 0..<2 { _ = try await transport.response(in: .kennel, with: Ask()) }
        let asked = ["api.example.com, true", "trusted.example.com, false"]
        #expect(sent.withLock { $0 } == asked + asked)
        let named = try #require(URL(string: "https://trusted.example.com/dogs"))
        _ = try await transport.response(in: .kennel, with: Ask(), at: named)
        #expect(sent.withLock { $0.last } == "trusted.example.com, true")
    }

    @Test("A signed response without content has no body", arguments: [204, 205])
    func empty(status: Int) async throws {
        let head = try Message.signedHead(status, covering: [.status])
        let transport = Respond { _ in TransportResponse(Data("forged".utf8), head) }
            .verified(by: Self.verifier, clock: Message.clock())
        #expect(try await transport.send(Message.request()).body.data(upTo: 100).isEmpty)
    }
}
