import Endpoints
import EndpointsTesting
import EndpointsFormats
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Parts by declaration")
struct PartTests {
    struct Send: FlatRequest, Sendable {
        typealias Response = Void
        @TaskLocal static var endpoint = Endpoint<Send>(method: .post, path: "form")

        enum Sort: String, PathRepresentable { case newest }
        struct Meta: Encodable, Sendable { var width = 2 }

        var text = "a b"
        var absent: String?
        var list = ["1", "2"]
        var none: [String] = []
        var map = ["k": 1]
        var sort = Sort.newest
        var day = Date(timeIntervalSince1970: 0)
        var maybeDay: Date?
        var meta = Meta()
        var maybeMeta: Meta?
        var file = File(Data("f".utf8), name: "f.txt")
        var maybeFile: File?
        var files = [File(Data("1".utf8), name: "1"), File(Data("2".utf8), name: "2")]
        var maybeFiles: [File]?
        var data = Data([1])
        var days = [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 86_400)]
        var maybeDays: [Date]?
        var secret = Credentials.bearer("t")

        func upload(_ parameters: ParameterList<Send>) throws -> Upload? {
            let endpoint = Endpoint<Send>(method: .post, path: "form", parameters: parameters)
            return try Send.$endpoint.withValue(endpoint) {
                try urlRequest(in: .production).upload
            }
        }
    }

    typealias Row = (parameter: Parameter<Send>, parts: [String])
    private static let octets = "Content-Type: application/octet-stream"

    static let rows: [Row] = [
        (.part("a", path: \.text), ["\"a\"||a b"]),
        (.part("a", path: \.absent), []),
        (.part("a", path: \.list), ["\"a\"||1", "\"a\"||2"]),
        (.part("a", path: \.list, style: .brackets), ["\"a[]\"||1", "\"a[]\"||2"]),
        (.part("a", path: \.list, style: .commaSeparated), ["\"a\"||1,2"]),
        (.part("a", path: \.none), []),
        (.part("a", path: \.none, style: .commaSeparated), []),
        (.part("a", path: \.map), ["\"a[k]\"||1"]),
        (.part("a", path: \.sort), ["\"a\"||newest"]),
        (.part("a", path: \.day, format: .iso8601.year().month().day()), ["\"a\"||1970-01-01"]),
        (.part("a", path: \.maybeDay, format: .iso8601.year()), []),
        (
            .part("a", path: \.days, format: .iso8601.year().month().day()),
            ["\"a\"||1970-01-01", "\"a\"||1970-01-02"]
        ),
        (
            .part("a", path: \.days, format: .iso8601.year(), style: .commaSeparated),
            ["\"a\"||1970,1970"]
        ),
        (.part("a", path: \.maybeDays, format: .iso8601.year()), []),
        (
            .part("a", path: \.meta, encoding: .json),
            ["\"a\"|Content-Type: application/json||{\"width\":2}"]
        ),
        (.part("a", path: \.meta, encoding: .brackets), ["\"a[width]\"||2"]),
        (.part("a", path: \.maybeMeta, encoding: .json), []),
        (.partValue("a", value: 3), ["\"a\"||3"]),
        (.part("a", path: \.file), ["\"a\"; filename=\"f.txt\"|Content-Type: text/plain||f"]),
        (.part("a", path: \.maybeFile), []),
        (
            .part("a", path: \.files),
            [
                "\"a\"; filename=\"1\"|\(octets)||1", "\"a\"; filename=\"2\"|\(octets)||2",
            ]
        ),
        (.part("a", path: \.maybeFiles), []),
        (.part("a", path: \.data), ["\"a\"; filename=\"blob\"|\(octets)||\u{1}"]),
    ]

    @Test(
        "A declared part has the bytes of its value; a list repeats, and nil is left out",
        arguments: rows)
    func part(_ row: Row) throws {
        let upload = try #require(try Send().upload([row.parameter]))
        let text = String(decoding: try upload.data(), as: UTF8.self)
        let boundary = try #require(text.split(separator: "\r\n").last).dropLast(2)
        let parts = text.replacing("\r\n", with: "|")
            .components(separatedBy: "\(boundary)|Content-Disposition: form-data; name=")
        #expect(
            parts.dropFirst().map { $0.dropLast() }.map(String.init).joined(separator: "&")
                == (row.parts.isEmpty ? "" : row.parts.joined(separator: "&") + "|\(boundary)--"))
    }

    @Test("A list whose value has the separator is refused, as a part has no escapes")
    func separator() {
        var send = Send()
        send.list = ["1", "2,3|4 5"]
        let styles: [(ParameterStyle, String)] = [
            (.commaSeparated, ","), (.pipeSeparated, "|"), (.spaceSeparated, " "),
        ]
        for (style, separator) in styles {
            let error = #expect(throws: EndpointError.self) {
                try send.upload([.part("a", path: \.list, style: style)])
            }
            #expect(
                error?.reason == """
                    can't be written as text: a value has a \(separator.debugDescription), which also \
                    separates values; use another style
                    """)
        }
    }

    @Test(
        "The URL of a file is refused as a part, and another URL is sent as its text",
        arguments: [
            (
                "file:///a.png",
                "is the URL of a file; declare it as a File, so that the file is sent"
            ),
            ("https://h/a.png", nil),
        ] as [(String, String?)])
    func fileURL(text: String, reason: String?) throws {
        struct SendPhoto: FlatRequest {
            let photo: URL
            var maybe: URL?
            let caption = "file:///is/a/text"
            static let endpoint = Endpoint<Self>(
                method: .post, path: "a",
                parameters: [
                    .part("caption", path: \.caption), .part("maybe", path: \.maybe),
                    .part("photo", path: \.photo),
                ])
            typealias Response = Void
        }
        let address = try #require(URL(string: text))
        let web = try #require(URL(string: "https://h/"))
        for send in [SendPhoto(photo: address), SendPhoto(photo: web, maybe: address)] {
            var refusal: EndpointError?
            do { _ = try send.urlRequest(in: .production) } catch { refusal = error }
            #expect(refusal?.reason == reason)
        }
    }

    struct Unsent: FileRepresentable {
        struct Missing: LocalizedError { var errorDescription: String? { "there is no photo" } }
        var fileRepresentation: [File] { get throws { throw Missing() } }
    }

    @Test("A value that can't give its file is refused by the part's name")
    func noFile() {
        struct SendPhoto: FlatRequest {
            var photo = Unsent()
            static let endpoint = Endpoint<Self>(
                method: .post, path: "a", parameters: [.part("photo", path: \.photo)])
            typealias Response = Void
        }
        let error = #expect(throws: EndpointError.self) {
            try SendPhoto().urlRequest(in: .production)
        }
        #expect(
            error?.description
                == #"SendPhoto: the part "photo" can't be sent as a file: there is no photo"#)
    }

    @Test("Texts and files are sent in the order in which they are declared")
    func order() throws {
        let upload = try #require(
            try Send().upload([
                .part("x", path: \.file), .part("y", path: \.text), .part("x", path: \.data),
            ]))
        let text = String(decoding: try upload.data(), as: UTF8.self)
        let names = text.matches(of: /name="(x|y)"/).map { String($0.1) }
        #expect(names == ["x", "y", "x"])
    }

    @Test("A query item and a part are declared together")
    func query() throws {
        let endpoint = Endpoint<Send>(
            method: .post, path: "form",
            parameters: [.query("q", path: \.text), .part("a", path: \.list)])
        let request = try Send.$endpoint.withValue(endpoint) {
            try Send().urlRequest(in: .production)
        }
        #expect(request.url?.query == "q=a%20b")
        #expect(request.upload != nil)
        #expect(endpoint.problems.isEmpty)
    }

    struct WithBody: RequestType {
        typealias Response = Void
        let body: Multipart
        struct Parameters { let a: String }
        let parameters: Parameters
        static let endpoint = Endpoint<WithBody>(
            method: .post, path: "form", parameters: [.part("a", path: \.a)])
    }

    static let twice = "is declared twice; remove one, or declare one that sends an array"
    static let type =
        "doesn't name the boundary of the multipart body, so servers can't find its parts; "
        + "remove this header, and the library sets it"
    static let problems: [(Endpoint<Send>, [String], isError: Bool)] = [
        (
            Endpoint(method: .post, path: "f", parameters: [.part("", path: \.text)]),
            ["the part \"\" has an empty name, and servers drop such parts; choose a name"], true
        ),
        (
            Endpoint(method: .post, path: "f", parameters: [.part("a\\", path: \.file)]),
            [
                "the part \"a\\\\\" has a name ending in a backslash, and servers drop such parts; "
                    + "remove the backslash"
            ], true
        ),
        (
            Endpoint(
                method: .post, path: "f",
                parameters: [.part("a", path: \.text), .form("b", path: \.text)]),
            [
                "the part \"a\" can't be sent together with form fields; send them as parts"
            ],
            true
        ),
        (
            Endpoint(
                method: .post, path: "f",
                parameters: [.part("a", path: \.text), .part("a", path: \.file)]),
            ["the part \"a\" \(twice)"], false
        ),
        (
            Endpoint(method: .get, path: "f", parameters: [.part("a", path: \.text)]),
            ["the body is not sent with GET by URLSession; use POST, PUT or PATCH"], false
        ),
        (
            Endpoint(method: .post, path: "f", parameters: [.part("a", path: \.secret)]),
            [
                "the part \"a\" has Credentials or a Secret, but URLs and forms may be logged; send "
                    + #"it in a header, or declare a Secret in the path as \(secret:)"#
            ], true
        ),
        (
            Endpoint(
                method: .post, path: "f", parameters: [.part("a", path: \.text)],
                headers: [.contentType: "multipart/form-data"]),
            ["the header \"Content-Type\" \(type)"], true
        ),
        (
            Endpoint(
                method: .post, path: "f", parameters: [.part("a", path: \.text)],
                headers: [.contentType: nil]),
            ["the header \"Content-Type\" \(type)"], true
        ),
        (
            // Each request has a new boundary, so no constant can name it.
            Endpoint(
                method: .post, path: "f", parameters: [.part("a", path: \.text)],
                headers: [.contentType: "multipart/form-data; boundary=b"]),
            ["the header \"Content-Type\" \(type)"], true
        ),
    ]

    @Test(
        "Mistakes in declared parts are problems, and wrong ones are refused", arguments: problems)
    func problem(_ row: (Endpoint<Send>, [String], isError: Bool)) throws {
        #expect(row.0.problems.map(\.description) == row.1.map { "Send: \($0)" })
        let made = Send.$endpoint.withValue(row.0) {
            Result { try Send().urlRequest(in: .production) }
        }
        switch made {
        case .success: #expect(!row.isError)
        case .failure(let error): #expect("\(error)" == "Send: \(row.1[0])")
        }
    }

    @Test("A part together with a body is refused")
    func body() throws {
        let text =
            "WithBody: the part \"a\" can't be sent together with a Body; "
            + "remove the part or the Body"
        #expect(WithBody.endpoint.problems.map(\.description) == [text])
        let error = #expect(throws: EndpointError.self) {
            try WithBody(body: [], parameters: .init(a: "")).urlRequest(in: .production)
        }
        #expect(error?.description == text)
    }

    struct Common: FlatRequest {
        typealias Response = Void
        let a = "1"
        var commonHeaders: [Headers: String] { [.contentType: "application/json"] }
        static let endpoint = Endpoint<Common>(
            method: .post, path: "form", parameters: [.part("a", path: \.a)])
    }

    struct Own: FlatRequest {
        typealias Response = Void
        let type: String
        let body = Multipart([.text("a", "1")], boundary: "b")
        static let endpoint = Endpoint<Own>(
            method: .post, path: "form", headers: [.contentType: .field(path: \.type)])
    }

    @Test("A Content-Type of another layer is refused unless it names the body's boundary")
    func contentType() throws {
        let error = #expect(throws: EndpointError.self) {
            try Common().urlRequest(in: .production)
        }
        let type = Self.type.replacing("remove this header", with: "remove it from commonHeaders")
        #expect(error?.description == "Common: the header \"Content-Type\" \(type)")
        for type in [
            "multipart/mixed; boundary=b", "multipart/mixed;Boundary=\"b\"; x=1",
        ] {
            let request = try Own(type: type).urlRequest(in: .production)
            #expect(request.value(forHTTPHeaderField: "Content-Type") == type)
        }
        #expect(Own.endpoint.problems.isEmpty)
        for type in ["multipart/mixed; boundary=bc", "multipart/mixed; x=\"; boundary=b\""] {
            let error = #expect(throws: EndpointError.self) {
                try Own(type: type).urlRequest(in: .production)
            }
            #expect(error?.description == "Own: the header \"Content-Type\" \(Self.type)")
        }
    }
}
