import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A declared Content-Type that isn't that of the bytes.
@Suite("A Content-Type and its body")
struct ContentTypeAgreementTests {
    struct Post<Body: Encodable & Sendable>: FlatRequest {
        var body: Body
        var type: String?
        static var endpoint: Endpoint<Self> {
            .once(Endpoint(method: .post, path: "p", headers: [.contentType: .field(path: \.type)]))
        }
        typealias Response = Void
    }

    struct PostForm: FlatRequest {
        var value = "a b"
        var type: String?
        static let endpoint = Endpoint<Self>(
            method: .post, path: "p", parameters: [.form("v", path: \.value)],
            headers: [.contentType: .field(path: \.type)])
        typealias Response = Void
    }

    static let charset = """
        names another charset than that of the body, which is UTF-8; write `charset=utf-8`, or \
        declare the body as Data
        """
    static let noForm = "isn't that of a form, but the body is one; remove this header"
    static let isForm = "is that of a form, but the body is JSON; remove this header"

    static let rows: [(type: String, text: String?, json: String?, form: String?)] = [
        ("text/plain", nil, nil, nil),
        ("text/plain; charset=utf-8", nil, nil, nil),
        ("text/plain;CHARSET=\"UTF-8\"", nil, nil, nil),
        ("text/plain; charset=us-ascii", nil, nil, nil),
        ("text/plain; charset=iso-8859-1", charset, charset, charset),
        ("application/xml; charset=utf-16", charset, charset, charset),
        ("application/vnd.x+json", nil, nil, noForm),
        ("application/json; charset=utf-16", charset, charset, noForm),
        ("application/json; profile=x", nil, nil, noForm),
        ("application/x-www-form-urlencoded", nil, isForm, nil),
        ("Application/X-WWW-Form-Urlencoded; charset=utf-8", nil, isForm, nil),
        ("application/x-www-form-urlencoded; charset=latin1", charset, isForm, charset),
        ("multipart/form-data; boundary=x", nil, isForm, noForm),
    ]

    private func reason<Request: RequestType>(
        _ request: Request
    ) throws -> String? where Request.Environment == ServerEnvironment {
        do { _ = try request.urlRequest(in: .production) } catch {
            #expect(error.field == .header("Content-Type"))
            return error.reason
        }
        return nil
    }

    @Test("A Content-Type that contradicts the body is refused", arguments: rows)
    func readFromTheRequest(
        row: (type: String, text: String?, json: String?, form: String?)
    ) throws {
        #expect(try reason(Post(body: "é", type: row.type)) == row.text)
        #expect(try reason(Post(body: String?.some("é"), type: row.type)) == row.text)
        #expect(try reason(Post(body: ["é"], type: row.type)) == row.json)
        #expect(try reason(PostForm(type: row.type)) == row.form)
        #expect(try reason(Post(body: Data([0xE9]), type: row.type)) == nil)
        #expect(try reason(Post(body: File(Data([0xE9])), type: row.type)) == nil)
        #expect(try reason(Post(body: String?.none, type: row.type)) == nil)
    }

    @Test("Without a Content-Type, any body is sent")
    func none() throws {
        #expect(try reason(Post(body: "é")) == nil)
        #expect(try reason(Post(body: ["é"])) == nil)
        #expect(try reason(PostForm()) == nil)
    }

    @TaskLocal static var type = "text/plain"

    struct Text: FlatRequest {
        var body: String? = "é"
        static var endpoint: Endpoint<Self> {
            Endpoint(
                method: .post, path: "p", headers: [.contentType: .fieldValue(value: type)])
        }
        typealias Response = Void
    }

    struct JSON: FlatRequest {
        var body = ["é"]
        static var endpoint: Endpoint<Self> {
            Endpoint(
                method: .post, path: "p", headers: ["content-type": .fieldValue(value: type)])
        }
        typealias Response = Void
    }

    struct Form: FlatRequest {
        var value = "a b"
        static var endpoint: Endpoint<Self> {
            Endpoint(
                method: .post, path: "p", parameters: [.form("v", path: \.value)],
                headers: [.contentType: .fieldValue(value: type)])
        }
        typealias Response = Void
    }

    @Test("A constant Content-Type that contradicts the body is a problem", arguments: rows)
    func constant(row: (type: String, text: String?, json: String?, form: String?)) {
        Self.$type.withValue(row.type) {
            #expect(Text().problems.map(\.reason) == (row.text.map { [$0] } ?? []))
            #expect(JSON().problems.map(\.reason) == (row.json.map { [$0] } ?? []))
            #expect(Form().problems.map(\.reason) == (row.form.map { [$0] } ?? []))
        }
    }

    struct House: EnvironmentType {
        let baseUrl: URL
        var headers: HeaderDictionary<String> { ["Content-Type": "text/plain; charset=latin1"] }
    }

    struct FormHouse: EnvironmentType {
        let baseUrl: URL
        var headers: HeaderDictionary<String> {
            ["content-type": "application/x-www-form-urlencoded"]
        }
    }

    struct PostJSON: FlatRequest {
        var body = ["é"]
        var commonHeaders: HeaderDictionary<String> = [:]
        static let endpoint = Endpoint<Self>(method: .post, path: "p")
        typealias Environment = FormHouse
        typealias Response = Void
    }

    struct PostPart: FlatRequest {
        var text = "a"
        var commonHeaders: HeaderDictionary<String> = [:]
        static let endpoint = Endpoint<Self>(
            method: .post, path: "p", parameters: [.part("a", path: \.text)])
        typealias Environment = FormHouse
        typealias Response = Void
    }

    @Test("The error of a Content-Type says which layer has it")
    func layer() throws {
        let house = FormHouse(baseUrl: ServerEnvironment.production.baseUrl)
        func text<Request: RequestType>(_ request: Request) -> String?
        where Request.Environment == FormHouse {
            #expect(throws: EndpointError.self) { try request.urlRequest(in: house) }?.description
        }
        let form = "is that of a form, but the body is JSON; remove it from"
        let boundary = """
            doesn't name the boundary of the multipart body, so servers can't find its parts; \
            remove it from
            """
        let (type, rest) = (#"the header "Content-Type""#, "and the library sets it")
        #expect(text(PostJSON()) == "PostJSON: \(type) \(form) the environment's headers")
        #expect(
            text(PostPart()) == "PostPart: \(type) \(boundary) the environment's headers, \(rest)")
        let common: HeaderDictionary<String> = [
            .contentType: "application/x-www-form-urlencoded"
        ]
        #expect(
            text(PostJSON(commonHeaders: common)) == "PostJSON: \(type) \(form) commonHeaders")
        #expect(
            text(PostPart(commonHeaders: common))
                == "PostPart: \(type) \(boundary) commonHeaders, \(rest)")
    }

    struct Housed: FlatRequest {
        typealias Environment = House
        let body: String
        static let endpoint = Endpoint<Self>(method: .post, path: "p")
        typealias Response = Void
    }

    @Test("The environment's Content-Type is checked, too")
    func environment() throws {
        let house = House(baseUrl: ServerEnvironment.production.baseUrl)
        let error = #expect(throws: EndpointError.self) {
            try Housed(body: "é").urlRequest(in: house)
        }
        #expect(error?.reason == Self.charset)
    }
}
