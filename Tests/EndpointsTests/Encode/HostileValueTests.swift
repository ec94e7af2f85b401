import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Values that try to break out of their place: each is read back unchanged, or refused.
@Suite struct HostileValueTests {
    static let values: [String] =
        [
            "", " ", "\t", ".", "..", "...", "/", "//", "/..", "../", "\\", "\\..\\", "..%2f",
            "%2e%2e",
            "%", "%2", "%zz", "%25", "%00", "%u0041", "?", "?a=b", "#", "#a", "&", "&a=b", "=",
            "a=b&c=d",
            "+", " +", "a+b c", ";", ";a=b", ",", "@", "@evil.example", ":", ":80",
            "//evil.example",
            "https://evil.example/", "javascript:alert(1)", "[", "]", "[]", "{x}", "|", "^", "`",
            "~",
            "\"", "'", "<script>", "*", "$(x)", "\u{0}", "a\u{0}b", "\n", "\r", "\r\n", "\n\r",
            "\u{B}",
            "a\r\nX-Evil: 1", "a\r\n\r\nGET / HTTP/1.1", "\u{1B}[2J", "\u{7F}", "\u{80}", "\u{85}",
            "\u{A0}", "\u{AD}", "é", "e\u{301}", "\u{301}", "/\u{301}", "?\u{301}", "#\u{301}",
            "&\u{301}", "%\u{301}", "\r\n\u{301}", ".\u{301}", "\u{37E}", "\u{212A}", "\u{FF0F}",
            "\u{FF0E}\u{FF0E}", "\u{2024}\u{2024}", "\u{2044}", "\u{2215}", "\u{2028}", "\u{2029}",
            "\u{200B}", "\u{200D}", "\u{202E}txt", "\u{FEFF}", "\u{D7FF}", "\u{E000}", "\u{FFFD}",
            "\u{FFFE}", "\u{FFFF}", "\u{10FFFF}", "👩‍👩‍👧", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "ﷺ", "İ", "ß",
            String(repeating: "\u{301}", count: 5_000), String(repeating: "../", count: 5_000),
            String(repeating: "%", count: 10_000),
        ] + (UInt8(0)...127).map { "x\(UnicodeScalar($0))y" }

    private static let dots = ["", ".", ".."]

    @Test("Whatever its text, a path value stays in its segment", arguments: values)
    func path(_ value: String) throws {
        guard !Self.dots.contains(value) else {
            #expect(try Probe(a: value).refusal("p/\(path: \.a)/q") != nil)
            return
        }
        let url = try #require(
            try Probe(a: value).url("p/\(path: \.a)/q", [.queryValue("k", value: 1)]))
        let segments = url.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        #expect(segments.count == 6)
        #expect(Array(segments[3]) == Array("p".utf8) && Array(segments[5]) == Array("q?k=1".utf8))
        #expect(segments[4].percentDecoded() == Array(value.utf8))
        #expect(URL(string: url)?.host == "h")
    }

    @Test("Whatever their text, a query name and value stay in their item", arguments: values)
    func query(_ value: String) throws {
        let probe = Probe(a: value, moreItems: [URLQueryItem(name: value, value: value)])
        let parameters: ParameterList<Probe> = [
            .query(value, path: \.a), .queryValue("d", value: [value: value]),
            .queryValue("l", value: [value, value], style: .commaSeparated),
            .query(contentsOf: \.moreItems),
        ]
        let url = try #require(try probe.url("p", parameters))
        #expect(url.hasPrefix("https://h/p?"))
        let items = Self.items(url.utf8.dropFirst("https://h/p?".utf8.count), plus: "not escaped")
        #expect(items.map(\.name) == [value, "d[\(value)]", "l", value].map { Array($0.utf8) })
        #expect(
            items.map(\.value)
                == [value, value, "\(value),\(value)", value].map { Array($0.utf8) })
        #expect(URL(string: url)?.fragment == nil)
    }

    @Test("Whatever their text, a form's name and value stay in their field", arguments: values)
    func form(_ value: String) throws {
        let endpoint = Endpoint<Probe>(
            method: .post, path: "p",
            parameters: [.form(value, path: \.a), .formValue("d", value: [value: value])])
        let request = try Probe(a: value).urlRequest(of: endpoint)
        let body = try #require(request.httpBody)
        #expect(body.allSatisfy { (33...126).contains($0) })
        let items = Self.items(String(decoding: body, as: UTF8.self).utf8[...], plus: " ")
        #expect(items.map(\.name) == [value, "d[\(value)]"].map { Array($0.utf8) })
        #expect(items.map(\.value) == [value, value].map { Array($0.utf8) })
        #expect(request.url?.absoluteString == "https://h/p")
    }

    /// The items of a query or a form, decoded to bytes.
    private static func items(
        _ text: Substring.UTF8View, plus: String
    ) -> [(name: [UInt8], value: [UInt8])] {
        text.split(separator: UInt8(ascii: "&")).map { item in
            let pair = item.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
            ).map { $0.percentDecoded(plus: plus) ?? Array("not decodable".utf8) }
            return (pair[0], pair.count == 2 ? pair[1] : [])
        }
    }

    @Test("Whatever its text, a header's value is sent whole or refused", arguments: values)
    func header(_ value: String) throws {
        let endpoint = Endpoint<Probe>(
            method: .get, path: "p", headers: ["X-A": .field(path: \.a)])
        let isBroken = value.utf8.contains { ($0 < 32 && $0 != 9) || $0 == 127 }
        guard !isBroken else {
            #expect(throws: EndpointError.self) { try Probe(a: value).urlRequest(of: endpoint) }
            return
        }
        let request = try Probe(a: value).urlRequest(of: endpoint)
        let text = try #require(request.allHTTPHeaderFields?["X-A"])
        let blanks = CharacterSet(charactersIn: " \t")
        #expect(Array(text.utf8) == Array(value.trimmingCharacters(in: blanks).utf8))
    }

    @Test(
        "Whatever their text, names, methods, media types and base URLs never trap",
        arguments: values)
    func declarations(_ value: String) throws {
        let endpoint = Endpoint<Probe>(
            method: HTTPMethod(rawValue: value), path: PathTemplate(stringLiteral: value),
            parameters: [.query(value, path: \.a), .form(value, path: \.a)],
            headers: [
                Headers(name: value): .fieldValue(value: MIMEType(rawValue: value)),
                .authorization: .fieldValue(
                    value: Credentials.basic(username: value, password: value)),
            ])
        #expect(endpoint.problems.allSatisfy { !$0.description.isEmpty })
        _ = try? Probe(a: value).urlRequest(of: endpoint)
        for address in [
            "https://h/\(value)", "https://\(value)", value, "https://h?\(value)",
            "https://h#\(value)",
        ] {
            guard let base = URL(string: address) else { continue }
            let environment = ServerEnvironment(baseUrl: base)
            guard let request = try? Probe().urlRequest(in: environment) else { continue }
            #expect(request.url?.path.hasSuffix("/probe") == true)
        }
    }
}
