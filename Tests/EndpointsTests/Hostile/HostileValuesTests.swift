import Endpoints
import EndpointsTesting
import Foundation
import Testing

/// Unusual values for every public initializer and function; a trap ends the test run.
@Suite struct HostileValuesTests {
    static let texts =
        Texts.all + [
            "", ".", "..", "%2e", "%2E.", "%", "\u{0}", "\r\n", "a\r\nb: c", "\u{301}", "/\u{301}",
            "\u{FFFF}", "\u{10FFFF}", "[", "]", "://", "@", ":", "\\",
            String(repeating: "%", count: 10_000), String(repeating: "../", count: 1000),
        ]

    /// A declaration for each place of a text.
    static func declarations(of text: String) -> [Endpoint<Probe>] {
        let path = PathTemplate<Probe>(stringLiteral: text)
        let parameters: [Parameter<Probe>] = [
            .query(text, path: \.a), .query(text, path: \.list, style: .brackets),
            .form(text, path: \.a), .form(text, path: \.list, style: .commaSeparated),
            .queryValue(text, value: text), .formValue(text, value: text),
            .queryValue("a", value: [text: text]), .formValue(text, value: [text, text]),
            .query(text, path: \.x, encoding: .json), .form(text, path: \.list, encoding: .json),
            .query(text, path: \.number, format: .number),
            .form(text, path: \.number, format: .number), .query(contentsOf: \.moreItems),
            .form(contentsOf: \.moreItems),
        ]
        let headers: [HeaderList<Probe>] = [
            [Headers(name: text): .field(path: \.a)], ["X-A": .field(path: \.b)],
            ["X-A": .fieldValue(value: text)],
            ["X-A": .fieldValue(value: MIMEType(rawValue: text))],
            [Headers(stringLiteral: text): .fieldValue(value: Credentials.bearer(text))],
            ["A": .fieldValue(value: Credentials.basic(username: text, password: text))],
            [Headers(name: text): .field(path: \.number, format: .number)],
            HeaderList([Headers(name: text): .field(path: \.x)]),
        ]
        return [
            Endpoint(method: HTTPMethod(rawValue: text), path: path),
            Endpoint(method: HTTPMethod(stringLiteral: text), path: "a"),
            Endpoint(method: .get, path: "\(path: \.a)"),
            Endpoint(method: .get, path: "\(path: \.a, includesSlash: false)\(segments: \.b)"),
            Endpoint(method: .get, path: "\(segments: \.list)\(path: \.x)"),
        ]
            + parameters.map { Endpoint(method: .post, path: "a", parameters: [$0]) }
            + [Endpoint(method: .post, path: path, parameters: ParameterList(parameters))]
            + headers.map { Endpoint(method: .put, path: "a", headers: $0) }
    }

    @Test(
        "Any text anywhere in a declaration makes a request or an error with a text",
        arguments: texts)
    func text(_ text: String) throws {
        var values = Probe(a: text, b: text, x: text, list: [text, "", text], number: .min)
        values.moreItems = [
            URLQueryItem(name: text, value: text), URLQueryItem(name: text, value: nil),
        ]
        for endpoint in Self.declarations(of: text) {
            #expect(endpoint.problems.allSatisfy { !$0.description.isEmpty })
            try Self.check(values, endpoint)
        }
        values.moreHeaders = [Headers(name: text): text, "X-B": text]
        try Self.check(
            values,
            Endpoint(method: .get, path: "a", headers: HeaderList(contentsOf: \.moreHeaders)))
    }

    /// Makes the request; an error must have a text.
    private static func check(_ values: Probe, _ endpoint: Endpoint<Probe>) throws {
        do { #expect(try values.urlRequest(of: endpoint).url != nil) } catch let error
            as EndpointError
        {
            #expect(error.description.hasPrefix("Probe: "))
        }
    }

    static let values: [any PathRepresentable & Sendable] =
        [
            Int.min, Int8.min, Int64.min, UInt64.max, Int128.min, UInt128.max, true,
            Double.nan, Double.signalingNaN, -Double.infinity, Double.greatestFiniteMagnitude,
            Double.leastNonzeroMagnitude, -0.0, Float.nan, Float.infinity,
            Float.leastNonzeroMagnitude,
            Decimal.nan, Decimal.greatestFiniteMagnitude, Decimal.leastFiniteMagnitude,
            Decimal.leastNonzeroMagnitude, Character("👩‍👩‍👧"), Character("\r\n"), Substring("\u{301}"),
            UUID(), TimeZone.gmt, MIMEType(rawValue: ""), String?.none as String?,
            Optional(Optional(1)) as Int??,
        ] + seconds.map { Date(timeIntervalSince1970: $0) }

    /// Dates at and far beyond the ends of the supported years.
    private static let seconds: [Double] = [
        .nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude, 1e300, -1e300, 1e18,
        -62_167_219_200, -62_167_219_200.001, 253_402_300_799.9996, 253_402_300_800,
        .leastNonzeroMagnitude, -0.0, -0.0001, Double(Int64.max), Double(Int64.min),
    ]

    @Test(
        "Any number, date or other value has a text or an error that says why not",
        arguments: values.indices)
    func value(_ index: Int) {
        let value = Self.values[index]
        do {
            _ = try (value.pathRepresentation, value.parameterRepresentation)
        } catch { #expect(!"\(error)".isEmpty) }
    }

    @Test(
        "A path's interpolation accepts any capacity", arguments: [Int.min, -1, 0, 1 << 20, .max])
    func interpolation(_ capacity: Int) throws {
        let pieces = PathTemplate<Probe>.StringInterpolation(
            literalCapacity: capacity, interpolationCount: capacity)
        pieces.appendLiteral("")
        pieces.appendInterpolation(path: \.a)
        let url = try Probe(a: "b").url(PathTemplate(stringInterpolation: pieces))
        #expect(url == "https://h/b")
    }

    static let addresses = [
        "", "a", "/", "//", "//h", "http:", "http:/", "http://", "http:///a", "http://:80",
        "http://@",
        "http://u:p@", "http://[", "http://[::1", "http://[]", "http://[::1]:99999/",
        "http://h:-1/",
        "http://h:99999999999999999999", "http://%", "http://%00/", "file:///", "data:,a",
        "mailto:a@b",
        "http://h/..", "http://h/%2e%2e/", "http://h/?#?", "http://h?&", "http://h?&&",
        "http://ü:1/ü?ü#ü",
        "http://h/" + String(repeating: "a/", count: 10_000), "HTTPS://h", "h:80", "?a", "#a", "..",
    ]

    @Test("Any base URL makes a request or an error about the base URL", arguments: addresses)
    func baseUrl(_ address: String) throws {
        for base in [nil, "https://h/a/b?c#d", "file:///"] {
            let relative = URL(string: address, relativeTo: base.flatMap { URL(string: $0) })
            guard let url = relative else { continue }
            do {
                _ = try Probe().urlRequest(in: ServerEnvironment(baseUrl: url))
            } catch { #expect(error.field == .baseUrl) }
        }
    }

    @Test("An EndpointError of any content has a text", arguments: texts)
    func error(_ text: String) {
        let fields: [EndpointError.Field] = [
            .pathValue(text), .query(text), .form(text), .header(text), .method, .path, .body,
            .baseUrl, .prepare, .requestProcessor,
        ]
        for field in fields {
            let error = EndpointError(
                requestType: text, field: field, reason: text, cause: UnrepresentableValue(text))
            #expect(error.localizedDescription == error.description)
            #expect(EndpointTaskError<EmptyResponse>.endpointError(error).description.count > 3)
        }
    }
}
