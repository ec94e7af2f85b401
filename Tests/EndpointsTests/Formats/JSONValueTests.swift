import Endpoints
import EndpointsFormats
import Foundation
import Testing

@Suite struct JSONValueTests {
    static let values: [(String, JSONValue)] = [
        ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
        ("1", .integer(1)), ("-9223372036854775808", .integer(.min)), ("1.5", .number(1.5)),
        ("1e300", .number(1e300)), (#""""#, .string("")), (#""1""#, .string("1")),
        ("[]", .array([])), ("{}", .object([:])),
        (
            #"{"a":[1,null,{"b":false}],"snake_case":"é"}"#,
            .object([
                "a": .array([.integer(1), .null, .object(["b": .bool(false)])]),
                "snake_case": .string("é"),
            ])
        ),
    ]

    @Test("Any JSON value is decoded, and encoded as it was", arguments: values)
    func roundTrip(_ json: String, _ value: JSONValue) throws {
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)) == value)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
        if json != "1e300" { #expect(String(decoding: data, as: UTF8.self) == json) }
    }

    /// Numbers as JSON writes them, and as they are written again.
    static let numbers: [(String, String)] = [
        ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "9223372036854775808"),
        ("18446744073709551615", "18446744073709551615"),
        ("-9223372036854775809", "-9223372036854775809"),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ("0.1234567890123456789012345678901234567", "0.1234567890123456789012345678901234567"),
        ("123456789012345678.12", "123456789012345678.12"),
        ("19.99", "19.99"), ("0.1", "0.1"), ("-2.5", "-2.5"), ("-0.0", "-0"), ("-0", "-0"),
        ("1e-7", "1e-07"), ("1e300", "1e+300"), ("5e-324", "5e-324"), ("1.0", "1"), ("1e3", "1000"),
    ]

    @Test("A number keeps all its digits and its sign, up to 38 digits", arguments: numbers)
    func digits(_ json: String, _ written: String) throws {
        let value = try JSONDecoder().decode([JSONValue].self, from: Data("[\(json)]".utf8))
        let data = try JSONEncoder().encode(value)
        #expect(String(decoding: data, as: UTF8.self) == "[\(written)]")
        #expect(try JSONDecoder().decode([JSONValue].self, from: data) == value)
        let problem = try JSONDecoder().decode(
            StandardProblemDetails.self, from: Data(#"{"a": \#(json)}"#.utf8))
        #expect(problem.members["a"] == value.first)
    }

    @Test("A number that is equal to a Double in all its digits is a number")
    func doubles() throws {
        let json = Data("[0.1, 1e300, 1.5, -0.0, 123456.789]".utf8)
        let values = try JSONDecoder().decode([JSONValue].self, from: json)
        let numbers: [Double] = [0.1, 1e300, 1.5, -0.0, 123_456.789]
        #expect(values == numbers.map(JSONValue.number))
    }

    @Test("Literals are the values that JSON writes in the same way")
    func literals() throws {
        let count = 7
        let value: JSONValue = [
            "a": 1, "b": [1.5, -2, true, .null], "c": ["d": "e\(count)"], "f": .integer(count),
        ]
        let expected: JSONValue = .object([
            "a": .integer(1), "b": .array([.number(1.5), .integer(-2), .bool(true), .null]),
            "c": .object(["d": .string("e7")]), "f": .integer(7),
        ])
        #expect(value == expected)
        let twice: JSONValue = ["a": 1, "a": 2]
        #expect(twice == ["a": 2])
        let optional: JSONValue? = nil
        #expect(optional == nil)
    }

    @Test("A key strategy of a coder leaves the names in a value as they are")
    func keyStrategies() throws {
        let json = #"{"a_b":{"cD":[{"e_f":1}]}}"#
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let value = try decoder.decode([String: JSONValue].self, from: Data(json.utf8))
        #expect(value == ["a_b": .object(["cD": .array([.object(["e_f": .integer(1)])])])])
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        #expect(try String(decoding: encoder.encode(value), as: UTF8.self) == json)
    }

    @Test("All elements are decoded, however many there are")
    func large() throws {
        let json = "[" + (0..<5000).map { "\($0)" }.joined(separator: ",") + "]"
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
        #expect(value == .array((0..<5000).map { .integer($0) }))
    }

    @Test(
        "A text that isn't valid is an error that doesn't speak of numbers",
        arguments: [#""\ud800""#, #"{"a": "\udc00\ud800"}"#, #"["x", "\ud83d"]"#])
    func brokenText(_ json: String) throws {
        let reason = try CannedResponse(200, json).error(of: Fetch<JSONValue>.self).description
        #expect(reason.hasSuffix("not valid"), "\(reason)")
    }

    @Test("A number that JSON can't write is an error")
    func notANumber() {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(JSONValue.number(.nan)) }
    }

    @Test(
        "A date is written as a number since 1970",
        arguments: [
            (0, "0", "0"), (1.9, "1", "1900"), (-0.5, "-1", "-500"),
            (1_772_323_200.123, "1772323200", "1772323200123"),
        ])
    func unixTime(_ seconds: Double, _ whole: String, _ thousandths: String) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(UnixTimeFormat.secondsSince1970.format(date) == whole)
        #expect(UnixTimeFormat.millisecondsSince1970.format(date) == thousandths)
    }
}
