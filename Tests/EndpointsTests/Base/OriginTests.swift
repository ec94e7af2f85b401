import Foundation
import Testing

@testable import Endpoints

@Suite("Origin")
struct OriginTests {
    @Test(
        "URLs with the same scheme, host and port have the same origin",
        arguments: [
            ("https://h", "https://h/a/b?c#d"),
            ("https://h", "https://h:443/"),
            ("https://h:443", "https://h"),
            ("http://h", "http://h:80"),
            ("http://h", "http://h:"),
            ("http://h:65535", "http://h:65535/"),
            ("HTTPS://H.example.COM", "https://h.example.com:443"),
            ("https://API.example.com:8443/a", "https://api.EXAMPLE.com:8443/b"),
            ("https://u:p@h", "https://h"),
            ("http://u:80@h", "http://h"),
            ("http://h:080", "http://h"),
            ("http://h:000080/", "http://h"),
            ("https://h?@evil.org", "https://h"),
            ("https://h/@evil.org", "https://h"),
            ("https://h#@evil.org", "https://h"),
            ("http://[::1]:8080/", "http://[::1]:8080"),
            ("http://[::A]", "http://[::a]:80"),
            ("http://[fe80::1%25eth0]/a", "http://[fe80::1%25eth0]:80"),
        ])
    func same(one: String, other: String) throws {
        let origins = try [one, other].map(origin)
        #expect(origins[0] == origins[1])
        #expect(origins[0].hashValue == origins[1].hashValue)
    }

    @Test(
        "URLs that differ in scheme, host or port have different origins",
        arguments: [
            ("https://h", "http://h"),
            ("https://h:443", "http://h:443"),
            ("https://h", "https://h:80"),
            ("http://h", "http://h:443"),
            ("http://h:8080", "http://h:8081"),
            ("http://h:8080", "http://h"),
            ("https://example.com", "https://www.example.com"),
            ("https://example.com", "https://example.com.evil.org"),
            ("https://example.com", "https://examplescom"),
            ("https://example.com", "https://example.com."),
            ("https://example.com", "https://evil.org/https://example.com"),
            ("https://example.com", "https://example.com@evil.org"),
            ("https://example.com:443", "https://example.com:443@evil.org"),
            ("https://example.com", "https://example.com:@evil.org"),
            ("https://h-a", "https://h"),
            ("http://localhost", "http://127.0.0.1"),
            ("http://127.0.0.1", "http://[::1]"),
        ])
    func other(one: String, other: String) throws {
        let origins = try [one, other].map(origin)
        #expect(origins[0] != origins[1])
    }

    @Test(
        "A URL without a host, a valid port, and http or https has no origin",
        arguments: [
            "ftp://h", "file:///etc/passwd", "ws://h", "data:,x", "mailto:a@b", "/a", "//h/a",
            "http:a", "http:///a", "", "http://h:65536", "http://h:99999999999999999999",
            "http://[::1]:99999999999999999999", "http://[::1%25eth0]", "http://[fec0::1%25eth0]",
        ])
    func none(text: String) {
        #expect(URL(string: text).flatMap(Origin.init) == nil)
    }

    private func origin(_ text: String) throws -> Origin {
        let url = try #require(URL(string: text))
        return try #require(Origin(of: url))
    }
}
