import Endpoints
import EndpointsFormats
import Foundation
import Testing

@Suite struct FormListTests {
    struct Row: Sendable {
        let value: any Encodable & Sendable
        let brackets, indices, repeated: String

        init(
            _ value: any Encodable & Sendable, _ brackets: String, _ indices: String,
            _ repeated: String
        ) {
            self.value = value
            (self.brackets, self.indices, self.repeated) = (brackets, indices, repeated)
        }

        /// A list that is written by index whatever was chosen.
        init(_ value: any Encodable & Sendable, always form: String) {
            self.init(value, form, form, form)
        }
    }

    struct Item: Encodable, Sendable { var price: Int? = 1 }

    static let rows: [Row] = [
        Row(["a": [1, 2]], "a[]=1&a[]=2", "a[0]=1&a[1]=2", "a=1&a=2"),
        Row(["a": [1]], "a[]=1", "a[0]=1", "a=1"),
        Row(["a": ["x", nil, "", "y"]], "a[]=x&a[]=&a[]=y", "a[0]=x&a[1]=&a[2]=y", "a=x&a=&a=y"),
        Row(
            ["a": ["b": [true, false]]], "a[b][]=true&a[b][]=false", "a[b][0]=true&a[b][1]=false",
            "a[b]=true&a[b]=false"),
        Row(
            ["a": [[1, 2], [], [3]]], "a[0][]=1&a[0][]=2&a[1][]=3", "a[0][0]=1&a[0][1]=2&a[1][0]=3",
            "a[0]=1&a[0]=2&a[1]=3"),
        Row(
            ["a": [Item(), Item(price: nil), Item(price: 2)]], always: "a[0][price]=1&a[1][price]=2"
        ),
        Row(["a": [["b": 1, "c": 2]]], always: "a[0][b]=1&a[0][c]=2"),
        Row(
            [
                "a": Encoded { encoder in
                    var list = encoder.unkeyedContainer()
                    try list.encode(1)
                    try list.encode(["b": 2])
                    try list.encodeNil()
                    try list.encode(3)
                }
            ], always: "a[0]=1&a[1][b]=2&a[2]=3"),
        Row(
            ["a": [Item(price: 1)], "b": [Item(price: nil)]], always: "a[0][price]=1"),
    ]

    @Test(
        "A list in a form is written by the strategy, or by index if it has an object or a list in it",
        arguments: rows)
    func list(_ row: Row) throws {
        #expect(try form(row.value) == row.brackets)
        #expect(try form(row.value, FormEncoder(arrayEncodingStrategy: .brackets)) == row.brackets)
        #expect(try form(row.value, FormEncoder(arrayEncodingStrategy: .indices)) == row.indices)
        #expect(try form(row.value, FormEncoder(arrayEncodingStrategy: .repeated)) == row.repeated)
    }
}
