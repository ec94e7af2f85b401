import Endpoints
import EndpointsShared
import EndpointsTesting
import Foundation
import Testing

@testable import EndpointsAuth

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Waiting for a redirect at a port")
struct LoopbackListenerTests {
    /// What a listener answers to bytes.
    static func answer(to text: String, at url: URL) throws -> String {
        let descriptor = try connection(to: url)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }

    private static func connection(to url: URL) throws -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(try #require(url.port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(descriptor)
            throw URLError(.cannotConnectToHost)
        }
        return descriptor
    }

    static let requests: [(text: String, status: String)] = [
        ("GET /other?state=right HTTP/1.1\r\n\r\n", "404"),
        ("GET /callback?state=wrong HTTP/1.1\r\n\r\n", "400"),
        ("GET /callback HTTP/1.1\r\n\r\n", "400"),
        ("POST /callback?state=right HTTP/1.1\r\n\r\n", "405"),
        ("HEAD /callback?state=right HTTP/1.1\r\n\r\n", "405"),
        ("GET http://evil.example/callback?state=right HTTP/1.1\r\n\r\n", "400"),
        ("hello\r\n\r\n", "400"), ("\r\n\r\n", "400"),
        (
            "GET /callback?state=right HTTP/1.1\r\nX: \(String(repeating: "x", count: 20_000))",
            "431"
        ),
    ]

    @Test("Other requests are answered, and don't end the wait", arguments: requests)
    func others(row: (text: String, status: String)) async throws {
        let listener = try LoopbackListener(path: "/callback", port: 0)
        let first = Locked("")
        let url = try await listener.url(
            within: 60, where: { $0.query == "state=right" },
            showing: {
                let silent = try Self.connection(to: listener.redirect)
                defer { close(silent) }
                let text = try Self.answer(to: row.text, at: listener.redirect)
                first.withLock { $0 = text }
                let last = try Self.answer(
                    to: "GET /callback?state=right HTTP/1.1\r\nHost: h\r\n\r\n",
                    at: listener.redirect)
                #expect(last.hasPrefix("HTTP/1.1 200 OK\r\n"))
            })
        #expect(url.absoluteString == listener.redirect.absoluteString + "?state=right")
        #expect(first.withLock { $0 }.hasPrefix("HTTP/1.1 \(row.status) "))
        #expect(!first.withLock { $0 }.contains("right"))
    }

    @Test("After the redirect, the port is closed")
    func closed() async throws {
        let listener = try LoopbackListener(path: "/", port: 0)
        _ = try await listener.url(within: 60, where: { _ in true }) {
            _ = try Self.answer(to: "GET / HTTP/1.1\r\n\r\n", at: listener.redirect)
        }
        // The thread closes the port when it has answered.
        var isOpen = true
        for _ in 0..<1000 where isOpen {
            if let descriptor = try? Self.connection(to: listener.redirect) {
                close(descriptor)
                await Task.yield()
            } else {
                isOpen = false
            }
        }
        #expect(!isOpen)
    }

    @Test("The wait ends with the time, and with its task")
    func ends() async throws {
        let late = try LoopbackListener(path: "/", port: 0)
        let error = await #expect(throws: OAuthError.self) {
            try await late.url(within: 0, where: { _ in true }) {}
        }
        #expect(error?.code == .timedOut)
        let task = Task {
            try await LoopbackListener(path: "/", port: 0).url(within: 60, where: { _ in true }) {
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A port that another program has is an error")
    func taken() throws {
        let first = try LoopbackListener(path: "/", port: 0)
        let port = UInt16(try #require(first.redirect.port))
        let error = #expect(throws: OAuthError.self) { try LoopbackListener(path: "/", port: port) }
        #expect(error?.code == .noListener)
    }

    @Test("A sign-in by a port exchanges the code of its redirect")
    func flow() async throws {
        let fixture = Fixture()
        fixture.stub.on(TokenRequest.self, .json(#"{"access_token": "a"}"#))
        try await fixture.credentials.signIn(
            .loopback { page in
                let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems
                func item(_ name: String) -> String {
                    items?.first { $0.name == name }?.value ?? ""
                }
                let redirect = try #require(URL(string: item("redirect_uri")))
                #expect(redirect.host == "127.0.0.1")
                let answer = try Self.answer(
                    to: "GET /callback?code=c0de&state=\(item("state")) HTTP/1.1\r\n\r\n",
                    at: redirect)
                #expect(!answer.contains("c0de"))
            })
        #expect(fixture.forms.first?["code"] == "c0de")
        #expect(fixture.forms.first?["redirect_uri"]?.hasPrefix("http://127.0.0.1:") == true)
    }
}
