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
}
