import Endpoints
import Foundation
import Testing

@Suite struct NumberTests {
    typealias Row = (value: any PathRepresentable & Sendable, text: String)

    static let rows: [Row] = [
        (0, "0"),
        (-1, "-1"),
        (Int.min, "-9223372036854775808"),
        (Int.max, "9223372036854775807"),
        (Int8.min, "-128"),
        (Int16.max, "32767"),
        (Int32.min, "-2147483648"),
        (Int64.max, "9223372036854775807"),
        (UInt(7), "7"),
        (UInt8.max, "255"),
        (UInt16.max, "65535"),
        (UInt32.max, "4294967295"),
        (UInt64.max, "18446744073709551615"),
        (1.0, "1.0"),
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e-5, "1e-05"),
        (1e16, "1e+16"),
        (-1.5e300, "-1.5e+300"),
        (Double.leastNonzeroMagnitude, "5e-324"),
        (Double.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        (Float(0.1), "0.1"),
        (Float(16_777_216), "16777216.0"),
        (Float.leastNonzeroMagnitude, "1e-45"),
        (CGFloat(0.1), "0.1"),
        (CGFloat(1e-5), "1e-05"),
        (Decimal(0), "0"),
        (Decimal(sign: .minus, exponent: -2, significand: 1050), "-10.5"),
        (Decimal(sign: .plus, exponent: 20, significand: 1), "100000000000000000000"),
        (Decimal(sign: .plus, exponent: -9, significand: 1), "0.000000001"),
        (true, "true"),
        (false, "false"),
    ]

    @Test("Numbers and Bool are written in the same way in every locale", arguments: rows)
    func text(_ value: any PathRepresentable & Sendable, _ text: String) throws {
        #expect(try value.pathRepresentation == text)
        let query = text.replacingOccurrences(of: "+", with: "%2B")
        #expect(try url(query: value) == "https://h/n?v=\(query)")
    }

    private func url(query value: some PathRepresentable) throws -> String? {
        try Probe().url("n", [.queryValue("v", value: value)])
    }

    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
        @Test(
            "A Float16 is written as its description",
            arguments: [(0.1, "0.1"), (65504, "65504.0")])
        func half(_ value: Float16, _ text: String) throws {
            #expect(try value.pathRepresentation == text)
            #expect(throws: UnrepresentableValue.self) { try Float16.nan.pathRepresentation }
        }
    #endif

    @Test("An integer of 128 bits is written in decimal")
    func wide() throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        #expect(Int128.min.pathRepresentation == "-170141183460469231731687303715884105728")
        #expect(UInt128.max.pathRepresentation == "340282366920938463463374607431768211455")
    }

    static let notFinite: [any PathRepresentable & Sendable] = [
        Double.nan, Double.signalingNaN, Double.infinity, -Double.infinity,
        Float.nan, Float.infinity, -Float.infinity, Decimal.nan,
    ]

    @Test("A number that is not finite is refused everywhere in a request", arguments: notFinite)
    func refused(_ value: any PathRepresentable & Sendable) throws {
        try refusals(of: value)
    }

    private func refusals<Value: PathRepresentable>(of value: Value) throws {
        let reason = "can't be written as text: the number is not finite; use a finite one, or nil"
        #expect(
            try Probe().refusal("p", [.queryValue("v", value: value)])
                == "Probe: the query item \"v\" \(reason)")
        #expect(
            try Probe().refusal("p", [.queryValue("v", value: [value])])
                == "Probe: the query item \"v\" \(reason)")
        #expect(
            try Probe().refusal("p", [.queryValue("v", value: ["k": value])])
                == "Probe: the query item \"v\" \(reason)")
        #expect(
            try Probe().refusal("p", [.formValue("v", value: Value?.some(value))], method: .post)
                == "Probe: the form field \"v\" \(reason)")
        #expect(
            try Probe().refusal(headers: ["X-V": .fieldValue(value: value)])
                == "Probe: the header \"X-V\" \(reason)")
    }

    struct Point: FlatRequest {
        typealias Response = Void
        @TaskLocal static var endpoint = Endpoint<Point>(method: .get, path: "p")
        var latitude = 1.0
        var longitude: Double? = -0.5
        var list: [Double?] = []
        var twice: Double { latitude * 2 }
    }

    typealias PointRow = (endpoint: Endpoint<Point>, values: Point, text: String)

    static let points: [PointRow] = [
        (
            Endpoint(method: .get, path: "\(path: \.latitude)"), Point(latitude: .nan),
            #"the path value "latitude""#
        ),
        (
            Endpoint(method: .get, path: "a\(path: \.longitude)"), Point(longitude: .infinity),
            #"the path value "longitude""#
        ),
        (
            Endpoint(method: .get, path: "\(segments: \.list)"), Point(list: [1, .nan]),
            #"the path value "list""#
        ),
        (
            Endpoint(method: .get, path: "a/\(path: \.twice)"), Point(latitude: .nan),
            ##"the path value "#1""##
        ),
        (
            Endpoint(method: .get, path: "p", parameters: [.query("lat", path: \.latitude)]),
            Point(latitude: .nan), #"the query item "lat""#
        ),
        (
            Endpoint(method: .get, path: "p", parameters: [.form("l", path: \.list)]),
            Point(list: [nil, .nan]), #"the form field "l""#
        ),
        (
            Endpoint(method: .get, path: "p", headers: ["X-L": .field(path: \.longitude)]),
            Point(longitude: .nan), #"the header "X-L""#
        ),
    ]

    @Test(
        "An error about a number that is not finite names its property or position",
        arguments: points
    )
    func property(_ row: PointRow) throws {
        let error = Point.$endpoint.withValue(row.endpoint) {
            #expect(throws: EndpointError.self) { try row.values.urlRequest(in: .production) }
        }
        #expect(
            error?.description
                == "Point: \(row.text) can't be written as text: the number is not finite; use a finite one, or nil"
        )
        let cause = error?.cause as? UnrepresentableValue
        #expect(cause?.reason == "the number is not finite; use a finite one, or nil")
    }

    @Test("Finite numbers are sent in the path, the query and a header")
    func finite() throws {
        let endpoint = Endpoint<Point>(
            method: .get, path: "\(path: \.latitude)\(path: \.longitude)/\(path: \.twice)",
            parameters: [.query("v", path: \.list, style: .commaSeparated)],
            headers: ["X-L": .field(path: \.longitude)])
        let request = try Point.$endpoint.withValue(endpoint) {
            try Point(latitude: 52.5, list: [1e20, nil, -2]).urlRequest(in: .production)
        }
        let url = request.url?.absoluteString
        #expect(url == "https://api.example.com/v1/52.5/-0.5/105.0?v=1e%2B20,-2.0")
        #expect(request.allHTTPHeaderFields == ["X-L": "-0.5"])
    }
}
