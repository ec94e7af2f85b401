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
