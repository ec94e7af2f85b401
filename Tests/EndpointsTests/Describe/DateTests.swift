import Endpoints
import Foundation
import Testing

@Suite struct DateTests {
    /// Milliseconds since 1970 as Python's datetime writes them.
    static let python: [(milliseconds: Int64, text: String)] = [
        (-62_135_596_800_000, "0001-01-01T00:00:00Z"),
        (-62_130_499_200_001, "0001-02-28T23:59:59.999Z"),
        (-62_130_499_200_000, "0001-03-01T00:00:00Z"),
        (-62_035_891_200_001, "0004-02-28T23:59:59.999Z"),
        (-62_035_804_800_000, "0004-03-01T00:00:00Z"),
        (-59_006_361_600_001, "0100-02-28T23:59:59.999Z"),
        (-59_006_361_600_000, "0100-03-01T00:00:00Z"),
        (-49_539_340_800_001, "0400-02-28T23:59:59.999Z"),
        (-49_539_254_400_000, "0400-03-01T00:00:00Z"),
        (-34_954_248_008_624, "0862-05-05T22:39:51.376Z"),
        (-34_220_900_613_612, "0885-07-31T18:16:26.388Z"),
        (-30_605_126_400_001, "1000-02-28T23:59:59.999Z"),
        (-30_605_126_400_000, "1000-03-01T00:00:00Z"),
        (-28_860_661_861_850, "1055-06-11T13:28:58.150Z"),
        (-27_307_931_585_111, "1104-08-24T23:26:54.889Z"),
        (-14_826_672_000_001, "1500-02-28T23:59:59.999Z"),
        (-14_826_672_000_000, "1500-03-01T00:00:00Z"),
        (-13_752_629_167_912, "1534-03-14T01:13:52.088Z"),
        (-12_238_992_000_001, "1582-02-28T23:59:59.999Z"),
        (-12_238_992_000_000, "1582-03-01T00:00:00Z"),
        (-12_220_243_200_000, "1582-10-04T00:00:00Z"),
        (-12_219_724_800_000, "1582-10-10T00:00:00Z"),
        (-12_219_292_800_000, "1582-10-15T00:00:00Z"),
        (-11_670_998_400_001, "1600-02-28T23:59:59.999Z"),
        (-11_670_912_000_000, "1600-03-01T00:00:00Z"),
        (-9_146_283_673_557, "1680-03-01T05:38:46.443Z"),
        (-8_515_238_400_001, "1700-02-28T23:59:59.999Z"),
        (-8_515_238_400_000, "1700-03-01T00:00:00Z"),
        (-2_203_891_200_001, "1900-02-28T23:59:59.999Z"),
        (-2_203_891_200_000, "1900-03-01T00:00:00Z"),
        (920_246_399_999, "1999-02-28T23:59:59.999Z"),
        (920_246_400_000, "1999-03-01T00:00:00Z"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z"),
        (951_868_800_000, "2000-03-01T00:00:00Z"),
        (1_677_628_799_999, "2023-02-28T23:59:59.999Z"),
        (1_677_628_800_000, "2023-03-01T00:00:00Z"),
        (1_709_164_799_999, "2024-02-28T23:59:59.999Z"),
        (1_709_251_200_000, "2024-03-01T00:00:00Z"),
        (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00Z"),
        (58_726_962_329_333, "3830-12-26T05:05:29.333Z"),
        (62_323_863_519_948, "3944-12-19T00:18:39.948Z"),
        (73_345_151_611_791, "4294-03-20T05:13:31.791Z"),
        (160_129_608_660_279, "7044-04-21T22:51:00.279Z"),
        (173_273_423_187_802, "7460-10-25T10:26:27.802Z"),
        (248_073_100_730_329, "9831-02-15T10:38:50.329Z"),
        (253_375_862_399_999, "9999-02-28T23:59:59.999Z"),
        (253_375_862_400_000, "9999-03-01T00:00:00Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ]

    @Test(
        "A date is written as RFC 3339 in UTC, in the Gregorian calendar for every year",
        arguments: python)
    func table(_ milliseconds: Int64, _ text: String) throws {
        #expect(try Self.date(milliseconds).pathRepresentation == text)
    }

    private static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    @Test(
        "A date is rounded to the millisecond",
        arguments: [
            (0.0, "1970-01-01T00:00:00Z"),
            (-0.0, "1970-01-01T00:00:00Z"),
            (0.0004, "1970-01-01T00:00:00Z"),
            (-0.0004, "1970-01-01T00:00:00Z"),
            (0.0006, "1970-01-01T00:00:00.001Z"),
            (-0.0006, "1969-12-31T23:59:59.999Z"),
            (0.9994, "1970-01-01T00:00:00.999Z"),
            (0.9996, "1970-01-01T00:00:01Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (1_700_000_000.123, "2023-11-14T22:13:20.123Z"),
            (1_700_000_000.12, "2023-11-14T22:13:20.120Z"),
            (1_709_251_199.9999, "2024-03-01T00:00:00Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (-62_167_219_199.999, "0000-01-01T00:00:00.001Z"),
            (-62_162_035_201, "0000-02-29T23:59:59Z"),
            (253_402_300_799.999, "9999-12-31T23:59:59.999Z"),
        ])
    func rounding(_ seconds: Double, _ text: String) throws {
        #expect(try Date(timeIntervalSince1970: seconds).pathRepresentation == text)
    }

    @Test(
        "A date outside the years 0000 to 9999 is refused",
        arguments: [
            -62_167_219_200.001, 253_402_300_800, 253_402_300_799.9999, -1e15, 1e15, 1e300, -1e300,
            .greatestFiniteMagnitude, .infinity, -.infinity, .nan,
        ])
    func outside(_ seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        let refusal = try Probe().refusal("p", [.queryValue("d", value: date)])
        #expect(
            refusal == """
                Probe: the query item "d" can't be written as text: the date is outside the \
                years 0000 to 9999; use another date, or nil
                """)
    }

    @Test("Date.distantPast and Date.distantFuture can be written")
    func distant() throws {
        #expect(try Date.distantPast.pathRepresentation == "0000-12-30T00:00:00Z")
        #expect(try Date.distantFuture.pathRepresentation == "4001-01-01T00:00:00Z")
    }

    @Test("20,000 random dates are written as counting the days of years and months gives them")
    func randomMoments() throws {
        let calendar = CountedCalendar()
        var generator = SplitMix64(seed: 0x5EED)
        for _ in 0..<20_000 {
            let moment = Int64.random(
                in: -62_167_219_200_000...253_402_300_799_999, using: &generator)
            let text = try Self.date(moment).pathRepresentation
            let expected = calendar.text(milliseconds: moment)
            if text != expected { Issue.record("\(moment): \(text ?? "nil") is not \(expected)") }
        }
    }

    @Test("20,000 random dates since 1583 are written as Foundation's formatter writes them")
    func formatter() throws {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        var generator = SplitMix64(seed: 0xF00D)
        for _ in 0..<20_000 {
            let moment = Int64.random(
                in: -12_212_553_600_000...253_402_300_799_999, using: &generator)
            let date = Self.date(moment)
            let expected = formatter.string(from: date).replacingOccurrences(of: ".000Z", with: "Z")
            let text = try date.pathRepresentation
            if text != expected { Issue.record("\(moment): \(text ?? "nil") is not \(expected)") }
        }
    }

    @Test("A date is escaped by the rules of its place in the request")
    func positions() throws {
        let endpoint = Endpoint<Moment>(
            method: .post, path: "\(path: \.date)",
            parameters: [.query("d", path: \.date), .form("d", path: \.date)],
            headers: ["X-D": .field(path: \.date)])
        let request = try Moment.$endpoint.withValue(endpoint) {
            try Moment(date: Date(timeIntervalSince1970: 0)).urlRequest(in: .production)
        }
        let text = "1970-01-01T00:00:00Z"
        #expect(request.url?.absoluteString == "https://api.example.com/v1/\(text)?d=\(text)")
        #expect(request.httpBody == Data("d=1970-01-01T00%3A00%3A00Z".utf8))
        #expect(request.value(forHTTPHeaderField: "X-D") == text)
    }

    struct Moment: FlatRequest {
        typealias Response = Void
        @TaskLocal static var endpoint = Endpoint<Moment>(method: .get, path: "m")
        let date: Date
    }
}
