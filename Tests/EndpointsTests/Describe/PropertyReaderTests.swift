import Endpoints
import Foundation
import Testing

/// The conditions under which a property may be read at its offset, whatever it is stored in.
@Suite struct PropertyReaderTests {
    struct Inner {
        var flag = true
        var text = "a text that is too long to be stored in place"
        let constant = -7
        struct Deep {
            var byte: UInt8 = 255
            var text = "deep"
        }
        var deep = Deep()
        var maybe: Deep?
    }

    struct Empty {}

    final class Object {
        var text = "in an object, and long enough to be on the heap"
        let inner = Inner()
    }

    struct Stored {
        let byte: Int8 = -1
        var inner = Inner()
        var empties = (Empty(), Empty())
        var pair = (3, name: "named")
        var nested = (1, (2, "in two"))
        var maybe: Int? = 5
        var none: String?
        var double = 0.5
        var bool = false
        var list = [1, 2]
        var end = "end"
    }

    @Test("Properties stored in values are read where they are")
    func stored() throws {
        let long = "a%20text%20that%20is%20too%20long%20to%20be%20stored%20in%20place"
        let values = Stored()
        #expect(
            try query(
                of: values, .query("a", path: \.byte), .query("b", path: \.inner.flag),
                .query("c", path: \.inner.text), .query("d", path: \.inner.constant),
                .query("e", path: \.inner.deep.byte), .query("f", path: \.inner.deep.text),
                .query("g", path: \.end)
            ) == "a=-1&b=true&c=\(long)&d=-7&e=255&f=deep&g=end")
        #expect(
            try query(
                of: values, .query("a", path: \.pair.0), .query("b", path: \.pair.name),
                .query("c", path: \.nested.1.1), .query("d", path: \.maybe),
                .query("e", path: \.none), .query("f", path: \.double), .query("g", path: \.bool),
                .query("h", path: \.list)
            ) == "a=3&b=named&c=in%20two&d=5&f=0.5&g=false&h=1&h=2")
    }

    struct Computed {
        var number = 1
        var twice: Int { number * 2 }
        var observed = "observed" { didSet { number += 1 } }
        var expected = "expected" { willSet { number += 1 } }
        var inner = Inner()
        var maybe: Inner? = Inner()
        var none: Inner?
        var list = ["first", "second"]
        var dictionary = ["k": "v"]
        subscript(index: Int) -> String { "at \(index)" }
    }

    @Test("Computed and observed properties, subscripts and optional chains are read as well")
    func computed() throws {
        #expect(
            try query(
                of: Computed(), .query("a", path: \.twice), .query("b", path: \.observed),
                .query("c", path: \.expected), .query("d", path: \.maybe?.flag),
                .query("e", path: \.none?.text), .query("f", path: \.maybe?.deep.text),
                .query("g", path: \.maybe?.maybe?.text), .query("h", path: \.inner.text.count),
                .query("i", path: \.list[1]), .query("j", path: \.dictionary["k"]),
                .query("k", path: \.[7]), .query("l", path: \.dictionary["none"])
            ) == "a=2&b=observed&c=expected&d=true&f=deep&h=45&i=second&j=v&k=at%207")
    }

    @Test("Only what is stored in the value itself has an offset")
    func offsets() {
        #expect(MemoryLayout<Stored>.offset(of: \.inner.deep.text) != nil)
        #expect(MemoryLayout<Stored>.offset(of: \.pair.name) != nil)
        #expect(MemoryLayout<Computed>.offset(of: \.twice) == nil)
        #expect(MemoryLayout<Computed>.offset(of: \.observed) == nil)
        #expect(MemoryLayout<Computed>.offset(of: \.maybe?.flag) == nil)
        #expect(MemoryLayout<References>.offset(of: \.object.text) == nil)
        #expect(MemoryLayout<References>.offset(of: \.weak) == nil)
        #expect(MemoryLayout<References>.offset(of: \.existential.name) == nil)
        #expect(MemoryLayout<Object>.offset(of: \.text) == nil)
    }

    struct References {
        let object = Object()
        weak var weak: Object?
        unowned let unowned: Object
        var existential: any Named = Inner()

        init(_ object: Object) {
            weak = object
            unowned = object
        }
    }

    protocol Named { var name: String { get } }

    @Test("Properties of classes, weak and unowned references and existentials are read")
    func references() throws {
        let long = "in%20an%20object%2C%20and%20long%20enough%20to%20be%20on%20the%20heap"
        let object = Object()
        var values = References(object)
        let url = try query(
            of: values, .query("a", path: \.object.text), .query("b", path: \.weak?.text),
            .query("c", path: \.unowned.inner.constant), .query("d", path: \.existential.name))
        #expect(url == "a=\(long)&b=\(long)&c=-7&d=inner")
        values.weak = nil
        #expect(try query(of: values, .query("b", path: \.weak?.text)) == nil)
        object.text = "changed"
        #expect(
            try query(of: object, .query("t", path: \.text), .query("f", path: \.inner.flag))
                == "t=changed&f=true")
    }

    struct Aligned {
        var byte: UInt8 = 1
        var vector = SIMD16<Double>(repeating: 0.25)
        var small = SIMD2<Int8>(3, -4)
        var flag = true
        var wide = (UInt8(9), SIMD8<Int64>(repeating: -5))
        var text = "behind"
    }

    @Test("Properties beside and within over-aligned values are read")
    func aligned() throws {
        #expect(MemoryLayout<Aligned>.alignment >= 16)
        #expect(
            try query(
                of: Aligned(), .query("a", path: \.byte), .query("b", path: \.vector[0]),
                .query("c", path: \.vector[15]), .query("d", path: \.small.y),
                .query("e", path: \.flag), .query("f", path: \.wide.0),
                .query("g", path: \.wide.1[7]), .query("h", path: \.text)
            ) == "a=1&b=0.25&c=0.25&d=-4&e=true&f=9&g=-5&h=behind")
    }

    struct Box<Before, Value> {
        var before: Before
        var value: Value
        var isOpen = true
    }

    private func boxed<Before, Value: PathRepresentable>(
        _ before: Before, _ value: Value
    ) throws -> String? {
        try query(
            of: Box(before: before, value: value), .query("v", path: \.value),
            .query("o", path: \.isOpen))
    }

    @Test("Properties of generic structs are read where their arguments put them")
    func generic() throws {
        #expect(try boxed((), "text") == "v=text&o=true")
        #expect(try boxed(UInt8(1), 2) == "v=2&o=true")
        #expect(try boxed(Stored(), 0.5) == "v=0.5&o=true")
        #expect(try boxed(SIMD16<Float>.zero, "text" as String?) == "v=text&o=true")
        #expect(try boxed(Object(), String?.none) == "o=true")
        #expect(
            try boxed(Box(before: true, value: Empty()), UInt64.max) == "v=\(UInt64.max)&o=true")
    }

    @Test("A value that is itself the text is read, too")
    func itself() throws {
        #expect(try query(of: "a b", .query("s", path: \.self)) == "s=a%20b")
        #expect(try query(of: [1, 2], .query("s", path: \.self)) == "s=1&s=2")
        #expect(try query(of: Int?.none, .query("s", path: \.self)) == nil)
    }

    @Test("Reading many times leaves the value as it was")
    func manyTimes() throws {
        let object = Object()
        let values = References(object)
        var count = 0
        for _ in 0..<2_000 {
            let text = try query(
                of: values, .query("a", path: \.object.text), .query("b", path: \.weak?.text))
            count += text?.utf8.count ?? 0
        }
        #expect(count == 2_000 * 143)
        #expect(values.object.text == object.text)
    }
}

extension PropertyReaderTests.Inner: PropertyReaderTests.Named {
    var name: String { "inner" }
}
