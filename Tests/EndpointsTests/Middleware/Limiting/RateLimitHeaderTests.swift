import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Rate limit headers of servers")
struct RateLimitHeaderTests {
    /// 2023-11-14T22:13:20Z
    static let now = Date(timeIntervalSince1970: 1_700_000_000)

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let fields: [String: String]
        var reading: [RateLimitHeaders] = []
        let limit: Int?
        let remaining: Int?
        let reset: TimeInterval?

        var testDescription: String { name }

        init(
            _ name: String, _ fields: [String: String], reading: [RateLimitHeaders] = [],
            _ limit: Int?, _ remaining: Int?, _ reset: TimeInterval?
        ) {
            (self.name, self.fields, self.reading) = (name, fields, reading)
            (self.limit, self.remaining, self.reset) = (limit, remaining, reset)
        }
    }

    static func openAI(
        requests: (left: Int, reset: String), tokens: (left: Int, reset: String)
    ) -> [String: String] {
        [
            "x-ratelimit-limit-requests": "60", "x-ratelimit-limit-tokens": "150000",
            "x-ratelimit-remaining-requests": "\(requests.left)",
            "x-ratelimit-remaining-tokens": "\(tokens.left)",
            "x-ratelimit-reset-requests": requests.reset,
            "x-ratelimit-reset-tokens": tokens.reset,
        ]
    }

    static func anthropic(
        requests: (left: Int, reset: String), input: (left: Int, reset: String),
        output: (left: Int, reset: String)
    ) -> [String: String] {
        [
            "anthropic-ratelimit-requests-limit": "1000",
            "anthropic-ratelimit-requests-remaining": "\(requests.left)",
            "anthropic-ratelimit-requests-reset": requests.reset,
            "anthropic-ratelimit-input-tokens-limit": "80000",
            "anthropic-ratelimit-input-tokens-remaining": "\(input.left)",
            "anthropic-ratelimit-input-tokens-reset": input.reset,
            "anthropic-ratelimit-output-tokens-limit": "16000",
            "anthropic-ratelimit-output-tokens-remaining": "\(output.left)",
            "anthropic-ratelimit-output-tokens-reset": output.reset,
            "anthropic-ratelimit-tokens-limit": "96000",
            "anthropic-ratelimit-tokens-remaining": "96000",
            "anthropic-ratelimit-tokens-reset": "2023-11-14T22:13:20Z",
        ]
    }

    /// The values are those of the servers' documentation, and of responses that people show.
    static let vendors: [Row] = [
        Row(
            "OpenAI", openAI(requests: (59, "1s"), tokens: (149_984, "6m0s")), 60, 59, 1),
        Row(
            "OpenAI, requests spent", openAI(requests: (0, "8.64s"), tokens: (5, "9ms")), 60, 0,
            8.64),
        Row(
            "OpenAI, tokens spent", openAI(requests: (59, "20ms"), tokens: (0, "6m0s")), 60, 0, 360),
        Row(
            "OpenAI, both spent, the tokens for longer",
            openAI(requests: (0, "1s"), tokens: (0, "6m0s")), 60, 0, 360),
        Row("OpenAI, both spent", openAI(requests: (0, "1h2m3s"), tokens: (0, "1s")), 60, 0, 3723),
        Row(
            "Groq",
            [
                "x-ratelimit-limit-requests": "14400", "x-ratelimit-remaining-requests": "14370",
                "x-ratelimit-reset-requests": "2m59.56s", "x-ratelimit-limit-tokens": "18000",
                "x-ratelimit-remaining-tokens": "17997", "x-ratelimit-reset-tokens": "7.66s",
            ], 14_400, 14_370, 179.56),
        Row(
            "Azure OpenAI",
            ["x-ratelimit-remaining-requests": "9", "x-ratelimit-remaining-tokens": "0"], nil, 0,
            nil),
        Row(
            "Anthropic",
            anthropic(
                requests: (999, "2023-11-14T22:13:25Z"), input: (80_000, "2023-11-14T22:13:20Z"),
                output: (16_000, "2023-11-14T22:13:21Z")), 1000, 999, 5),
        Row(
            "Anthropic, output tokens spent",
            anthropic(
                requests: (999, "2023-11-14T22:13:25Z"), input: (0, "2023-11-14T22:13:22Z"),
                output: (0, "2023-11-14T22:14:20Z")), 1000, 0, 60),
        Row(
            "GitHub",
            [
                "x-ratelimit-limit": "60", "x-ratelimit-remaining": "56", "x-ratelimit-used": "4",
                "x-ratelimit-reset": "1700000700", "x-ratelimit-resource": "core",
            ], 60, 56, 700),
        Row(
            "GitLab",
            [
                "RateLimit-Limit": "60", "RateLimit-Observed": "67", "RateLimit-Remaining": "0",
                "RateLimit-Reset": "1700000060",
                "RateLimit-ResetTime":
                    "Tue, 14 Nov 2023 22:14:20 GMT",
            ], 60, 0, 60),
        Row(
            "Docker Hub",
            ["ratelimit-limit": "100;w=21600", "ratelimit-remaining": "76;w=21600"], 100, 76, nil),
        Row(
            "Discord",
            [
                "X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0",
                "X-RateLimit-Reset": "1700000000.123", "X-RateLimit-Reset-After": "0.123",
            ], 5, 0, 0.123),
        Row(
            "Reddit",
            ["x-ratelimit-remaining": "99.0", "x-ratelimit-used": "1", "x-ratelimit-reset": "584"],
            nil, 99, 584),
        Row(
            "OpenRouter",
            [
                "X-RateLimit-Limit": "20", "X-RateLimit-Remaining": "0",
                "X-RateLimit-Reset": "1700000040000",
            ], 20, 0, 40),
        Row(
            "Vimeo",
            [
                "X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "99",
                "X-RateLimit-Reset": "2023-11-14T22:14:20+00:00",
            ], 100, 99, 60),
        Row(
            "X and Okta",
            [
                "x-rate-limit-limit": "600", "x-rate-limit-remaining": "598",
                "x-rate-limit-reset": "1700000060",
            ], 600, 598, 60),
        Row(
            "Linear",
            [
                "X-RateLimit-Requests-Limit": "5000", "X-RateLimit-Requests-Remaining": "4999",
                "X-RateLimit-Requests-Reset": "1700003600000", "X-Complexity": "12",
                "X-RateLimit-Complexity-Limit": "250000",
                "X-RateLimit-Complexity-Remaining": "0",
                "X-RateLimit-Complexity-Reset": "1700001800000",
            ], 5000, 0, 1800),
        Row(
            "the current draft",
            [
                "RateLimit-Policy": #""burst";q=100;w=60,"daily";q=1000;w=86400"#,
                "RateLimit": #""burst";r=50;t=30"#,
            ], 100, 50, 30),
        Row(
            "draft 07",
            ["RateLimit-Policy": "100;w=60", "RateLimit": "limit=100, remaining=0, reset=7"],
            100, 0, 7),
        Row(
            "draft 06",
            [
                "RateLimit-Policy": "10;w=1, 50;w=60", "RateLimit-Limit": "10",
                "RateLimit-Remaining": "9", "RateLimit-Reset": "50",
            ], 10, 9, 50),
    ]

    static let quota = RateLimitHeaders(
        limit: "X-Quota", remaining: "X-Quota-Left", reset: "X-Quota-Reset")

    static func quota(_ unit: RateLimitHeaders.Unit) -> [RateLimitHeaders] {
        var headers = quota
        headers.unit = unit
        return [headers]
    }

    static let own: [Row] = [
        Row(
            "a value that is longer than any server means it",
            ["X-Quota": "9, " + String(repeating: "9;w=60, ", count: 2000) + "9"],
            reading: [quota], nil, nil, nil),
        Row(
            "three headers", ["x-quota": "9", "x-quota-left": "2", "x-quota-reset": "30"],
            reading: [quota], 9, 2, 30),
        Row("what isn't named isn't read", ["X-Quota": "9", "X-Quota-Left": "2"], nil, nil, nil),
        Row(
            "seconds since 1970", ["X-Quota-Reset": "100"], reading: quota(.secondsSince1970), nil,
            nil, 100 - 1_700_000_000),
        Row(
            "milliseconds since 1970", ["X-Quota-Reset": "1700000030500"],
            reading: quota(.millisecondsSince1970), nil, nil, 30.5),
        Row(
            "milliseconds", ["X-Quota-Reset": "30500"], reading: quota(.milliseconds), nil, nil,
            30.5),
        Row(
            "seconds that look like an epoch", ["X-Quota-Reset": "2000000000"],
            reading: quota(.seconds), nil, nil, 2_000_000_000),
        Row(
            "a duration, whatever the unit", ["X-Quota-Reset": "1m"],
            reading: quota(.secondsSince1970), nil, nil, 60),
        Row(
            "before those that are known",
            ["X-Quota-Left": "2", "RateLimit": #""a";r=1;t=3"#, "X-RateLimit-Remaining": "0"],
            reading: [quota], nil, 2, nil),
        Row(
            "those that are known, if it has none of its own",
            ["X-Quota-Left": "many", "X-RateLimit-Remaining": "0"], reading: [quota], nil, 0, nil),
        Row(
            "the fewest requests of several",
            ["X-Quota-Left": "5", "X-Quota-Reset": "1", "X-Day-Left": "3", "X-Day-Reset": "9"],
            reading: [quota, RateLimitHeaders(remaining: "X-Day-Left", reset: "X-Day-Reset")], nil,
            3, 9),
        Row(
            "the later reset of several that are spent",
            ["X-Quota-Left": "0", "X-Quota-Reset": "1", "X-Day-Left": "0", "X-Day-Reset": "9"],
            reading: [RateLimitHeaders(remaining: "X-Day-Left", reset: "X-Day-Reset"), quota], nil,
            0, 9),
    ]

    @Test("The rate limit is read from the headers that servers send", arguments: vendors + own)
    func header(row: Row) throws {
        let limit = RateLimit(
            try CannedResponse(429, "", fields: row.fields).httpResponse, reading: row.reading,
            now: Self.now)
        #expect(limit?.limit == row.limit)
        #expect(limit?.remaining == row.remaining)
        let reset = limit?.reset?.timeIntervalSince(Self.now)
        #expect(reset.map { ($0 * 1e4).rounded() } == row.reset.map { ($0 * 1e4).rounded() })
        #expect((limit == nil) == (row.limit == nil && row.remaining == nil && row.reset == nil))
    }

    static let resets: [(text: String, seconds: TimeInterval?)] = [
        ("6m0s", 360), ("20ms", 0.02), ("1s", 1), ("1h0m0s", 3600), ("2d", 172_800),
        ("1.5h", 5400), ("250us", 0.00025), ("250µs", 0.00025), ("250μs", 0.00025),
        ("1000000ns", 0.001), ("0s", 0), (" 1s ", 1), ("1m 0s", nil), ("m", nil), ("1", 1),
        ("1x", nil), ("-1s", nil), ("+1s", nil), ("1.2.3s", nil), ("1s1", nil), (".s", nil),
        ("1S", nil), ("٣s", nil), ("infs", nil), ("nans", nil), ("1e3s", nil),
        ("999999999999999h", 0x1p31), ("9999999999999999s", nil),
        (String(repeating: "1s", count: 33), nil), (String(repeating: "1", count: 1 << 20), nil),
        (String(repeating: "1s", count: 1 << 19), nil),
        (String(repeating: "a,", count: 1 << 19), nil),
        ("2023-11-14T22:13:50Z", 30), ("2023-11-14t22:13:50z", 30),
        ("2023-11-14T22:13:50.25Z", 30.25), ("2023-11-14T23:13:50+01:00", 30),
        ("2023-11-14T20:43:50-01:30", 30), ("2023-11-14T22:13:10Z", -10),
        ("2023-02-29T00:00:00Z", nil), ("2023-13-01T00:00:00Z", nil),
        ("2023-11-14T24:00:00Z", nil), ("2023-11-14T22:13:50", nil),
        ("2023-11-14T22:13:50+1:00", nil), ("2023-11-14T22:13:50+25:00", nil),
        ("2023-11-14T22:13:50.Z", nil), ("2023-11-14 22:13:50Z", nil), ("2023-11-14T22:13Z", nil),
        ("2023-11-14T22:13:50+01:00:00", nil), ("2023-11-00T22:13:50Z", nil),
        ("2023-11-14T22:13:50.\(String(repeating: "1", count: 30))Z", nil),
        ("Tue, 14 Nov 2023 22:14:20 GMT", 60), ("9999-12-31T23:59:59Z", 251_702_300_799),
        ("-1", nil), ("nan", nil), ("", nil), ("soon", nil), ("NaNs", nil),
    ]

    @Test(
        "A reset is a number, a duration or a date, and anything else is ignored", arguments: resets
    )
    func reset(row: (text: String, seconds: TimeInterval?)) throws {
        let fields = ["X-RateLimit-Reset": row.text]
        let head = try CannedResponse(200, "", fields: fields).httpResponse
        let reset = RateLimit(head, now: Self.now)?.reset?.timeIntervalSince(Self.now)
        #expect(reset.map { ($0 * 1e5).rounded() } == row.seconds.map { ($0 * 1e5).rounded() })
    }

    static let paced:
        [(fields: [String: String], reading: [RateLimitHeaders], wait: TimeInterval)] = [
            (openAI(requests: (59, "1s"), tokens: (0, "20s")), [], 20),
            (openAI(requests: (59, "1s"), tokens: (1, "20s")), [], 0),
            (openAI(requests: (0, "500ms"), tokens: (9, "20s")), [], 0.5),
            (
                anthropic(
                    requests: (0, "2023-11-14T22:13:50Z"), input: (9, "2023-11-14T22:14:20Z"),
                    output: (9, "2023-11-14T22:14:20Z")), [], 30
            ),
            (["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000007"], [], 7),
            (["X-Quota-Left": "0", "X-Quota-Reset": "4"], [quota], 4),
            (["X-Quota-Left": "0", "X-Quota-Reset": "4"], [], 0),
            (["X-Quota-Left": "0", "X-Quota-Reset": "61"], [quota], 0),
            (["X-Quota-Left": "-3", "X-Quota-Reset": "4"], [quota], 0),
            (["retry-after-ms": "250"], [], 0.25), (["x-ms-retry-after-ms": "3000"], [], 3),
        ]

    @Test("A request waits for the headers of its server", arguments: paced)
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func waits(
        row: (fields: [String: String], reading: [RateLimitHeaders], wait: TimeInterval)
    ) throws {
        let (time, sent) = (VirtualTime(), Journal<TimeInterval>())
        let stub = ClosureTransport { _ in
            sent.add(time.now)
            return try .stub(429, row.fields)
        }
        let transport = stub.paced(reading: row.reading, clock: time.clock)
        let request = try Item.request()
        time.start { for _ in 0..<2 { _ = try await transport.send(request) } }
        time.run()
        #expect(sent.entries.map { ($0 * 1e4).rounded() / 1e4 } == [0, row.wait])
    }
}
