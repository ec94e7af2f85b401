import EndpointsStructuredFields
import Testing

@testable import EndpointsAuth

@Suite("Structured fields (RFC 9651)")
struct StructuredFieldTests {
    /// A value as it is received, and as it is written again; `nil` if it isn't valid.
    static let items: [(String, String?)] = [
        ("17", "17"), ("-0", "0"), (" 007 ", "7"), ("123456789012345", "123456789012345"),
        ("1234567890123456", nil), ("-", nil), ("--1", nil), ("1 2", nil), ("+1", nil),
        ("1.50", "1.5"), ("-0.001", "-0.001"), ("3.0", "3.0"),
        ("123456789012.125", "123456789012.125"),
        ("1234567890123.1", nil), ("1.", nil), ("1.2345", nil), (".5", nil), ("1e3", nil),
        (#""a \"b\" \\""#, #""a \"b\" \\""#), (#""open"#, nil), (#""bad \n""#, nil),
        ("\"a\tb\"", nil), ("\"é\"", nil),
        ("text/html", "text/html"), ("*:x~", "*:x~"), ("a b", nil), ("(a)", nil),
        (":aGk=:", ":aGk=:"), (":aGk:", ":aGk=:"), (":aGl=:", ":aGk=:"), ("::", "::"),
        (":a:", nil), (":aGk", nil), (":aG_k:", nil), (":aGk==:", nil), (":a=Gk:", nil),
        ("?1", "?1"), ("?0", "?0"), ("?2", nil), ("?", nil),
        ("@1700000000", "@1700000000"), ("@-1", "@-1"), ("@1.5", nil), ("@", nil),
        (#"%"50%25 %c3%a9""#, #"%"50%25 %c3%a9""#), (#"%"%C3%A9""#, nil), (#"%"%c3""#, nil),
        (#"%"é""#, nil), (#"%x"#, nil),
        ("a;b;c=?0;d=?1; e=2", "a;b;c=?0;d;e=2"), ("a;b=1;c=2;b=3", "a;b=3;c=2"),
        ("a ;b", nil), ("a;B", nil), ("a;", nil), ("a;b=", nil), ("", nil), ("\ta", nil),
    ]

    @Test("An item is read, and written in its one form", arguments: items)
    func item(text: String, canonical: String?) throws {
        #expect(try StructuredItem(parsing: text)?.serialized() == canonical)
    }

    @Test(
        "A list is read, and written in its one form",
        arguments: [
            ("", ""), ("a", "a"), ("a,b ,\tc", "a, b, c"), ("(a  b);x=1, ( )", "(a b);x=1, ()"),
            ("(a;p=1 \"b\")", "(a;p=1 \"b\")"), ("a,", nil), (",a", nil), ("a,,b", nil),
            ("(a", nil), ("(a,b)", nil), ("((a))", nil), ("(a\"b\")", nil), ("a b", nil),
        ] as [(String, String?)])
    func list(text: String, canonical: String?) throws {
        #expect(try [StructuredMember](parsing: text)?.serialized() == canonical)
    }

    @Test(
        "A dictionary is read, and written in its one form",
        arguments: [
            ("", ""), ("a=1", "a=1"), ("a=1,b;x=2 , c=(1 2)", "a=1, b;x=2, c=(1 2)"),
            ("a=?1;z", "a;z"), ("a=1,b=2,a=3", "a=3, b=2"), ("u=1, i", "u=1, i"),
            ("a=", nil), ("=1", nil), ("A=1", nil), ("a=1 b=2", nil), ("a=1,", nil), ("1=a", nil),
        ] as [(String, String?)])
    func dictionary(text: String, canonical: String?) throws {
        #expect(
            try StructuredMap<StructuredMember>(parsing: text)?.serialized() == canonical)
    }

    @Test(
        "A value that no field can have isn't written",
        arguments: [
            .integer(1_000_000_000_000_000), .integer(.min), .string("é"), .string("a\nb"),
            .token(""), .token("1a"), .token("a b"), .date(-1_000_000_000_000_000),
            .decimal(thousandths: 1_000_000_000_000_000),
        ] as [StructuredValue])
    func unwritable(value: StructuredValue) {
        #expect(throws: StructuredError.unwritable) { try StructuredItem(value).serialized() }
    }

    @Test("A key with a capital letter or a digit first isn't written", arguments: ["", "A", "1"])
    func unwritableKey(key: String) {
        let map = StructuredMap([(key, StructuredMember.item(StructuredItem(.integer(1))))])
        #expect(throws: StructuredError.unwritable) { try map.serialized() }
    }

    @Test(
        "A number becomes a decimal with three digits after the point, a half to the even one",
        arguments: [
            (0.0625, "0.062"), (0.1875, "0.188"), (-2.5, "-2.5"), (12, "12.0"),
            (999_999_999_999.5, "999999999999.5"), (1e12, nil), (.infinity, nil), (.nan, nil),
        ] as [(Double, String?)])
    func decimal(number: Double, text: String?) throws {
        let value = StructuredValue.decimal(number)
        #expect(try value.map { try StructuredItem($0).serialized() } == text)
    }

    @Test("A map of many keys keeps their order, also after one is set again or removed")
    func longMap() {
        var map = StructuredMap((0..<40).map { ("k\($0)", $0) })
        map["k3"] = 300
        map["k5"] = nil
        map["last"] = 1
        #expect(map.entries.prefix(5).map(\.value) == [0, 1, 2, 300, 4])
        #expect(map["k5"] == nil && map["k39"] == 39 && map["last"] == 1)
        #expect(map.entries.count == 40)
    }
}
