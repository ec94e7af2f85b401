import Endpoints
import Foundation
import Testing

@Suite struct FormContainerTests {
    class Animal: Encodable {
        var name = "a"
        enum CodingKeys: CodingKey { case name }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
        }
    }

    /// Writes its superclass with a superencoder, and beside itself.
    final class Dog: Animal {
        let isBeside: Bool
        enum CodingKeys: CodingKey { case legs }
        init(isBeside: Bool) { self.isBeside = isBeside }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(4, forKey: .legs)
            try super.encode(to: isBeside ? encoder : container.superEncoder())
        }
    }

    @Test("A superclass is written into a form beside its subclass or under the key super")
    func inheritance() throws {
        #expect(try form(Dog(isBeside: true)) == "legs=4&name=a")
        #expect(try form(Dog(isBeside: false)) == "legs=4&super[name]=a")
        #expect(try form(["d": [Dog(isBeside: false)]]) == "d[0][legs]=4&d[0][super][name]=a")
    }

    typealias Row = (value: Encoded, form: String)

    static let rows: [Row] = [
        (
            Encoded { encoder in
                var top = encoder.container(keyedBy: AnyKey.self)
                var object = top.nestedContainer(keyedBy: AnyKey.self, forKey: "o")
                var list = top.nestedUnkeyedContainer(forKey: "l")
                try object.encode(1, forKey: "a")
                try list.encode(2)
                // Both are written to again after the other.
                try object.encode(3, forKey: "b")
                try list.encode(4)
            }, "o[a]=1&o[b]=3&l[]=2&l[]=4"
        ),
        (
            Encoded { encoder in
                var top = encoder.container(keyedBy: AnyKey.self)
                for key in ["a", "b"] as [AnyKey] {
                    var object = top.nestedContainer(keyedBy: AnyKey.self, forKey: "o")
                    try object.encode(1, forKey: key)
                }
            }, "o[a]=1&o[b]=1"
        ),
        (
            Encoded { encoder in
                var top = encoder.container(keyedBy: AnyKey.self)
                var list = top.nestedUnkeyedContainer(forKey: "l")
                var object = list.nestedContainer(keyedBy: AnyKey.self)
                try object.encode(list.count, forKey: "count")
                var inner = list.nestedUnkeyedContainer()
                try inner.encode(1)
                try "s".encode(to: list.superEncoder())
                try list.encode(contentsOf: [2, 3])
            }, "l[0][count]=1&l[1][]=1&l[2]=s&l[3]=2&l[4]=3"
        ),
        (
            Encoded { encoder in
                var top = encoder.container(keyedBy: AnyKey.self)
                try top.encode(1, forKey: "a")
                try top.encode([2, 3], forKey: "b")
                try top.encode(4, forKey: "a")
                try top.encodeNil(forKey: "b")
            }, "a=4&b="
        ),
        (
            Encoded { encoder in
                var top = encoder.container(keyedBy: AnyKey.self)
                try "x".encode(to: top.superEncoder(forKey: "k"))
                try top.encodeIfPresent(Int?.none, forKey: "n")
                try top.encodeIfPresent(5, forKey: "m")
            }, "k=x&m=5"
        ),
        (
            Encoded { encoder in
                var single = encoder.singleValueContainer()
                try single.encodeNil()
                try single.encode(["a": 1])
                try ["b": 2].encode(to: encoder)
            }, "a=1&b=2"
        ),
        (
            Encoded { encoder in
                var top = encoder.container(keyedBy: AnyKey.self)
                let path = Encoded { encoder in
                    var single = encoder.singleValueContainer()
                    try single.encode(single.codingPath.map(\.stringValue).joined(separator: "."))
                }
                try top.encode(["x": [path]], forKey: "p")
                var list = top.nestedUnkeyedContainer(forKey: "l")
                try list.encode(list.codingPath.map(\.stringValue))
            }, "p[x][]=p.x.Index+0&l[0][]=l"
        ),
    ]

    @Test("A form has what a value writes to its containers, in any order", arguments: rows)
    func containers(_ row: Row) throws {
        #expect(try form(row.value) == row.form)
    }
}
