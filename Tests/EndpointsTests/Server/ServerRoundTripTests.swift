import Endpoints
import Foundation
import Testing

@Suite("Round trips", .needsServers)
struct ServerRoundTripTests {
    struct RecordPath: FlatRequest {
        let a: String
        let b: String
        static let endpoint = Endpoint<RecordPath>(
            method: .get, path: "x/\(path: \.a)/mid dle\(path: \.b).json")
        typealias Response = Recorded
    }

    struct RecordKey: FlatRequest {
        let key: String
        static let endpoint = Endpoint<RecordKey>(
            method: .put, path: "bucket//a/\(segments: \.key)")
        typealias Response = Recorded
    }

    struct EchoQuery: FlatRequest {
        let text: String
        let list: [String]
        let commas: [String]
        let brackets: [String]
        let keyed: [String: String]
        let moreItems: [URLQueryItem]
        static let endpoint = Endpoint<EchoQuery>(
            method: .get, path: "anything",
            parameters: [
                .query("text", path: \.text),
                .query("list", path: \.list),
                .query("commas", path: \.commas, style: .commaSeparated),
                .query("brackets", path: \.brackets, style: .brackets),
                .query("keyed", path: \.keyed),
                .queryValue("name with & = + % é", value: "constant"),
                .query(contentsOf: \.moreItems),
            ])
        typealias Response = Anything
    }

    struct EchoForm: FlatRequest {
        let text: String
        let list: [String]
        let commas: [String]
        let keyed: [String: String]
        let nothing: String?
        static let endpoint = Endpoint<EchoForm>(
            method: .post, path: "anything",
            parameters: [
                .form("text", path: \.text),
                .form("list", path: \.list),
                .form("commas", path: \.commas, style: .commaSeparated),
                .form("keyed", path: \.keyed),
                .form("nothing", path: \.nothing),
                .formValue("name with & = + % é", value: "constant"),
            ])
        typealias Response = Anything
    }

    @Test(
        "A server gets the keys of an object store as they are",
        arguments: ["x//y", "/lead", "trail/", "/", "//", "a b+c", "ü", "a/b", "...", "%2F", "a;b"])
    func key(_ key: String) async throws {
        let recorded = try await Server.recorder.response(to: RecordKey(key: key))
        let segments = ["bucket", "", "a"] + key.components(separatedBy: "/")
        #expect(recorded.segments == segments.map { Array($0.utf8) })
    }

    @Test("A server reads each path value back from its own segment", arguments: Texts.all)
    func path(text: String) async throws {
        let recorded = try await Server.recorder.response(to: RecordPath(a: text, b: text))
        let segments = ["x", text, "mid dle", text + ".json"]
        #expect(recorded.segments == segments.map { Array($0.utf8) })
    }

    @Test(
        "A server reads each query name and value back, in every style", arguments: Texts.all
    )
    func query(text: String) async throws {
        let args = try await Server.httpbin.response(
            to: EchoQuery(
                text: text, list: [text, "", text], commas: ["1", "2"], brackets: ["1", text],
                keyed: [text: "1", "other key": text],
                moreItems: [
                    URLQueryItem(name: text + "!", value: text),
                    URLQueryItem(name: "none", value: nil),
                ])
        ).args
        #expect(
            args == [
                "text": .one(text), "list": .several([text, "", text]), "commas": "1,2",
                "brackets[]": ["1", text], "keyed[\(text)]": "1", "keyed[other key]": .one(text),
                "name with & = + % é": "constant", text + "!": .one(text),
            ])
    }

    @Test(
        "A server reads each form field back, and the query has none of them", arguments: Texts.all)
    func form(text: String) async throws {
        let anything = try await Server.httpbin.response(
            to: EchoForm(
                text: text, list: [text, "", text], commas: ["1", "2"], keyed: [text: "1"],
                nothing: nil))
        #expect(
            anything.form == [
                "text": .one(text), "list": .several([text, "", text]), "commas": "1,2",
                "keyed[\(text)]": "1", "name with & = + % é": "constant",
            ])
        #expect(anything.args == [:])
        #expect(anything.headers["Content-Type"] == "application/x-www-form-urlencoded")
    }

    @Test("A server reads an empty value back, and nothing of nil or an empty list")
    func nothing() async throws {
        let request = EchoQuery(
            text: "", list: [], commas: [], brackets: [], keyed: [:], moreItems: [])
        let args = try await Server.httpbin.response(to: request).args
        #expect(args == ["text": "", "name with & = + % é": "constant"])
    }

    @Test("A server reads the text of every kind of value back")
    func kinds() async throws {
        struct EchoKinds: FlatRequest {
            var int = Int.min
            var unsigned = UInt64.max
            var double = 1e300
            var negativeZero = -0.0
            var decimal = Decimal(string: "3.14159265358979323846")
            var bool = true
            var date = Date(timeIntervalSince1970: 1_700_000_000.123)
            var id = UUID(uuidString: "DEADBEEF-0000-4000-8000-00000000CAFE")
            var url = URL(string: "https://h/p?q=a%20b#f")
            var character: Character = "é"
            static let endpoint = Endpoint<EchoKinds>(
                method: .get, path: "anything",
                parameters: [
                    .query("int", path: \.int), .query("unsigned", path: \.unsigned),
                    .query("double", path: \.double), .query("negativeZero", path: \.negativeZero),
                    .query("decimal", path: \.decimal), .query("bool", path: \.bool),
                    .query("date", path: \.date), .query("id", path: \.id),
                    .query("url", path: \.url), .query("character", path: \.character),
                    .query("day", path: \.date, format: .iso8601.year().month().day()),
                ])
            typealias Response = Anything
        }
        #expect(
            try await Server.httpbin.response(to: EchoKinds()).args == [
                "int": "-9223372036854775808", "unsigned": "18446744073709551615",
                "double": "1e+300", "negativeZero": "-0.0", "decimal": "3.14159265358979323846",
                "bool": "true", "date": "2023-11-14T22:13:20.123Z",
                "id": "DEADBEEF-0000-4000-8000-00000000CAFE", "url": "https://h/p?q=a%20b#f",
                "character": "é", "day": "2023-11-14",
            ])
    }
}
