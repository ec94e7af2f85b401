import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsMiddleware

@Suite("Retry-After")
struct RetryAfterTests {
    /// 2023-11-14T22:13:20Z
    static let now = Date(timeIntervalSince1970: 1_700_000_000)

    static let values: [(text: String?, seconds: TimeInterval?)] = [
        ("120", 120), ("0", 0), ("007", 7), (" 5\t", 5),
        ("Tue, 14 Nov 2023 22:14:20 GMT", 60), ("Tue, 14 Nov 2023 22:12:20 GMT", -60),
        ("Tuesday, 14-Nov-23 22:14:20 GMT", 60), ("Tue Nov 14 22:14:20 2023", 60),
        ("2147483648", 2_147_483_648), ("2147483649", 2_147_483_648),
        ("99999999999999999999999999", 2_147_483_648),
        (nil, nil), ("", nil), (" ", nil), ("-1", nil), ("+1", nil), ("1.5", nil), ("1e3", nil),
        ("0x10", nil), ("٣", nil), ("5, 10", nil), ("5s", nil), ("soon", nil),
        ("2023-11-14T22:14:20Z", nil),
    ]

    @Test(
        "Retry-After is seconds from now or an HTTP date, and anything else is ignored",
        arguments: values)
    func moment(row: (text: String?, seconds: TimeInterval?)) throws {
        var canned = CannedResponse(503)
        canned.fields["retry-after"] = row.text
        let moment = try canned.httpResponse.retryAfter(now: Self.now)
        #expect(moment?.timeIntervalSince(Self.now) == row.seconds)
    }

    static let milliseconds: [(fields: [String: String], seconds: TimeInterval?)] = [
        (["Retry-After-Ms": "250"], 0.25), (["retry-after-ms": "1500.5"], 1.5005),
        (["retry-after-ms": "0"], 0), (["retry-after-ms": " 20 "], 0.02),
        (["x-ms-retry-after-ms": "1000"], 1),
        (["Retry-After-Ms": "250", "Retry-After": "7"], 0.25),
        (["Retry-After-Ms": "9000", "Retry-After": "7"], 9),
        (["Retry-After-Ms": "1", "x-ms-retry-after-ms": "2", "Retry-After": "3"], 0.001),
        (["Retry-After-Ms": "-1", "Retry-After": "7"], 7),
        (["Retry-After-Ms": "soon", "x-ms-retry-after-ms": "2000", "Retry-After": "7"], 2),
        (["Retry-After-Ms": "nan", "Retry-After": "7"], 7),
        (["Retry-After-Ms": "inf"], nil), (["Retry-After-Ms": "1e3"], nil),
        (["Retry-After-Ms": ""], nil), (["Retry-After-Ms": "1.2.3"], nil),
        (["Retry-After-Ms": "999999999999999"], 999_999_999_999.999),
        (["Retry-After-Ms": String(repeating: "9", count: 1 << 20)], nil),
    ]

    @Test(
        "Milliseconds in Retry-After-Ms win over Retry-After if they can be read",
        arguments: milliseconds)
    func inMilliseconds(row: (fields: [String: String], seconds: TimeInterval?)) throws {
        let head = try CannedResponse(503, "", fields: row.fields).httpResponse
        let seconds = head.retryAfter(now: Self.now)?.timeIntervalSince(Self.now)
        #expect(
            seconds.map { ($0 * 1e4).rounded() }
                == row.seconds.map { (min($0, 0x1p31) * 1e4).rounded() })
    }
}
