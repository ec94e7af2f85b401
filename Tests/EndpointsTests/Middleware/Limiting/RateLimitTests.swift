import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsMiddleware

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Rate limits")
struct RateLimitTests {
    /// 2023-11-14T22:13:20Z
    static let now = Date(timeIntervalSince1970: 1_700_000_000)

    typealias Row = (fields: [String: String], limit: Int?, remaining: Int?, reset: TimeInterval?)

    static let draft: [Row] = [
        (["RateLimit": #""default";r=50;t=30"#], nil, 50, 30),
        (["RateLimit": "default;r=50;t=30"], nil, 50, 30),
        (["RateLimit": #""";r=5;t=1"#, "RateLimit-Policy": #""";q=10"#], 10, 5, 1),
        (["RateLimit": ";r=5;t=1"], nil, nil, nil),
        (
            [
                "RateLimit": #""up";r=0;t=9, "hour";r=50;t=30"#,
                "RateLimit-Policy": #""up";q=1000;qu="content-bytes", "hour";q=60;qu="requests""#,
            ], 60, 50, 30
        ),
        (["RateLimit-Policy": #""up";q=1000;qu="content-bytes""#], nil, nil, nil),
        (
            ["RateLimit": #""default"; r=50; t=30"#, "RateLimit-Policy": #""default";q=100;w=60"#],
            100, 50, 30
        ),
        (["RateLimit": #""default";r=50"#, "RateLimit-Policy": #""other";q=100"#], nil, 50, nil),
        (
            [
                "RateLimit": #""hour";r=50;t=30, "day";r=9;t=3000"#,
                "RateLimit-Policy": #""hour";q=100;w=3600,"day";q=1000;w=86400"#,
            ], 1000, 9, 3000
        ),
        (["RateLimit": #""a";r=0;t=3, "b";r=0;t=300, "c";r=0"#], nil, 0, 300),
        (["RateLimit": #""a, b;r=1";r=50;pk=:c2VjcmV0:"#], nil, 50, nil),
        (["RateLimit": #""a";r=x, "b";r=5"#], nil, 5, nil),
        (["RateLimit": "limit=100, remaining=50, reset=30"], 100, 50, 30),
        (
            ["RateLimit": "limit=100, remaining=50, reset=30", "RateLimit-Policy": "100;w=60"], 100,
            50, 30
        ),
        (["RateLimit": "remaining=50"], nil, 50, nil),
        (["RateLimit-Policy": #""hour";q=100;w=3600"#], 100, nil, nil),
        (["RateLimit-Policy": "100;w=60"], 100, nil, nil),
        (["RateLimit": #""default";r=50 t=30"#], nil, nil, nil),
        (["RateLimit": #""default";r=50;t=30, "#], nil, nil, nil),
        (["RateLimit": #""a";r=50, "b" c"#], nil, nil, nil),
        (["RateLimit": #""default"#], nil, nil, nil),
        (["RateLimit": #""default";r=-1;t=30"#], nil, nil, nil),
        (["RateLimit": ""], nil, nil, nil), (["RateLimit": ",,"], nil, nil, nil),
        (["RateLimit": #""5-in-1min"; r=4; t=58"#], nil, 4, 58),
        (["RateLimit": "limit=100, remaining=50, reset=30, other=(1 2);a"], 100, 50, 30),
        (["RateLimit": "remaining=1, remaining=2;a=b"], nil, 2, nil),
        (["RateLimit": #""a";r=1.5;t=1700000030.5"#], nil, 1, 30.5),
        // None of these is a list of items or a dictionary.
        (["RateLimit": #""a";r=5;t=30;"#], nil, nil, nil),
        (["RateLimit": #""a";r=5;T=30"#], nil, nil, nil),
        (["RateLimit": #""a";r=5, "b;r=6"#], nil, nil, nil),
        (["RateLimit": #""a";r=5, (1 2)"#], nil, nil, nil),
        (["RateLimit": "remaining=50, Reset=30"], nil, nil, nil),
        (["RateLimit": "remaining=50, reset=6m0s"], nil, nil, nil),
        (["RateLimit": "remaining=(50)"], nil, nil, nil),
        (
            ["RateLimit": #""a";r=5"#, "RateLimit-Policy": #""a";q=9, "b";q=8;w="#], nil, 5, nil
        ),
    ]

    static let others: [Row] = [
        (
            ["RateLimit-Limit": "100", "RateLimit-Remaining": "50", "RateLimit-Reset": "30"], 100,
            50, 30
        ),
        (["RateLimit-Limit": "100, 100;w=60", "RateLimit-Remaining": "50"], 100, 50, nil),
        (["RateLimit-Limit": "100;w=21600", "RateLimit-Remaining": "76;w=21600"], 100, 76, nil),
        // Envoy.
        (["X-RateLimit-Limit": #"10, 10;w=1;name="a|b", 9;w=60"#], 10, nil, nil),
        (
            [
                "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0",
                "X-RateLimit-Reset": "1700000030",
            ], 60, 0, 30
        ),
        (["x-ratelimit-limit": "60", "x-ratelimit-reset": "1700000030500"], 60, nil, 30.5),
        (["X-RateLimit-Reset": "999999999"], nil, nil, 999_999_999),
        (["X-RateLimit-Reset": "1000000000"], nil, nil, -700_000_000),
        (["X-RateLimit-Reset": "99999999999"], nil, nil, 98_299_999_999),
        (["X-RateLimit-Reset": "100000000000"], nil, nil, -1_600_000_000),
        (["X-RateLimit-Reset": "1700000000.5", "X-RateLimit-Remaining": "4.9"], nil, 4, 0.5),
        (
            [
                "X-Rate-Limit-Limit": "15", "X-Rate-Limit-Remaining": "14",
                "X-Rate-Limit-Reset": "900",
            ], 15, 14, 900
        ),
        (["X-RateLimit-Limit": " 60 "], 60, nil, nil),
        (["X-RateLimit-Limit": "-1"], nil, nil, nil),
        (["X-RateLimit-Limit": "many"], nil, nil, nil),
        (["X-RateLimit-Limit": "9999999999999999"], nil, nil, nil),
        (["X-RateLimit-Limit": "999999999999999"], 999_999_999_999_999, nil, nil),
        (["X-RateLimit-Reset": "1.2.3", "X-RateLimit-Limit": "."], nil, nil, nil),
        (["X-RateLimit-Reset": "inf", "X-RateLimit-Limit": "nan"], nil, nil, nil),
        (["X-RateLimit-Reset": "1e9", "X-RateLimit-Limit": "0x10"], nil, nil, nil),
        (
            ["RateLimit": #""a";r=1"#, "RateLimit-Limit": "2", "X-RateLimit-Limit": "3"], nil, 1,
            nil
        ),
        (["RateLimit": "?", "RateLimit-Limit": "2", "X-RateLimit-Remaining": "3"], 2, nil, nil),
        ([:], nil, nil, nil),
    ]

    @Test(
        "The rate limit headers of the IETF draft are read, in their newer and older form",
        arguments: draft)
    func draftField(row: Row) throws { try expect(row) }

    @Test(
        "Older rate limit headers are read, and the size of the reset decides its unit",
        arguments: others)
    func otherField(row: Row) throws { try expect(row) }

    private func expect(_ row: Row) throws {
        let limit = RateLimit(
            try CannedResponse(429, "", fields: row.fields).httpResponse, now: Self.now)
        #expect(limit?.limit == row.limit)
        #expect(limit?.remaining == row.remaining)
        #expect(limit?.reset?.timeIntervalSince(Self.now) == row.reset)
        #expect((limit == nil) == (row.limit == nil && row.remaining == nil && row.reset == nil))
    }

    @Test("Retry-After is part of a rate limit, also without other headers")
    func retryAfter() throws {
        let later = Self.now + 7
        let alone = try CannedResponse(429, "", fields: ["Retry-After": "7"]).httpResponse
        #expect(
            RateLimit(alone, now: Self.now)
                == RateLimit(limit: nil, remaining: nil, reset: nil, retryAfter: later))
        let fields = ["Retry-After": "7", "RateLimit": #""a";r=0;t=30"#]
        let both = try CannedResponse(429, "", fields: fields).httpResponse
        #expect(
            RateLimit(both, now: Self.now)
                == RateLimit(limit: nil, remaining: 0, reset: Self.now + 30, retryAfter: later))
    }

    @Test("A WithHTTPResponse has the rate limit of its headers")
    func withHTTPResponse() throws {
        let canned = CannedResponse(200, "1", fields: ["X-RateLimit-Remaining": "3"])
        #expect(try canned.read(FetchWithHead<Int>.self).rateLimit?.remaining == 3)
        #expect(try CannedResponse(200, "1").read(FetchWithHead<Int>.self).rateLimit == nil)
    }
}
