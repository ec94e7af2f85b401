import Endpoints
import EndpointsMiddleware
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Every place of `SecretBody` and `SecretHeader` with every name, in whatever the library prints
/// and stores. What is compared is a list of the places that keep the secret.
///
/// A segment of a path, and a word of a message in JSON, have no name, so they aren't hidden.
@Suite("Places of secrets")
struct SecretPlaceTests {
    struct Server: EnvironmentType {
        let baseUrl = URL(string: "https://h") ?? URL(fileURLWithPath: "/")
        let requestProcessor: RequestProcessor
    }

    struct Send: FlatRequest {
        typealias Environment = Server
        typealias Response = Data
        static let endpoint = Endpoint<Self>(method: .post, path: "a")
    }

    /// As `Send`, but no response of this test can be read as such a value.
    struct Fail: FlatRequest {
        typealias Environment = Server
        typealias Response = [String: Date]
        static let endpoint = Endpoint<Self>(method: .post, path: "a")
    }

    /// One place with one name.
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let url: String
        var headers: [String: String] = [:]
        var body = Data()

        var server: Server {
            Server { [self] request in
                request.url = URL(string: url)
                for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
                request.httpBody = body
            }
        }

        /// A transport that responds with the same headers and body.
        var echo: Echo { Echo(headers: headers, body: body) }
    }

    struct Echo: Transport {
        let headers: [String: String]
        let body: Data

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let url = try #require(request.urlRequest.url)
            let head = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: headers)
            return TransportResponse(body, try #require(head))
        }
    }

    static let bodies = SecretBody.all.flatMap { place in
        // In bytes that aren't text, short names may be anything.
        secretNames.filter { place.place != "bytes" || $0.count > 4 }.map { name in
            Case(
                description: "\(place.place), \(name)", url: "https://h/a",
                headers: ["Content-Type": place.type], body: place.data(name))
        }
    }

    static let heads = SecretHeader.all.flatMap { place in
        secretNames.map { name in
            let header = place.header.replacingOccurrences(of: "NAME", with: name)
            let value = place.value.replacingOccurrences(of: "NAME", with: name)
            let isURL = header == ":url"
            return Case(
                description: "\(place.place), \(name)", url: isURL ? value : "https://h/a",
                headers: isURL ? [:] : [header: value])
        }
    }

    static let secret = "s3cr3t"
    /// Headers that have URLs or fields.
    static let linking = [
        "Location", "Referer", "Link", "Refresh", "X-Debug", "Content-Disposition",
        "Authentication-Info",
        "WWW-Authenticate",
    ]

    /// The cases whose text has the secret.
    static func leaks(
        _ cases: [Case], in text: (Case) async throws -> String
    ) async throws -> [String] {
        var leaks: [String] = []
        for one in cases {
            // Zeros are left out because of UTF-16.
            let text = try await text(one).replacingOccurrences(of: "\0", with: "")
            if text.contains(Self.secret) { leaks.append("\(one): \(text)") }
        }
        return leaks
    }

    @Test("There are as many places and names as the other tests of this suite say")
    func count() {
        #expect(SecretBody.all.count == 62 && SecretHeader.all.count == 28)
        #expect(Self.bodies.count + Self.heads.count == 2424)
        #expect(Self.bodies.allSatisfy { $0.body.contains(UInt8(ascii: "3")) })
    }

    @Test("No place of a request and its response keeps a secret in a recording, which is replayed")
    func recordings() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let leaks = try await Self.leaks(Self.bodies + Self.heads) { one in
            let recorder = try Recorder(one.echo, to: file)
            #expect(try await recorder.response(in: one.server, with: Send()) == one.body)
            let replay = try Replay(file)
            do { _ = try await replay.response(in: one.server, with: Send()) } catch {
                // Some bodies aren't recorded, as they can't be read.
                #expect("\(error)".contains("this Send request was recorded without "))
            }
            let archive = try String(contentsOf: file, encoding: .utf8)
            let base64 = archive.matches(of: /"([A-Za-z0-9+\/=]{8,})"/)
                .compactMap { Data(base64Encoded: String($0.1)) }
            return archive + base64.map { String(decoding: $0, as: UTF8.self) }.joined()
        }
        #expect(leaks == [])
    }

    @Test("No place of a request keeps a secret in a snapshot")
    func snapshots() async throws {
        let leaks = try await Self.leaks(Self.bodies + Self.heads) {
            try Send().snapshot(in: $0.server)
        }
        #expect(leaks == [])
    }

    @Test(
        "No place of a URL or a header keeps a secret in a command, except the query and fragment")
    func commands() async throws {
        // A query is written as it is, and so is a header that only has a URL with a secret.
        let cases = Self.heads.filter {
            !$0.url.contains(/[?#;]|%3D/) && !$0.headers.keys.contains { Self.linking.contains($0) }
        }
        let leaks = try await Self.leaks(cases) { try Send().curl(in: $0.server) }
        #expect(leaks == [])
    }

    @Test("No place of a request and its response keeps a secret in an error's debug description")
    func errors() async throws {
        let leaks = try await Self.leaks(Self.bodies + Self.heads) { one in
            let error = await #expect(throws: Fail.TaskError.self) {
                try await one.echo.response(in: one.server, with: Fail())
            }
            return error?.debugDescription ?? ""
        }
        #expect(leaks == [])
    }

    struct Refusal: LocalizedError {
        let errorDescription: String?
    }

    @Test("No place of a URL, and no URL or field in an error's message, keeps a secret in a log")
    func logs() async throws {
        // A word after a name, as in `token t0k3n`, is shown in a message.
        let cases = Self.heads.filter {
            $0.url.contains(Self.secret) || $0.headers.keys.contains { Self.linking.contains($0) }
        }
        let leaks = try await Self.leaks(cases) { one in
            let lines = Lines()
            let message = one.headers.values.first ?? one.url
            let failing = Failing(error: Refusal(errorDescription: "bad response: \(message)"))
            _ = try? await failing.logged { lines.add($0.description) }
                .response(in: one.server, with: Send())
            return lines.text
        }
        #expect(leaks == [])
    }

    struct Failing: Transport {
        let error: Refusal
        func send(_ request: TransportRequest) async throws -> TransportResponse { throw error }
    }

    final class Lines: @unchecked Sendable {
        private let lock = NSLock()
        private var lines: [String] = []
        func add(_ line: String) { lock.withLock { lines.append(line) } }
        var text: String { lock.withLock { lines.joined(separator: "\n") } }
    }
}
