import Endpoints
import Foundation
import Testing

@Suite struct FormRefusalTests {
    struct Order: Encodable, Sendable {
        var items: [Item] = []
        var at = Date(timeIntervalSince1970: 0)
        var metadata: [String: String] = [:]
        struct Item: Encodable, Sendable { var price = 0.0 }
    }

    final class Endless: Encodable, Sendable {
        enum CodingKeys: CodingKey { case next }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(self, forKey: .next)
        }
    }

    struct EndlessText: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(self)
        }
    }

    struct Refusal: Error {}

    typealias Row = (value: any Encodable & Sendable, reason: String)

    private static let noNames =
        "the value has no names for a form's fields; encode a struct, or a dictionary with String keys"
    private static let bracket =
        "the key is empty or has a bracket, which servers read as nesting; rename it"
    private static let tooDeep = "values are nested more than 128 levels deep; flatten them"
    private static let twice =
        "an `encode(to:)` or a custom strategy writes two values here; let it write only one"

    static let rows: [Row] = [
        (1, noNames),
        ("a=1", noNames),
        ([1, 2], noNames),
        ([Order()], noNames),
        (Order?.none, noNames),
        (Date(timeIntervalSince1970: 0), noNames),
        (Encoded { _ in }, noNames),
        (
            Order(items: [.init(), .init(price: .nan)]),
            "at `items[1].price`, the number is not finite; use a finite one, or nil"
        ),
        (
            Order(items: [.init(price: -.infinity)]),
            "at `items[0].price`, the number is not finite; use a finite one, or nil"
        ),
        (
            ["s3cr3t": Float.infinity],
            "at `[…]`, the number is not finite; use a finite one, or nil"
        ),
        (["a": Decimal.nan], "at `[…]`, the number is not finite; use a finite one, or nil"),
        (
            Order(at: .distantFuture + 1e15),
            "at `at`, the date is outside the years 0000 to 9999; use another date, or nil"
        ),
        (Order(metadata: ["a][admin": "1"]), "at `metadata[…]`, \(bracket)"),
        (Order(metadata: ["a[": "1"]), "at `metadata[…]`, \(bracket)"),
        (Order(metadata: ["": "1"]), "at `metadata[…]`, \(bracket)"),
        (["a[b]": 1], "at `[…]`, \(bracket)"),
        (["": 1], "at `[…]`, \(bracket)"),
        (
            Encoded { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                var list = container.nestedUnkeyedContainer(forKey: "a[]")
                try list.encode(1)
            }, "at `[…]`, \(bracket)"
        ),
        (
            Encoded { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: "a")
                var list = encoder.unkeyedContainer()
                try list.encode(1)
            }, "at the top, \(twice)"
        ),
        (
            [
                "a": Encoded { encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode(1)
                    try container.encode(2)
                }
            ], "at `[…]`, \(twice)"
        ),
        (Endless(), "at `next.next.next`, \(tooDeep)"),
        (["a": EndlessText()], "at `[…]`, \(tooDeep)"),
    ]

    @Test(
        "The error for a value that can't be in a form names its place and doesn't show it",
        arguments: rows)
    func refusal(_ row: Row) throws {
        let error = #expect(throws: UnrepresentableValue.self) { try form(row.value) }
        #expect(error?.reason == row.reason)
    }

    @Test("Values nested 127 levels deep are written in a form, and those one level deeper refused")
    func depth() throws {
        func nested(_ levels: Int) -> any Encodable {
            (0..<levels).reduce(1 as any Encodable) { inner, _ in
                Encoded { [inner = Held(inner)] encoder in
                    var container = encoder.container(keyedBy: AnyKey.self)
                    try container.encode(Encoded { try inner.value.encode(to: $0) }, forKey: "a")
                }
            }
        }
        #expect(try form(nested(127)) == "a" + String(repeating: "[a]", count: 126) + "=1")
        #expect(throws: UnrepresentableValue.self) { try form(nested(128)) }
    }

    /// A value that is not known to be `Sendable`, in one task.
    private struct Held: @unchecked Sendable {
        let value: any Encodable
        init(_ value: any Encodable) { self.value = value }
    }

    @Test("Containers that are nested without end are refused in a form")
    func containers() throws {
        let value = Encoded { encoder in
            var container = encoder.unkeyedContainer()
            for _ in 0..<100_000 { container = container.nestedUnkeyedContainer() }
            try container.encode(1)
        }
        let error = #expect(throws: UnrepresentableValue.self) { try form(["a": value]) }
        #expect(error?.reason == "at `[…][0][0]`, \(Self.tooDeep)")
    }

    @Test("What a value's own encode(to:) throws comes out of a form encoder unchanged")
    func own() {
        #expect(throws: Refusal.self) { try form(["a": Encoded { _ in throw Refusal() }]) }
    }
}
