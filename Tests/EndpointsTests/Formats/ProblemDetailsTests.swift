import Endpoints
import EndpointsFormats
import Foundation
import Testing

@Suite("Problem details")
struct ProblemDetailsTests {
    struct Credit: Decodable, Hashable, Sendable {
        let balance: Int
        let accounts: [String]
    }

    struct Buy<Failure: Decodable & Sendable>: RequestType {
        static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "x") }
        typealias Response = User
        typealias ErrorResponse = Failure
    }

    static let credit = """
        {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.",
        "detail": "Your current balance is 30, but that costs 50.", "instance": "/account/12345/msgs/abc",
        "balance": 30, "accounts": ["/account/12345", "/account/67890"], "status": 403}
        """

    @Test(
        "Problem details are read whatever the type of the response is called",
        arguments: ["application/problem+json", "application/json", "text/plain", nil])
    func contentType(type: String?) throws {
        let problem = try problem(Credit.self, Self.credit, type: type)
        #expect(problem.type == "https://example.com/probs/out-of-credit")
        #expect(problem.status == 403)
        #expect(problem.title == "You do not have enough credit.")
        #expect(problem.detail == "Your current balance is 30, but that costs 50.")
        #expect(problem.instance == "/account/12345/msgs/abc")
        #expect(
            problem.extensionMembers
                == Credit(balance: 30, accounts: ["/account/12345", "/account/67890"]))
        #expect(
            problem.members == [
                "balance": .integer(30),
                "accounts": .array([.string("/account/12345"), .string("/account/67890")]),
            ])
    }

    static let wrong: [(body: String, type: String, status: Int?, title: String?)] = [
        ("{}", "about:blank", nil, nil),
        (
            #"{"type": 1, "status": "404", "title": ["x"], "detail": {}, "instance": true}"#,
            "about:blank", nil, nil
        ),
        (#"{"type": null, "status": null, "title": null}"#, "about:blank", nil, nil),
        (#"{"type": "/relative", "status": 404, "title": "x"}"#, "/relative", 404, "x"),
        (#"{"type": "", "status": true, "title": ""}"#, "", nil, ""),
        (#"{"status": 404.5}"#, "about:blank", nil, nil),
        (#"{"status": 1e300}"#, "about:blank", nil, nil),
    ]

    @Test("A standard member of the wrong type counts as missing", arguments: wrong)
    func wrongType(row: (body: String, type: String, status: Int?, title: String?)) throws {
        let problem = try problem(EmptyResponse.self, row.body)
        #expect(problem.type == row.type)
        #expect(problem.status == row.status)
        #expect(problem.title == row.title)
        #expect(problem.detail == nil)
        #expect(problem.instance == nil)
        #expect(problem.members.isEmpty)
    }

    @Test("Extension members that are not of their type leave the others in place")
    func wrongExtension() throws {
        let problem = try problem(Credit.self, #"{"title": "x", "balance": "30"}"#)
        #expect(problem.title == "x")
        #expect(problem.extensionMembers == nil)
        #expect(problem.members == ["balance": .string("30")])
    }

    static let values: [(json: String, value: JSONValue)] = [
        ("null", .null), ("true", .bool(true)), ("0", .integer(0)), ("1", .integer(1)),
        ("-7", .integer(-7)), ("1.5", .number(1.5)), ("1e2", .integer(100)),
        ("9223372036854775807", .integer(.max)),
        ("9223372036854775808", .decimal(Decimal(UInt64.max / 2 + 1))),
        ("1e400", .null), (#""a\u0000b""#, .string("a\0b")), ("[]", .array([])),
        ("{}", .object([:])),
        (
            "[null, [1], {\"a\": false}]",
            .array([.null, .array([.integer(1)]), .object(["a": .bool(false)])])
        ),
    ]

    @Test("Members that no type is declared for are kept as any JSON value", arguments: values)
    func members(row: (json: String, value: JSONValue)) throws {
        let problem = try problem(EmptyResponse.self, #"{"title": "x", "more": \#(row.json)}"#)
        #expect(problem.members == ["more": row.value])
    }

    @Test("Very large problem details keep only their first members")
    func large() throws {
        let list = "[" + Array(repeating: "[]", count: 50_000).joined(separator: ",") + "]"
        let flat = try problem(EmptyResponse.self, #"{"title": "x", "more": \#(list)}"#)
        #expect(flat.title == "x")
        guard case .array(let elements) = flat.members["more"] else {
            Issue.record("\(flat.members)")
            return
        }
        #expect(elements.count == 999)
        let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        var value = try problem(EmptyResponse.self, #"{"more": \#(deep)}"#).members["more"]
        var levels = 0
        while case .array(let inner) = value { (value, levels) = (inner.first, levels + 1) }
        #expect(levels == 64)
        #expect(value == .null)
    }

    static let sentences: [(body: String, text: String)] = [
        (#"{"title": "Out of credit", "detail": "It costs 50."}"#, "Out of credit. It costs 50."),
        (#"{"title": "Out of credit.", "detail": "It costs 50."}"#, "Out of credit. It costs 50."),
        (#"{"title": "Really?", "detail": "Yes"}"#, "Really? Yes"),
        (#"{"title": "Out of credit"}"#, "Out of credit"),
        (#"{"detail": "It costs 50."}"#, "It costs 50."),
        (#"{"title": "", "detail": "It costs 50."}"#, "It costs 50."),
        (
            "{}",
            "the problem has no title or detail; check that the API sends problem details (RFC 9457)"
        ),
        (
            #"{"type": ""}"#,
            "the problem has no title or detail; check that the API sends problem details (RFC 9457)"
        ),
        (
            #"{"type": "https://h/late"}"#,
            "a problem of type https://h/late, without a title; see the API's documentation"
        ),
        (#"{"title": "No", "status": 400, "detail": "token: abcdef123"}"#, "No"),
        (#"{"title": "No", "detail": "Invalid token abcdef123"}"#, "No"),
        (#"{"title": "Bad token", "detail": "It has expired"}"#, "Bad token. It has expired"),
        (#"{"title": "token: abcdef123", "detail": "It has expired"}"#, "It has expired"),
        (#"{"title": "No", "detail": "{\"password\": \"abc\"}"}"#, #"No. {"password": "…"}"#),
        (#"{"title": "No", "detail": "see /a?token=abcdef123"}"#, "No"),
        (#"{"title": "/a?token=abcdef123&b=c"}"#, "/a?token=…&b=c"),
        (
            #"{"detail": "token: abcdef123"}"#,
            "the problem, whose text has the name of a secret and isn't shown; read its `detail`"
        ),
        (
            #"{"type": "https://h/a?token=abcdef123", "detail": "token: abcdef123"}"#,
            "a problem of type https://h/a?token=…, whose text has the name of a secret and isn't "
                + "shown; read its `detail`"
        ),
        (
            #"{"type": "https://h/a?token=abcdef123"}"#,
            "a problem of type https://h/a?token=…, without a title; see the API's documentation"
        ),
    ]

    @Test("A problem's description is its title and its detail", arguments: sentences)
    func sentence(row: (body: String, text: String)) throws {
        #expect(try problem(EmptyResponse.self, row.body).localizedDescription == row.text)
    }

    @Test(
        "A body that is no JSON object is not a problem",
        arguments: ["[]", "1", #""x""#, "null", "{", "<html>"])
    func refusal(body: String) throws {
        let error = try CannedResponse(400, body).error(of: Buy<StandardProblemDetails>.self)
        guard case .errorResponseParseError = error else {
            Issue.record("\(error)")
            return
        }
    }

    enum Failure: Decodable, Sendable {
        case problem(StandardProblemDetails)
        case other(Message)
        struct Message: Decodable { let message: String }

        init(from decoder: any Decoder) throws {
            let problem = try StandardProblemDetails(from: decoder)
            self = problem.title != nil ? .problem(problem) : .other(try Message(from: decoder))
        }
    }

    static let bodies: [(body: String, text: String?)] = [
        (#"{"title": "a"}"#, "problem a"), (#"{"message": "b"}"#, "other b"), ("{}", nil),
    ]

    @Test("An enum of one's own takes problems and other error bodies", arguments: bodies)
    func severalKinds(row: (body: String, text: String?)) throws {
        let text: String? =
            switch try CannedResponse(400, row.body).error(of: Buy<Failure>.self) {
            case .errorResponse(_, .problem(let problem)): "problem \(problem.title ?? "")"
            case .errorResponse(_, .other(let other)): "other \(other.message)"
            default: nil
            }
        #expect(text == row.text)
    }

    @Test("The text of an error has the title and the detail of its problem")
    func errorText() throws {
        let error = try CannedResponse(403, Self.credit).error(of: Buy<StandardProblemDetails>.self)
        #expect(
            "\(error)" == "The server responded with an error, status 403: "
                + "You do not have enough credit. Your current balance is 30, but that costs 50.")
    }

    /// What an error response becomes.
    private func problem<Extension: Decodable & Sendable>(
        _ type: Extension.Type, _ body: String,
        type contentType: String? = "application/problem+json"
    ) throws -> ProblemDetails<Extension> {
        var canned = CannedResponse(403, body)
        canned.fields["Content-Type"] = contentType
        let error = try canned.error(of: Buy<ProblemDetails<Extension>>.self)
        guard case .errorResponse(_, let problem) = error else { throw error }
        return problem
    }

    @Test(
        "A server's text is shown on one line, and cut",
        arguments: [
            (#"a\u001B[31m\u0000b\r\nc"#, "a [31m b  c"), (#"x\u2028y\u202Ez"#, "x y z"),
            (String(repeating: "é", count: 501), String(repeating: "é", count: 500) + "…"),
            (String(repeating: "é", count: 500), String(repeating: "é", count: 500)),
        ])
    func shownText(_ title: String, _ text: String) throws {
        let problem = try problem(EmptyResponse.self, #"{"title": "\#(title)!"}"#)
        let shown = problem.errorDescription
        #expect(
            shown == (text.hasSuffix("…") ? text : title.count == 500 ? text + "…" : text + "!"))
    }
}
