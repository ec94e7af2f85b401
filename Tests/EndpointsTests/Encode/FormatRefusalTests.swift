import Endpoints
import Foundation
import Testing

@Suite("Values that have no text, in a format")
struct FormatRefusalTests {
    /// Its text has none of the values: that of a date which is not a number ends the process.
    struct Values: Sendable, CustomStringConvertible {
        var description: String { "values" }
        var double: Double = 0.5
        var float: Float = 0.5
        var decimal: Decimal = 0.5
        var date = Date(timeIntervalSince1970: 0)
        var maybe: Double?
        var dates: [Date] = []
    }

    static let notFinite =
        "can't be written as text: the number is not finite; use a finite one, or nil"
    static let tooFar =
        "can't be written as text: the date is outside the years 0000 to 9999; use another date, or nil"
    static let early = Date(timeIntervalSince1970: -210_866_803_200)

    typealias Row = (values: Values, item: Parameter<Values>, reason: String)

    static let refused: [Row] = [
        (Values(double: .nan), .query("x", path: \.double, format: .number), notFinite),
        (Values(double: -.infinity), .form("x", path: \.double, format: .percent), notFinite),
        (Values(float: .infinity), .query("x", path: \.float, format: .number), notFinite),
        (Values(decimal: .nan), .query("x", path: \.decimal, format: .number), notFinite),
        (Values(maybe: .nan), .query("x", path: \.maybe, format: .number), notFinite),
        (Values(date: early), .query("x", path: \.date, format: .iso8601), tooFar),
        (
            Values(date: Date(timeIntervalSince1970: .nan)),
            .query("x", path: \.date, format: .iso8601.year()), tooFar
        ),
        (
            Values(date: Date(timeIntervalSince1970: 1e15)),
            .query("x", path: \.date, format: .dateTime.year()), tooFar
        ),
        (
            Values(dates: [.distantPast, early]),
            .form("x", path: \.dates, format: .iso8601.year().month().day()), tooFar
        ),
    ]

    @Test(
        "A value without a text is refused in Foundation's formats as without", arguments: refused)
    func refusal(_ row: Row) {
        let error = #expect(throws: EndpointError.self) { try query(of: row.values, row.item) }
        #expect(error?.reason == row.reason)
    }

    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
        @Test("A Float16 that is not finite is refused in Foundation's formats")
        func half() {
            struct Half: FlatRequest {
                var value = Float16.nan
                static let endpoint = Endpoint<Self>(
                    method: .get, path: "a",
                    parameters: [.query("x", path: \.value, format: FloatingPointFormatStyle())])
                typealias Response = Void
            }
            let error = #expect(throws: EndpointError.self) {
                try Half().urlRequest(in: .production)
            }
            #expect(error?.reason == Self.notFinite)
        }
    #endif

    @Test("A value without a text is refused in a path's format")
    func path() {
        let error = #expect(throws: EndpointError.self) {
            try Values(double: .nan).path("a/\(path: \.double, format: .number)")
        }
        #expect(
            error?.description.hasSuffix(#"the path value "double" \#(Self.notFinite)"#) == true)
    }

    /// A text for every number.
    struct Words: FormatStyle {
        func format(_ value: Double) -> String { value.isNaN ? "unknown" : "\(value)" }
    }

    static let written: [(values: Values, item: Parameter<Values>, query: String?)] = [
        (Values(double: .nan), .query("x", path: \.double, format: Words()), "x=unknown"),
        (Values(double: .infinity), .query("x", path: \.double, format: Words()), "x=inf"),
        (Values(), .query("x", path: \.maybe, format: .number), nil),
        (Values(date: .distantPast), .query("x", path: \.date, format: .iso8601.year()), "x=0001"),
        (
            Values(date: .distantFuture), .query("x", path: \.date, format: .iso8601.year()),
            "x=4001"
        ),
    ]

    @Test("A format of the user's own may have a text for any number", arguments: written)
    func text(_ values: Values, _ item: Parameter<Values>, _ text: String?) throws {
        #expect(try query(of: values, item) == text)
    }
}

extension FormatRefusalTests.Values {
    fileprivate func path(_ template: PathTemplate<Self>) throws {
        struct Get: RequestType {
            @TaskLocal static var endpoint = Endpoint<Get>(method: .get, path: "")
            let pathComponents: FormatRefusalTests.Values
            typealias Response = Void
        }
        try Get.$endpoint.withValue(Endpoint(method: .get, path: template)) {
            _ = try Get(pathComponents: self).urlRequest(in: .production)
        }
    }
}
