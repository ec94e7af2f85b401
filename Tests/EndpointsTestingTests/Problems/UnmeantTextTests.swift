import Endpoints
import EndpointsStreams
import EndpointsTesting
import Foundation
import Testing

/// Texts and constants of a declaration that are sent, but can't be meant.
@Suite("Texts of declarations that can't be meant")
struct UnmeantTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let endpoint: Endpoint<Probe>
        let problem: String?
        var testDescription: String { problem ?? "none" }
    }

    // MARK: Constants

    private static let day = Date(timeIntervalSince1970: 0)
    private static let id = UUID()
    private static let once = "a constant is made once, with the endpoint"

    private static func date(_ field: String) -> String {
        "\(field) is a constant of type Date, but \(once); declare a property and its key path, or "
            + "write a text if it is always the same"
    }

    private static func header(_ name: Headers, _ field: HeaderField<Probe>) -> Endpoint<Probe> {
        Endpoint(method: .get, path: "a", headers: [name: field])
    }

    private static func query(_ parameter: Parameter<Probe>) -> Endpoint<Probe> {
        Endpoint(method: .post, path: "a", parameters: [parameter])
    }

    static let constants: [Row] = [
        Row(
            endpoint: header(.idempotencyKey, "abc"),
            problem: #"the header "Idempotency-Key" is a constant, but \#(once), so each request "#
                + "has the same key; declare a property, such as `let key = UUID()`, and its key "
                + "path"),
        Row(
            endpoint: header("idempotency-key", .fieldValue(value: id)),
            problem: #"the header "idempotency-key" is a constant, but \#(once), so each request "#
                + "has the same key; declare a property, such as `let key = UUID()`, and its key "
                + "path"),
        Row(endpoint: header(.idempotencyKey, nil), problem: nil),
        Row(endpoint: header(.idempotencyKey, .field(path: \.x)), problem: nil),
        Row(
            endpoint: header("X-At", .fieldValue(value: day)),
            problem: date(#"the header "X-At""#)),
        Row(
            endpoint: header("X-At", .fieldValue(value: Date?.some(day))),
            problem: date(#"the header "X-At""#)),
        Row(
            endpoint: header("X-Id", .fieldValue(value: id)),
            problem: date(#"the header "X-Id""#).replacing("Date", with: "UUID")),
        Row(
            endpoint: query(.queryValue("at", value: day)), problem: date(#"the query item "at""#)),
        Row(
            endpoint: query(.queryValue("at", value: [day])),
            problem: date(#"the query item "at""#)),
        Row(endpoint: query(.formValue("at", value: day)), problem: date(#"the form field "at""#)),
        Row(endpoint: query(.partValue("at", value: day)), problem: date(#"the part "at""#)),
        Row(
            endpoint: query(.queryValue("id", value: id)),
            problem: date(#"the query item "id""#).replacing("Date", with: "UUID")),
        Row(
            endpoint: Endpoint(method: .get, path: "a/\(value: id)"),
            problem: date(##"the path value "#1""##).replacing("Date", with: "UUID")),
        Row(endpoint: query(.queryValue("at", value: "1970-01-01T00:00:00Z")), problem: nil),
        Row(endpoint: query(.queryValue("v", value: 1)), problem: nil),
    ]

    // MARK: Names

    private static func item(_ name: String, _ rest: String) -> String {
        "the query item \(name) \(rest)"
    }
    private static let escaped = "is escaped again; write the character itself"

    static let names: [Row] = [
        Row(
            endpoint: query(.query("ids[]", path: \.list, style: .brackets)),
            problem: item(
                #""ids[]""#, "has brackets, which its style adds too, as in `ids[][]`; remove them")
        ),
        Row(
            endpoint: query(.form("ids[]", path: \.list, style: .brackets)),
            problem: #"the form field "ids[]" has brackets, which its style adds too, as in "#
                + "`ids[][]`; remove them"),
        Row(
            endpoint: query(.part("ids[]", path: \.list, style: .brackets)),
            problem: #"the part "ids[]" has brackets, which its style adds too, as in `ids[][]`; "#
                + "remove them"),
        Row(endpoint: query(.query("ids[]", path: \.list)), problem: nil),
        Row(endpoint: query(.query("ids", path: \.list, style: .brackets)), problem: nil),
        Row(endpoint: query(.query("filter[name]", path: \.a)), problem: nil),
        Row(
            endpoint: query(.query("q=", path: \.a)),
            problem: item(#""q=""#, "has a `=` at its end, which is escaped; remove it")),
        Row(
            endpoint: query(.form("q=", path: \.a)),
            problem: #"the form field "q=" has a `=` at its end, which is escaped; remove it"#),
        Row(
            endpoint: query(.query("?q", path: \.a)),
            problem: item(#""?q""#, "has a `?` at its beginning, which is escaped; remove it")),
        Row(
            endpoint: query(.queryValue("&q", value: 1)),
            problem: item(#""&q""#, "has a `&` at its beginning, which is escaped; remove it")),
        Row(
            endpoint: query(.form("&q", path: \.a)),
            problem: #"the form field "&q" has a `&` at its beginning, which is escaped; remove it"#
        ),
        Row(
            endpoint: query(.query(" q", path: \.a)),
            problem: item(#"" q""#, "has a blank at its beginning or end; remove it")),
        Row(
            endpoint: query(.form("q ", path: \.a)),
            problem: #"the form field "q " has a blank at its beginning or end; remove it"#),
        Row(
            endpoint: query(.part("q\n", path: \.a)),
            problem: #"the part "q\n" has a blank at its beginning or end; remove it"#),
        Row(
            endpoint: query(.query("f%5Ba%5D", path: \.a)),
            problem: item(#""f%5Ba%5D""#, "has an escape such as `%5B`, which \(escaped)")),
        Row(
            endpoint: query(.form("a%20b", path: \.a)),
            problem: #"the form field "a%20b" has an escape such as `%20`, which \#(escaped)"#),
        Row(endpoint: query(.query("100%", path: \.a)), problem: nil),
        Row(endpoint: query(.query("=", path: \.a)), problem: nil),
        Row(
            endpoint: query(.query("==", path: \.a)),
            problem: item(#""==""#, "has a `=` at its end, which is escaped; remove it")),
        Row(
            endpoint: query(.queryFlag("pong=1")),
            problem: item(
                #""pong=1""#, "is a flag, so its `=` is escaped; write .queryValue for a value")),
        Row(endpoint: query(.queryFlag("pong")), problem: nil),
        Row(endpoint: query(.query("a b", path: \.a)), problem: nil),
        Row(endpoint: query(.query("a=b", path: \.a)), problem: nil),
    ]

    // MARK: The path

    private static func path(_ path: PathTemplate<Probe>) -> Endpoint<Probe> {
        Endpoint(method: .get, path: path)
    }

    private static func blank(_ text: String) -> String {
        "the path has the text \(text), whose blank at an end is sent as an escape; remove it"
    }
    private static let control =
        "the path has a line break or another control character, which is sent as an escape; "
        + "remove it"

    static let paths: [Row] = [
        Row(endpoint: path("users "), problem: blank(#""users ""#)),
        Row(endpoint: path(" users"), problem: blank(#"" users""#)),
        Row(endpoint: path("users/ \(path: \.a)"), problem: blank(#""users/ ""#)),
        Row(endpoint: path("a/\(path: \.a) /b"), problem: blank(#"" /b""#)),
        Row(endpoint: path("a/\(path: \.a)\u{A0}"), problem: blank("\"\u{A0}\"")),
        Row(endpoint: path("users\n"), problem: control),
        Row(endpoint: path("users/\n\(path: \.a)"), problem: control),
        Row(endpoint: path("a\tb"), problem: control),
        Row(endpoint: path("a\u{7F}b"), problem: control),
        Row(endpoint: path("a\u{85}b"), problem: control),
        Row(endpoint: path("a b/c"), problem: nil),
        Row(endpoint: path("\(path: \.a)"), problem: nil),
    ]

    // MARK: Values of headers

    private static let tag =
        #"isn't `*` or a list of entity tags; write one such as `"abc"`, with its quotes"#
    private static let unit = "isn't a unit and a range; write them as in `bytes=0-99`"
    private static let directives =
        "isn't a list of directives; write them with commas between them, as in "
        + "`no-cache, max-age=0`"

    private static let date = "isn't an HTTP date; declare a Date with `format: .httpDate`"
    private static let language =
        "isn't a list of languages; write them with `-` inside and commas between them, as in "
        + "`de-DE, en;q=0.5`"
    private static let content =
        "isn't a unit, a range and a length; write them as in `bytes 0-99/200`"
    private static let cookie =
        "isn't a list of cookies; write them with `; ` between them, as in `a=1; b=2`"
    private static let scheme =
        "isn't a scheme and what belongs to it; declare Credentials, such as `.bearer(token)`"

    static let values: [(name: Headers, value: String, reason: String?)] = [
        (.ifModifiedSince, "1970-01-01T00:00:00Z", date), (.ifUnmodifiedSince, "0", date),
        (.date, "Thu, 1 Jan 1970 00:00:00 GMT", date), ("Expires", "1970-01-01", date),
        (.ifModifiedSince, "Thu, 01 Jan 1970 00:00:00 GMT", nil),
        (.acceptLanguage, "de_DE", language), (.acceptLanguage, "de;q=0,8", language),
        (.acceptLanguage, "German", nil), (.acceptLanguage, "de-DE, *;q=0.5", nil),
        ("Content-Language", "de_DE", language), ("Content-Language", "zh-Hans-CN", nil),
        ("Content-Range", "bytes=0-1/2", content), ("Content-Range", "0-1/2", content),
        ("Content-Range", "bytes 0-1/*", nil), ("Content-Range", "bytes */2", nil),
        (.cookie, "a=1, b=2", cookie), (.cookie, "a=1; Path=/; HttpOnly", cookie),
        (.cookie, "a", cookie), (.cookie, "a=1; b=2", nil), (.cookie, "a=x==; b=", nil),
        (.authorization, "Bearer", scheme), (.authorization, "Bearer: abc", scheme),
        (.authorization, "Basic ann:pass", scheme), (.authorization, "Bearer abc", nil),
        (.authorization, "lin_api_abc", nil), (.authorization, "Basic YTpi", nil),
        (.range, "bytes=0..<100", unit), (.range, "bytes=a-b", unit), (.range, "bytes=-5", nil),
        (.ifMatch, "abc", tag), (.ifNoneMatch, "abc", tag), (.ifNoneMatch, #""a", b"#, tag),
        (.ifNoneMatch, #"w/"a""#, tag), (.ifNoneMatch, #""a b""#, tag),
        (.ifMatch, "*", nil), (.ifNoneMatch, #""abc""#, nil), (.ifNoneMatch, #"W/"a" , "b""#, nil),
        (.ifMatch, #""""#, nil), (.ifMatch, #""a,b""#, nil), (.ifMatch, #""é""#, nil),
        (.range, "0-99", unit), (.range, "bytes 0-99", unit), (.range, "bytes=", unit),
        (.range, "=0-99", unit), (.range, "bytes=0-99", nil), (.range, "bytes=0-1, 5-", nil),
        (.range, "items=-5", nil),
        (.cacheControl, "no-cache; no-store", directives),
        (.cacheControl, "max-age: 0", directives), (.cacheControl, "max-age=", directives),
        (.cacheControl, "no cache", directives), (.cacheControl, "max-age 0", directives),
        (.cacheControl, "no-cache", nil), (.cacheControl, "no-cache, max-age=0", nil),
        (.cacheControl, #"x="a, b" ,no-store"#, nil), (.cacheControl, "no-cache,", nil),
        ("X-Date", "abc", nil), ("X-Range", "0-99", nil),
    ]

    @Test("A constant header that its grammar doesn't allow is a problem", arguments: values)
    func value(row: (name: Headers, value: String, reason: String?)) {
        let endpoint = Self.header(row.name, .fieldValue(value: row.value))
        #expect(endpoint.problems.map(\.reason) == [row.reason].compactMap(\.self))
    }

    // MARK: Headers of responses

    private static let response =
        "is a header of responses, which servers ignore in a request; remove it"

    static let responseHeaders: [(name: Headers, reason: String?)] = [
        ("Access-Control-Allow-Origin", response), ("access-control-allow-headers", response),
        ("Set-Cookie", response), ("Retry-After", response),
        // Adyen takes it in requests.
        ("WWW-Authenticate", nil),
        ("Access-Control-Max-Age", response), ("Access-Control-Request-Method", nil),
        ("Origin", nil), ("X-Access-Control-Allow-Origin", nil),
    ]

    @Test("A header that only a response has is a problem", arguments: responseHeaders)
    func responseHeader(row: (name: Headers, reason: String?)) {
        let endpoint = Self.header(row.name, "x")
        #expect(endpoint.problems.map(\.reason) == [row.reason].compactMap(\.self))
    }

    // MARK: Styles

    struct Map: FlatRequest {
        let numbers: [String: Int]
        let list: [Int]
        let text: String
        let number: Int?
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = Void
    }

    private static let ignored =
        "has a style, which a dictionary ignores: it is sent as `d[key]=value`; remove it"

    private static let alone =
        "has a style, but one value, which is sent without it; remove it, or declare a list"

    static let styles: [(parameter: Parameter<Map>, reason: String?)] = [
        (.query("d", path: \.numbers, style: .commaSeparated), ignored),
        (.query("d", path: \.numbers, style: .pipeSeparated), ignored),
        (.form("d", path: \.numbers, style: .spaceSeparated), ignored),
        (.part("d", path: \.numbers, style: .commaSeparated), ignored),
        (.queryValue("d", value: ["a": 1], style: .commaSeparated), ignored),
        (.query("d", path: \.text, style: .commaSeparated), alone),
        (.query("d", path: \.text, style: .brackets), alone),
        (.form("d", path: \.number, style: .pipeSeparated), alone),
        (.queryValue("d", value: "a,b", style: .commaSeparated), alone),
        (.query("d", path: \.text), nil),
        (.query("d", path: \.numbers), nil), (.query("d", path: \.numbers, style: .brackets), nil),
        (.query("d", path: \.list, style: .commaSeparated), nil),
    ]

    @Test("A style that has no effect is a problem", arguments: styles)
    func style(row: (parameter: Parameter<Map>, reason: String?)) {
        let endpoint = Endpoint<Map>(method: .post, path: "a", parameters: [row.parameter])
        #expect(endpoint.problems.map(\.reason) == [row.reason].compactMap(\.self))
    }

    @Test(
        "What can't be meant is a problem, and a request can be made",
        arguments: [
            constants, names, paths,
        ].joined().map(\.self))
    func row(_ row: Row) throws {
        #expect(
            row.endpoint.problems.map(\.description)
                == [row.problem.map { "Probe: \($0)" }].compactMap(\.self))
        #expect(throws: Never.self) { try Probe(a: "x").urlRequest(of: row.endpoint) }
    }

    @Test("An item without a name in `contentsOf:` is a problem")
    func emptyName() {
        struct List: FlatRequest {
            let items: [URLQueryItem]
            let fields: [String: String]
            static let endpoint = Endpoint<Self>(
                method: .post, path: "a",
                parameters: [.query(contentsOf: \.items), .form(contentsOf: \.fields)])
            typealias Response = Void
        }
        let items = [URLQueryItem(name: "", value: "1"), URLQueryItem(name: "", value: "2")]
        #expect(
            List(items: items, fields: ["": "1"]).problems.map(\.description) == [
                #"List: the query item "" has no name; give it one"#,
                #"List: the form field "" has no name; give it one"#,
            ])
        let left = [URLQueryItem(name: "", value: nil), URLQueryItem(name: "a", value: "1")]
        #expect(List(items: left, fields: [:]).problems.isEmpty)
    }

    // MARK: Pages

    struct ByParameter: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.link(rel: "rel=next")
        typealias Response = [String]
    }

    struct ByEmptyRelation: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.link(rel: "")
        typealias Response = [String]
    }

    struct ByLink: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.link()
        typealias Response = [String]
    }

    @Test("A relation that no link can have is a problem")
    func relations() {
        let texts = problems(of: ByParameter.self, ByEmptyRelation.self, ByLink.self)
        #expect(
            texts.map(\.description) == [
                #"ByParameter: the property "paging" has `Paging.link(rel: "rel=next")`, which "#
                    + "can't be meant; write one relation, such as `next`",
                #"ByEmptyRelation: the property "paging" has `Paging.link(rel: "")`, which can't "#
                    + "be meant; write one relation, such as `next`",
            ])
    }
}
