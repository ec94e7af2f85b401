import Endpoints
import Foundation
import Testing

/// A namespace with a dot in the names of its types.
private enum Space {
    struct Inner: Sendable {}
}

@Suite("Names of properties in errors")
struct PropertyNameTests {
    struct Values<Phantom>: Sendable {
        var d = Double.nan
        var pair = (Double.nan, b: Double.nan)
        var nested = Nested()
        var computed: Double { .nan }
        struct Nested: Sendable { var d = Double.nan }
    }

    @Test(
        "An error names a property as the declaration spells it, in a generic type and in a tuple")
    func names() {
        let values = Values<Int>()
        let named: [(found: String?, name: String)] = [
            (field("\(path: \.d)", of: values), "d"),
            (field("\(path: \.d)", of: Values<Space.Inner.Type>()), "d"),
            (field("\(path: \.nested.d)", of: values), "nested.d"),
            (field("\(path: \.pair.0)", of: values), "pair.0"),
            (field("\(path: \.pair.b)", of: values), "pair.b"),
            (field("\(path: \.0)", of: (Double.nan, 1)), "0"),
            (field("\(path: \.computed)", of: values), "#1"),
        ]
        for (found, name) in named { #expect(found == "the path value \"\(name)\"") }
    }

    private func field<Root>(_ template: PathTemplate<Root>, of values: Root) -> String? {
        let error = #expect(throws: EndpointError.self) { try path(template, of: values) }
        return error?.field.description
    }
}
