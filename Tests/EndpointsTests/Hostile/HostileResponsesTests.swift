import Endpoints
import EndpointsFormats
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Unusual responses, policies and hooks; a trap ends the test run.
@Suite struct HostileResponsesTests {
    /// A request with the test's policy.
    struct Get<Value: Decodable>: FlatRequest {
        typealias Response = Value
        typealias ErrorResponse = [String: Int]
        static var endpoint: Endpoint<Self> { .once(Endpoint(method: .get, path: "-/hostile")) }
        static var loadPolicy: LoadPolicy { HostileResponsesTests.policy }
    }

    struct GetBelow: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "-/hostile")
        typealias Response = Int
        static var responseDecoder: NestedDecoder<JSONDecoder> { JSONDecoder().below("a") }
    }

    @TaskLocal static var policy = LoadPolicy.default

    static let bodies: [Data] = [
        Data(), Data([0]), Data([0xEF, 0xBB, 0xBF]), Data([0xFE, 0xFF]), Data([0xFF, 0xFE, 0]),
        Data([0xFF]), Data([0xD8, 0, 0xD8, 0]), Data("null".utf8), Data("[".utf8), Data("\"".utf8),
        Data("{\"a\":1e999}".utf8), Data(repeating: UInt8(ascii: "["), count: 100_000),
        // Slices, whose indices don't begin at 0.
        Data([1, 2, 0xEF, 0xBB, 0xBF, 65]).dropFirst(2), Data([1, 0xFE, 0xFF, 0]).dropFirst(),
        Data("xx{}".utf8).dropFirst(2),
    ]

    /// Texts that end with the `[` of the 513th list in another, in each encoding of JSON, also
    /// with bytes of a character that is cut off.
    static let endsWithinLists: [Data] = [
        .utf8, .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian,
        .utf32LittleEndian,
    ].flatMap { (encoding: String.Encoding) in
        let text = String(repeating: "[", count: 513).data(using: encoding) ?? Data()
        return (0..<4).map { text + Data([0x20, 0, 0].prefix($0)) }
            + [Data([1]) + text].map { $0.dropFirst() }
    }

    static let types: [String?] = [
        nil, "", ";", "=", ";=", "text/plain;charset", "text/plain;charset=", "a;charset=\"",
        "a;charset=\u{0}",
        "a;charset=utf-16", "a;charset=shift_jis", "a;charset=iso-2022-jp", "a;charset=latin1",
        "a; charset = 'utf-8'",
        "a;;;charset=utf-8;charset=x", "a;\u{301}charset=utf-8",
        String(repeating: ";charset=", count: 10_000),
    ]

    @Test(
        "Any body with any Content-Type and status is a value or an error with a text",
        arguments: bodies, types)
    func body(_ body: Data, type: String?) throws {
        let url = try #require(URL(string: "https://h"))
        for status in [Int.min, -1, 0, 99, 100, 199, 200, 204, 299, 304, 400, 599, 600, .max] {
            let fields = type.map { ["Content-Type": $0] } ?? [:]
            guard
                let response = HTTPURLResponse(
                    url: url, statusCode: status, httpVersion: nil, headerFields: fields)
            else { continue }
            read(Get<String>.self, body, response)
            read(Get<Data?>.self, body, response)
            read(Get<[String: Double]>.self, body, response)
            read(Get<EmptyResponse>.self, body, response)
        }
    }

    @Test("JSON that ends within the 513th list is an error", arguments: endsWithinLists)
    func endWithinLists(_ body: Data) throws {
        let url = try #require(URL(string: "https://h"))
        for status in [200, 400] {
            let response = try #require(
                HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil))
            read(Get<[String: Double]>.self, body, response)
            read(GetBelow.self, body, response)
        }
    }

    @Test(
        "JSON that ends with an empty list is read, in each encoding",
        arguments: [
            String.Encoding.utf8, .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32LittleEndian,
        ])
    func emptyList(encoding: String.Encoding) throws {
        let url = try #require(URL(string: "https://h"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        for text in ["[]", "[ ]", "[[],[]]", #"["["]"#] {
            let body = try #require(text.data(using: encoding))
            #expect(throws: Never.self) { try Get<[JSONValue]>.decode(body, response) }
        }
    }

    #if os(Linux)
        @Test(
            "JSONDecoder stops the process at the end of a 513th list, without the library too")
        func decoderStops() async {
            // If this test fails, the platform has been fixed: `located(_:from:)` needs no check.
            await #expect(processExitsWith: .failure) {
                let text = String(repeating: "[", count: 513)
                _ = try? JSONDecoder().decode([Int].self, from: Data(text.utf8))
            }
        }
    #endif

    private func read<Request: RequestType>(
        _ type: Request.Type, _ body: Data, _ response: HTTPURLResponse
    ) {
        do { _ = try type.decode(body, response) } catch {
            #expect(!error.description.isEmpty && !error.debugDescription.isEmpty)
        }
    }

    @Test(
        "Any limit for an error's body is met, also a negative one",
        arguments: [Int.min, -1, 0, 1, .max])
    func keptBytes(_ most: Int) throws {
        let error = try Self.$policy.withValue(LoadPolicy(errorBodyLimit: most)) {
            try CannedResponse(500, "oops").error(of: Get<String>.self)
        }
        guard case .errorResponseParseError(_, let data, _) = error else {
            return #expect(Bool(false), "\(error)")
        }
        #expect(data == Data("oops".utf8.prefix(max(most, 0))))
    }

    static let policies: [LoadPolicy] =
        [
            Double.nan, .infinity, -.infinity, -1, 0, 1e300, .greatestFiniteMagnitude, 9.3e9,
            .leastNonzeroMagnitude,
        ]
        .map {
            LoadPolicy(timeLimit: $0)
        }
        + [Int.min, -1, 0, .max].flatMap {
            [LoadPolicy(redirectLimit: $0), LoadPolicy(bodyLimit: $0)]
        } + [LoadPolicy(sensitiveHeaders: ["", "\r\n", "é"])]

    @Test("A load ends once under any policy", .needsServers, arguments: policies)
    func policy(_ policy: LoadPolicy) async throws {
        let environment = try Server.recorder.environment
        await Self.$policy.withValue(policy) { await Self.load(in: environment) }
    }

    /// Loads by both loaders; an error must have a text.
    static func load(in environment: ServerEnvironment) async {
        do { _ = try await URLSession.shared.response(in: environment, with: Get<Data>()) } catch {
            #expect(!error.description.isEmpty)
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            do throws(EndpointError) {
                try URLSession.shared.endpointTask(in: environment, with: Get<Data>()) { _ in
                    continuation.resume()
                }.resume()
            } catch {
                #expect(!error.description.isEmpty)
                continuation.resume()
            }
        }
    }

    /// Changes that a hook may make.
    static let hooks: [RequestProcessor] = [
        { $0.url = nil }, { $0.url = URL(string: "") }, { $0.url = URL(string: "a") },
        { $0.url = URL(string: "file:///dev/null") }, { $0.url = URL(string: "data:,a") },
        { $0.url = URL(string: "ftp://127.0.0.1:1/") }, { $0.url = URL(string: "http:///") },
        { $0.url = URL(string: "http://[::1]:1/") }, { $0.url = URL(string: "x-y://h/") },
        { $0.httpMethod = "" }, { $0.httpMethod = nil }, { $0.httpMethod = "A B\r\n" },
        { $0.httpMethod = "CONNECT" }, { $0.httpMethod = "HEAD" }, { $0.httpBody = Data([0]) },
        {
            $0.httpMethod = "POST"; $0.httpBodyStream = InputStream(data: Data([1]))
        },
        { $0.timeoutInterval = .nan }, { $0.timeoutInterval = -1 }, { $0.timeoutInterval = 1e300 },
        { $0.timeoutInterval = .infinity },
        { $0.allHTTPHeaderFields = ["": "", "\r\n": "\u{0}"] },
        { $0.allHTTPHeaderFields = ["Content-Length": "-1", "Host": ""] },
    ]

    @Test(
        "A load ends once, whatever a hook does to the request", .needsServers,
        arguments: hooks.indices)
    func hook(_ index: Int) async throws {
        var environment = try Server.recorder.environment
        environment.requestProcessor = Self.hooks[index]
        await Self.load(in: environment)
    }
}
