import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Headers in which a name may be given twice, which ends the process in a `Dictionary`.
@Suite("Dictionaries of headers")
struct HeaderDictionaryTests {
    struct Common: FlatRequest {
        var commonHeaders: HeaderDictionary<String>
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = Void
    }

    struct AtRunTime: FlatRequest {
        var extra: HeaderDictionary<Int?>
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a", headers: HeaderList(contentsOf: \.extra))
        typealias Response = Void
    }

    struct Shop: EnvironmentType {
        let baseUrl = url("https://api.example.com")
        let headers: HeaderDictionary<Credentials>
    }

    struct InShop: FlatRequest {
        typealias Environment = Shop
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = Void
    }

    private static func server(_ headers: HeaderDictionary<String>) -> ServerEnvironment {
        ServerEnvironment(baseUrl: url("https://api.example.com"), headers: headers)
    }

    typealias Make = @Sendable () throws -> URLRequest

    static let twice: [(name: String, make: Make)] = [
        (
            "x-a",
            { try Common(commonHeaders: ["X-A": "1", "x-a": "2"]).urlRequest(in: .production) }
        ),
        (
            "Accept",
            {
                try Common(commonHeaders: [.accept: "1", "Accept": "2"]).urlRequest(in: .production)
            }
        ),
        (
            "X-KEY",
            { try Common(commonHeaders: [:]).urlRequest(in: server(["X-Key": "1", "X-KEY": "2"])) }
        ),
        ("x", { try AtRunTime(extra: ["X": 1, "x": nil]).urlRequest(in: .production) }),
        (
            "authorization",
            {
                try InShop().urlRequest(
                    in: Shop(headers: [.authorization: .bearer("a"), "authorization": .bearer("b")])
                )
            }
        ),
    ]

    @Test("A name that is given twice is an error that says so", arguments: twice)
    func refusal(row: (name: String, make: Make)) {
        let error = #expect(throws: EndpointError.self) { try row.make() }
        #expect(error?.field == .header(row.name))
        #expect(error?.reason == "is given twice; remove one")
    }

    static let once: [(fields: [String: String], make: Make)] = [
        (
            ["X-A": "1", "X-B": "2"],
            { try Common(commonHeaders: ["X-A": "1", "X-B": "2"]).urlRequest(in: .production) }
        ),
        ([:], { try Common(commonHeaders: [:]).urlRequest(in: server([:])) }),
        (
            ["X-A": "2"],
            { try Common(commonHeaders: ["x-a": "2"]).urlRequest(in: server(["X-A": "1"])) }
        ),
        (["X": "1"], { try AtRunTime(extra: ["X": 1, "Y": nil]).urlRequest(in: .production) }),
        (
            ["X-A": "1"],
            {
                try Common(commonHeaders: [:]).urlRequest(
                    in: server(HeaderDictionary(["X-A": "1"])))
            }
        ),
    ]

    @Test("A name that is given once is sent as it is in a dictionary", arguments: once)
    func sentFields(row: (fields: [String: String], make: Make)) throws {
        #expect(try row.make().allHTTPHeaderFields ?? [:] == row.fields)
    }

    @Test("Setting a header replaces all values of its name, in any case, at the first one's place")
    func setting() {
        var headers: HeaderDictionary<String> = ["A": "1", "X": "2", "B": "3", "x": "4"]
        #expect(headers["x"] == "2" && headers["C"] == nil)
        headers["x"] = "5"
        #expect(headers.pairs.map(\.value) == ["1", "5", "3"])
        headers["C"] = "6"
        headers["a"] = nil
        #expect(headers.pairs.map { "\($0.name): \($0.value)" } == ["x: 5", "B: 3", "C: 6"])
    }

    @Test(
        "Credentials in a dictionary of headers aren't sent to another origin, and none is printed")
    func secrets() throws {
        let shop = Shop(headers: ["X-Own": .bearer("t0k3n")])
        let elsewhere = url("https://other.example.com/a")
        #expect(
            try InShop().urlRequest(in: shop, at: elsewhere).value(forHTTPHeaderField: "X-Own")
                == nil)
        #expect(
            try InShop().urlRequest(in: shop).value(forHTTPHeaderField: "X-Own") == "Bearer t0k3n")
        var text = "\(Self.server(["X-Key": "s3cr3t"]).headers)"
        dump(HeaderDictionary<String>(["X-Key": "s3cr3t"]), to: &text)
        #expect(text.hasPrefix("X-Key") && !text.contains("s3cr3t"))
    }
}
