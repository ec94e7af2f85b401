import Endpoints
import EndpointsCache
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Settings that can't be meant, such as a limit of no request.
@Suite("Settings of transports")
struct WrongSettingTests {
    typealias Row = (setting: String, transport: @Sendable (ClosureTransport) -> any Transport)

    private static let folder = FileManager.default.temporaryDirectory

    static let wrong: [Row] = [
        ("limited(perOrigin: 0)`, which can't be meant; write 1", { $0.limited(perOrigin: 0) }),
        ("limited(perOrigin: -1)", { $0.limited(perOrigin: -1) }),
        ("paced(waitingAtMost: -1.0)", { $0.paced(waitingAtMost: -1) }),
        ("paced(waitingAtMost: nan)", { $0.paced(waitingAtMost: .nan) }),
        (
            "RateLimitHeaders(…) with the header \"X Left\"`, which can't be meant; use letters",
            { $0.paced(reading: [RateLimitHeaders(remaining: "X Left", reset: "X-Reset")]) }
        ),
        (
            "RateLimitHeaders(…) with the header \"\"",
            {
                $0.paced(reading: [
                    RateLimitHeaders(remaining: "X-Left", reset: "X-Reset"),
                    RateLimitHeaders(limit: "", remaining: "X-Left", reset: "X-Reset"),
                ])
            }
        ),
        ("RetryPolicy(attempts: 0)", { $0.retrying(RetryPolicy(attempts: 0)) }),
        ("RetryPolicy(attempts: -2)", { $0.retrying(RetryPolicy(attempts: -2)) }),
        (
            "RetryPolicy(attempts: \(Int.min))", { $0.retrying(RetryPolicy(attempts: .min)) }
        ),
        ("RetryPolicy(firstDelay: -0.5)", { $0.retrying(RetryPolicy(firstDelay: -0.5)) }),
        ("RetryPolicy(firstDelay: nan)", { $0.retrying(RetryPolicy(firstDelay: .nan)) }),
        ("RetryPolicy(longestDelay: -1.0)", { $0.retrying(RetryPolicy(longestDelay: -1)) }),
        (
            "RetryPolicy(budget: RetryBudget(retriesPerMinute: -1, …))",
            {
                $0.retrying(
                    RetryPolicy(budget: RetryBudget(retriesPerMinute: -1, retriesPerRequest: 1)))
            }
        ),
        (
            "RetryPolicy(budget: RetryBudget(retriesPerRequest: nan, …))",
            {
                $0.retrying(
                    RetryPolicy(budget: RetryBudget(retriesPerMinute: 1, retriesPerRequest: .nan)))
            }
        ),
        (
            "RetryPolicy(budget: RetryBudget(retriesPerRequest: 20.0, …))",
            {
                $0.retrying(
                    RetryPolicy(budget: RetryBudget(retriesPerMinute: 0, retriesPerRequest: 20)))
            }
        ),
        (
            "RetryPolicy(budget: RetryBudget(retriesPerRequest: 1.5, …))",
            {
                $0.retrying(
                    RetryPolicy(
                        attempts: 1,
                        budget: RetryBudget(retriesPerMinute: 0, retriesPerRequest: 1.5)))
            }
        ),
        (
            "RetryPolicy(longestRetryAfter: -1.0)`, which can't be meant; write 0",
            { $0.retrying(RetryPolicy(longestRetryAfter: -1)) }
        ),
        (
            "RetryPolicy(longestRetryAfter: nan)",
            { $0.retrying(RetryPolicy(longestRetryAfter: .nan)) }
        ),
        (
            "RetryPolicy(timeLimit: 0.0)`, which can't be meant; write more than 0",
            { $0.retrying(RetryPolicy(timeLimit: 0)) }
        ),
        ("RetryPolicy(timeLimit: nan)", { $0.retrying(RetryPolicy(timeLimit: .nan)) }),
        (
            "RetryPolicy(attemptTimeLimit: 0.0)`, which can't be meant; write more than 0",
            { $0.retrying(RetryPolicy(attemptTimeLimit: 0)) }
        ),
        (
            "RetryPolicy(attemptTimeLimit: nan)",
            { $0.retrying(RetryPolicy(attemptTimeLimit: .nan)) }
        ),
        ("RetryPolicy(longestDelay: nan)", { $0.retrying(RetryPolicy(longestDelay: .nan)) }),
        ("RetryPolicy(timeLimit: -1.0)", { $0.retrying(RetryPolicy(timeLimit: -1)) }),
        (
            "RetryPolicy(statuses: [-1])`, which can't be meant; write numbers from 100 to 599",
            { $0.retrying(RetryPolicy(statuses: [503, -1])) }
        ),
        ("RetryPolicy(statuses: [600])", { $0.retrying(RetryPolicy(statuses: [600])) }),
        ("memory(megabytes: -1)", { $0.cached(in: .memory(megabytes: -1)) }),
        ("disk(_:megabytes: -1)", { $0.cached(in: .disk(folder, megabytes: -1)) }),
        ("memory(megabytes: \(Int.min))", { $0.cached(in: .memory(megabytes: .min)) }),
    ]

    @Test("A setting that can't be meant refuses each request, and names itself", arguments: wrong)
    func refused(row: Row) async throws {
        let transport = row.transport(ClosureTransport { _ in try .stub(200) })
        for _ in 0..<2 {
            do {
                _ = try await transport.response(in: ServerEnvironment.production, with: Item())
                Issue.record("the request is sent")
            } catch .endpointError(let error) {
                #expect(error.description.hasPrefix("Item: the transport has `\(row.setting)"))
                #expect(error.field == .transport && error.errorCode == 16)
            } catch { throw error }
        }
    }

    static let right: [Row] = [
        ("1 a time", { $0.limited(perOrigin: 1) }), ("no wait", { $0.paced(waitingAtMost: 0) }),
        ("no headers of its own", { $0.paced(reading: []) }),
        ("any wait", { $0.paced(waitingAtMost: .infinity) }),
        ("one attempt", { $0.retrying(RetryPolicy(attempts: 1)) }),
        ("any attempts", { $0.retrying(RetryPolicy(attempts: .max)) }),
        ("no delay", { $0.retrying(RetryPolicy(firstDelay: 0, longestDelay: 0)) }),
        ("no waiting for the server", { $0.retrying(RetryPolicy(longestRetryAfter: 0)) }),
        ("any time limit", { $0.retrying(RetryPolicy(timeLimit: .infinity)) }),
        (
            "any limit of an attempt", { $0.retrying(RetryPolicy(attemptTimeLimit: .infinity)) }
        ),
        ("the least and the largest status", { $0.retrying(RetryPolicy(statuses: [100, 599])) }),
        (
            "no budget",
            {
                $0.retrying(
                    RetryPolicy(budget: RetryBudget(retriesPerMinute: 0, retriesPerRequest: 0)))
            }
        ),
        (
            "each retry that the attempts allow",
            {
                $0.retrying(
                    RetryPolicy(
                        attempts: 3, budget: RetryBudget(retriesPerMinute: 0, retriesPerRequest: 2))
                )
            }
        ),
        ("any budget", { $0.retrying(RetryPolicy(budget: .unlimited)) }),
        ("nothing stored", { $0.cached(in: .memory(megabytes: 0)) }),
        ("all stored", { $0.cached(in: .memory(megabytes: .max)) }),
    ]

    @Test("A setting at its limit takes effect", arguments: right)
    func accepted(row: Row) async throws {
        let transport = row.transport(ClosureTransport { _ in try .stub(200, [:], "text") })
        #expect(
            try await transport.response(in: ServerEnvironment.production, with: Item()) == "text")
    }

    struct Limited: FlatRequest {
        var loadPolicy: LoadPolicy
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        typealias Response = String
    }

    static let policies: [(setting: String, policy: LoadPolicy)] = [
        (
            "redirectLimit: -1)`, which can't be meant; write 0 or more",
            LoadPolicy(redirectLimit: -1)
        ),
        ("bodyLimit: -1)", LoadPolicy(bodyLimit: -1)),
        ("errorBodyLimit: -7)", LoadPolicy(errorBodyLimit: -7)),
        ("unreadLimit: \(Int.min))", LoadPolicy(unreadLimit: .min)),
        ("timeLimit: 0.0)`, which can't be meant; write more than 0", LoadPolicy(timeLimit: 0)),
        ("timeLimit: -1.0)", LoadPolicy(timeLimit: -1)),
        ("timeLimit: -inf)", LoadPolicy(timeLimit: -.infinity)),
        ("timeLimit: nan)", LoadPolicy(timeLimit: .nan)),
        (
            #"secretNames: [""])`, which can't be meant; write names, such as `token`"#,
            LoadPolicy(secretNames: ["mfa", ""])
        ),
        (#"secretNames: [""])"#, LoadPolicy(secretNames: ["_"])),
        (
            #"secretNames: ["…,…"])`, which can't be meant; write each name as a text of its own"#,
            LoadPolicy(secretNames: ["mfa", "page,limit"])
        ),
        (#"secretNames: ["…,…"])"#, LoadPolicy(secretNames: ["page;limit"])),
        (
            #"sensitiveHeaders: ["X-Badge "])`, which can't be meant; use letters, digits and `-`"#,
            LoadPolicy(sensitiveHeaders: ["X-Other", "X-Badge "])
        ),
        (#"sensitiveHeaders: [""])"#, LoadPolicy(sensitiveHeaders: [""])),
    ]

    @Test("A load policy that can't be meant refuses each load of its request", arguments: policies)
    func policy(row: (setting: String, policy: LoadPolicy)) async throws {
        let request = Limited(loadPolicy: row.policy)
        let transport = ClosureTransport { _ in try .stub(200) }
        let api = EndpointClient(transport, in: ServerEnvironment.production)
        let urls = [url("https://api.example.com/v1/items"), url("https://other.example.com")]
        var errors: [Limited.TaskError?] = [
            await #expect(throws: Limited.TaskError.self) { _ = try await api(request) }
        ]
        for url in urls {
            errors.append(
                await #expect(throws: Limited.TaskError.self) {
                    _ = try await api.response(to: request, at: url)
                })
        }
        errors.append(
            #expect(throws: EndpointError.self) {
                try URLSession.shared.endpointTask(in: .production, with: request) { _ in }
            }.map { .endpointError($0) })
        #expect(errors.count == 4)
        for error in errors {
            guard case .endpointError(let error) = error else {
                Issue.record("the request is sent")
                continue
            }
            let text = "Limited: the load policy has `LoadPolicy(\(row.setting)"
            #expect(error.description.hasPrefix(text), "\(error)")
            #expect(error.field == .loadPolicy && error.errorCode == 17)
        }
    }

    @Test(
        "A load policy at its limit takes effect",
        arguments: [
            LoadPolicy(redirectLimit: 0), LoadPolicy(errorBodyLimit: 0), LoadPolicy(unreadLimit: 0),
            LoadPolicy(bodyLimit: 4), LoadPolicy(timeLimit: .infinity), LoadPolicy(secretNames: []),
            LoadPolicy(sensitiveHeaders: ["X-Badge"]),
        ])
    func rightPolicy(policy: LoadPolicy) async throws {
        let transport = ClosureTransport { _ in try .stub(200, [:], "text") }
        let request = Limited(loadPolicy: policy)
        #expect(try await transport.response(in: .production, with: request) == "text")
    }

    @Test("Several requests, none at a time, are refused one by one", arguments: [0, -1, .min])
    func responses(limit: Int) async throws {
        let api = EndpointClient(
            ClosureTransport { _ in try .stub(200) }, in: ServerEnvironment.production)
        let results = await api.responses(to: [Item(), Item()], atMost: limit)
        #expect(results.count == 2)
        for result in results {
            guard case .failure(.endpointError(let error)) = result else {
                Issue.record("the request is sent")
                continue
            }
            #expect(
                error.description == """
                    Item: the call has `responses(to:atMost: \(limit))`, which can't be meant; \
                    write 1 or more
                    """)
        }
    }
}
