import Endpoints
import EndpointsFormats
import Foundation
import Testing

@Suite struct FormEncoderTests {
    struct Item: Encodable, Sendable {
        var price: Int
        var note: String? = nil
    }

    struct Order: Encodable, Sendable {
        var zip = "1"
        var items: [Item] = []
        var metadata: [String: String] = [:]
        var area: Item? = nil
    }

    enum Sort: String, Encodable { case newest = "the newest" }
    enum Shape: Encodable { case circle(radius: Int), none }
    struct Wrapped<Value: Encodable & Sendable>: Encodable, Sendable { let value: Value }

    typealias Row = (value: any Encodable & Sendable, form: String)

    static let nesting: [Row] = [
        (Order(), "zip=1"),
        (
            Order(items: [Item(price: 1), Item(price: 2, note: "a b")]),
            "zip=1&items[0][price]=1&items[1][price]=2&items[1][note]=a+b"
        ),
        (
            Order(metadata: ["b": "2", "a": "1", "B": "", "a b": "3"]),
            "zip=1&metadata[B]=&metadata[a]=1&metadata[a+b]=3&metadata[b]=2"
        ),
        (Order(area: Item(price: 3, note: "")), "zip=1&area[price]=3&area[note]="),
        (["b": 2, "a": 1], "a=1&b=2"),
        (["a": ["c": ["e": 1, "d": 2]]], "a[c][d]=2&a[c][e]=1"),
        (["a": [10: "x", 2: "y"]], "a[10]=x&a[2]=y"),
        ([2: "y"], "2=y"),
        (["s": Shape.circle(radius: 2)], "s[circle][radius]=2"),
        (["s": Shape.none], ""),
    ]

    static let nothing: [Row] = [
        ([String: Int](), ""),
        (Encoded { _ = $0.container(keyedBy: AnyKey.self) }, ""),
        (["a": Int?.none, "b": 1], "b=1"),
        (["a": Int??.some(nil), "b": 1], "b=1"),
        (["a": [Int]()], ""),
        (["a": [String: Int]()], ""),
        (["a": [[Int](), []]], ""),
        (["a": ["b": [String: [Int?]](), "c": ["d": [nil]]]], ""),
        (Wrapped(value: Wrapped(value: Item?.none)), ""),
    ]

    static let texts: [Row] = [
        (["a": "x&y=z [1]"], "a=x%26y%3Dz+[1]"),
        (["a": ""], "a="),
        (["é ~": "*-._"], "%C3%A9+%7E=*-._"),
        (["a": true, "b": false], "a=true&b=false"),
        (["a": Int8.min], "a=-128"),
        (["a": UInt64.max], "a=18446744073709551615"),
        (["a": 1.0, "b": 1e-5, "c": -0.0, "d": 1e16], "a=1.0&b=1e-05&c=-0.0&d=1e%2B16"),
        (["a": Float(0.1)], "a=0.1"),
        (["a": CGFloat(0.1)], "a=0.1"),
        (["a": Decimal(string: "1234567890.0123456789")], "a=1234567890.0123456789"),
        (["a": Sort.newest], "a=the+newest"),
        (
            ["a": UUID(uuidString: "deadbeef-0000-4000-8000-00000000cafe")],
            "a=DEADBEEF-0000-4000-8000-00000000CAFE"
        ),
        (["a": URL(string: "https://h/p?q=a%20b#f")], "a=https%3A%2F%2Fh%2Fp%3Fq%3Da%2520b%23f"),
        (["a": URL(string: "p", relativeTo: URL(string: "https://h"))], "a=https%3A%2F%2Fh%2Fp"),
        (["a": Date(timeIntervalSince1970: 1_700_000_000.123)], "a=2023-11-14T22%3A13%3A20.123Z"),
        (["a": Data([0xFB, 0xFF])], "a=%2B%2F8%3D"),
        (["a": Int??.some(5)], "a=5"),
    ]

    @Test("A nested value in a form is written in brackets", arguments: nesting)
    func nested(_ row: Row) throws {
        #expect(try form(row.value) == row.form)
    }

    @Test("nil, an empty list and an empty dictionary write no field of a form", arguments: nothing)
    func empty(_ row: Row) throws {
        #expect(try form(row.value) == row.form)
    }

    @Test("A value in a form has the text that it has as a parameter", arguments: texts)
    func text(_ row: Row) throws {
        #expect(try form(row.value) == row.form)
    }

    @Test("An integer of 128 bits is written in a form in decimal")
    func wide() throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        #expect(try form(["a": Int128.min]) == "a=-170141183460469231731687303715884105728")
        #expect(try form(["a": UInt128.max]) == "a=340282366920938463463374607431768211455")
    }

    @Test("A change is left out of a form, is an empty text or is its value")
    func change() throws {
        struct User: Encodable {
            var name: Change<String> = .keep
            var age: Change<Int> = .keep
        }
        #expect(try form(User()) == "")
        #expect(try form(User(name: .clear)) == "name=")
        #expect(try form(User(name: .set("a"), age: .set(1))) == "name=a&age=1")
        #expect(try form(["u": [User(age: .clear)]]) == "u[0][age]=")
    }

    @Test("The brackets of a nested name are escaped in a form")
    func bytes() throws {
        let data = try FormEncoder().encode(Order(items: [Item(price: 1)]))
        #expect(data == Data("zip=1&items%5B0%5D%5Bprice%5D=1".utf8))
    }

    @Test("A dictionary's values in a form are sorted by key, however the dictionary is encoded")
    func sorting() throws {
        let values = Dictionary(uniqueKeysWithValues: (0..<50).map { ("k\($0)", $0) })
        let sorted = values.keys.sorted().map { "\($0)=\(values[$0] ?? 0)" }.joined(separator: "&")
        #expect(try form(values) == sorted)
        #expect(try form(Encoded { try values.encode(to: $0) }) == sorted)
        let beside = Encoded { encoder in
            try values.encode(to: encoder)
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "z")
            try container.encode(1, forKey: "a")
        }
        #expect(try form(beside) == "z=1&a=1&" + sorted)
    }
}
