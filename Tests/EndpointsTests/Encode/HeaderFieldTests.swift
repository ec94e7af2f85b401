import Endpoints
import Foundation
import Testing

@Suite struct HeaderFieldTests {
    private func fields(_ headers: HeaderList<Probe>, _ values: Probe) throws -> [String: String] {
        let endpoint = Endpoint<Probe>(
            method: .get, path: "h", headers: HeaderList(headers, contentsOf: \.moreHeaders))
        return try values.urlRequest(of: endpoint).allHTTPHeaderFields ?? [:]
    }

    static let values: [(value: String, text: String)] = [
        ("v", "v"),
        ("", ""),
        (" ", ""),
        ("\t \t", ""),
        (" v ", "v"),
        ("\t v\t ", "v"),
        ("a \t b", "a \t b"),
        ("\u{A0}v\u{A0}", "\u{A0}v\u{A0}"),
        ("\u{200B}v\u{3000}", "\u{200B}v\u{3000}"),
        ("\u{FEFF}v", "\u{FEFF}v"),
        ("café", "café"),
        ("cafe\u{301}", "cafe\u{301}"),
        (" \u{301}v", "\u{301}v"),
        ("v \u{301}", "v \u{301}"),
        ("\u{85}v\u{2028}", "\u{85}v\u{2028}"),
        ("a,b;c=\"d\"", "a,b;c=\"d\""),
        ("%0D%0A", "%0D%0A"),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
    ]

    @Test(
        "Spaces and tabs around a header's value are removed, and nothing else is changed",
        arguments: values
    )
    func value(_ value: String, _ text: String) throws {
        let expected = ["X-A": text].mapValues { Array($0.utf8) }
        let declared = try fields(["X-A": .field(path: \.a)], Probe(a: value))
        #expect(declared.mapValues { Array($0.utf8) } == expected)
        let constant = try fields(["X-A": .fieldValue(value: value)], Probe())
        #expect(constant.mapValues { Array($0.utf8) } == expected)
        let additional = try fields([:], Probe(moreHeaders: ["X-A": value]))
        #expect(additional.mapValues { Array($0.utf8) } == expected)
    }

    static let controls = (UInt8(0)...31).filter { $0 != 9 } + [127]

    @Test("A control character anywhere in a header's value is refused", arguments: controls)
    func control(_ byte: UInt8) throws {
        let control = String(UnicodeScalar(byte))
        let text = """
            Probe: the header "X-A" has a control character, such as a line break; remove it
            """
        for value in [
            control, "a\(control)", "\(control)a", "a\(control)b", " \(control) ",
            "a\(control)\u{301}", "a\(control)\(control)b", "\(control)\n",
        ] {
            #expect(try Probe(a: value).refusal(headers: ["X-A": .field(path: \.a)]) == text)
            #expect(try Probe().refusal(headers: ["X-A": .fieldValue(value: value)]) == text)
            #expect(try Probe(moreHeaders: ["X-A": value]).refusal() == text)
        }
    }

    @Test(
        "A header's name that isn't a token is refused",
        arguments: [
            ("", #""""#), (" ", #"" ""#), ("X A", #""X A""#), ("X-A:", #""X-A:""#),
            ("X-A\r\nB", #""X-A\r\nB""#), ("X\tA", #""X\tA""#), ("X\u{0}", #""X\0""#),
            ("É", #""É""#), ("X/A", #""X/A""#), ("(X)", #""(X)""#), ("X\u{7F}", #""X\u{7F}""#),
            ("X\"A", #""X\"A""#), ("\u{212A}eep-Alive", "\"\u{212A}eep-Alive\""),
            ("X-A\u{301}", #""X-A\#u{301}""#), ("X,A", #""X,A""#), ("{X}", #""{X}""#),
        ])
    func name(_ name: String, _ quoted: String) throws {
        let text = """
            Probe: the header \(quoted) has an invalid name; use letters, digits and `-`
            """
        let header = Headers(name: name)
        #expect(try Probe().refusal(headers: [header: .fieldValue(value: "v")]) == text)
        #expect(try Probe().refusal(headers: [header: .field(path: \.x)]) == text)
        #expect(try Probe(moreHeaders: [header: "v"]).refusal() == text)
    }

    @Test("A header's name may have every character of a token")
    func token() throws {
        let name = "!#$%&'*+-.^_`|~09azAZ"
        #expect(try fields([Headers(name: name): .field(path: \.a)], Probe(a: "v")) == [name: "v"])
    }

    @Test(
        "Content-Length and Transfer-Encoding are refused whatever their case",
        arguments: [
            "Content-Length", "content-length", "CONTENT-LENGTH", "Transfer-Encoding",
            "transfer-ENCODING",
        ])
    func forbidden(_ name: String) throws {
        let text = """
            Probe: the header "\(name)" is set by the transport; remove it, as a wrong value \
            breaks the connection
            """
        let header = Headers(name: name)
        #expect(try Probe().refusal(headers: [header: .fieldValue(value: "5")]) == text)
        #expect(try Probe().refusal(headers: [header: .field(path: \.x)]) == text)
        #expect(try Probe(moreHeaders: [header: "5"]).refusal() == text)
    }

    @Test("nil leaves a header out, and an empty value sends it empty")
    func missing() throws {
        #expect(try fields(["X-A": .field(path: \.x)], Probe()) == [:])
        #expect(try fields(["X-A": .field(path: \.x)], Probe(x: "")) == ["X-A": ""])
        #expect(try fields(["X-A": .fieldValue(value: String?.none)], Probe()) == [:])
        #expect(try fields(["X-A": .field(path: \.number)], Probe(number: -3)) == ["X-A": "-3"])
    }

    struct Tagged: FlatRequest {
        typealias Response = Void
        static let endpoint = Endpoint<Tagged>(
            method: .get, path: "h", headers: [.ifNoneMatch: .field(path: \.tags)])
        var tags: [String]?
    }

    @Test(
        "An optional list is left out, or sent like a list",
        arguments: [(nil, nil), ([], nil), (["a"], "a"), (["a", "b"], "a, b")]
            as [([String]?, String?)])
    func optionalList(_ tags: [String]?, _ text: String?) throws {
        let request = try Tagged(tags: tags).urlRequest(in: .production)
        #expect(request.value(forHTTPHeaderField: "If-None-Match") == text)
    }

    @Test(
        "A list in a header that has one value is an error",
        arguments: [
            .authorization, .contentType, .cookie, .userAgent, "cookie",
        ] as [Headers])
    func listOfOne(name: Headers) throws {
        let text = """
            Probe: the header "\(name.name)" is read from a list, which is sent with commas; \
            declare one value
            """
        #expect(try Probe(list: ["a=1"]).refusal(headers: [name: .field(path: \.list)]) == text)
        #expect(try Probe().refusal(headers: [name: .field(path: \.list)]) == text)
        #expect(throws: Never.self) { try self.fields([name: .field(path: \.a)], Probe()) }
    }
}
