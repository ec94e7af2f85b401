import Endpoints
import EndpointsTesting
import Foundation
import Testing

@Suite("Media types in declared headers")
struct MediaTypeProblemTests {
    static let accept: [String] = [
        "application/json", "*/*", "text/*", "text/html, application/xml;q=0.9,*/*;q=0.8",
        "text/html;level=1;q=0.5", #"a/b; c="d, e/f;g""#, "application/vnd.github+json", "",
        "application/json;", "a/b, ", #"a/b;c="\"""#, "a/b ; c=d",
    ]

    @Test("A list of media types in Accept has no problem", arguments: accept)
    func list(_ value: String) {
        let problems = problems(.accept, value)
        #expect(problems == (value.isEmpty || value.hasSuffix(", ") ? [Self.text("Accept")] : []))
    }

    static let types = [
        "application/json", "text/plain; charset=utf-8", #"multipart/form-data; boundary="a b""#,
        "application/merge-patch+json",
    ]

    @Test("A media type in Content-Type has no problem", arguments: types)
    func type(_ value: String) {
        #expect(problems(.contentType, value) == [])
    }

    static let broken = [
        "json", "application", "application/", "/json", "application/json/x", "a b/c",
        "text/plain; charset", "text/plain; =utf-8", "text/plain; charset=", "a/b; c=d e",
        #"a/b; c="d"#, #"a/b; c="d"e"#, "application/json charset=utf-8", "é/b",
    ]

    @Test(
        "A value that is not a media type is a problem in Accept and Content-Type, but is sent",
        arguments: broken)
    func suspicion(_ value: String) throws {
        #expect(problems(.contentType, value) == [Self.text("Content-Type")])
        #expect(problems("ACCEPT", value) == [Self.text("ACCEPT")])
        #expect(problems(.accept, "a/b, " + value) == [Self.text("Accept")])
        let endpoint = Endpoint<Probe>(
            method: .get, path: "a", headers: [.accept: .fieldValue(value: value)])
        let request = try Probe().urlRequest(of: endpoint)
        #expect(request.value(forHTTPHeaderField: "Accept") == value)
    }

    @Test(
        "A list of media types is a problem in Content-Type, and another header may hold anything")
    func others() {
        #expect(problems(.contentType, "a/b, c/d") == [Self.text("Content-Type")])
        #expect(problems("X-Type", "json") == [])
    }

    private func problems(_ name: Headers, _ value: String) -> [String] {
        Endpoint<Probe>(method: .get, path: "a", headers: [name: .fieldValue(value: value)])
            .problems.map(\.description)
    }

    private static func text(_ name: String) -> String {
        #"Probe: the header "\#(name)" has an invalid media type; "#
            + "write one such as `application/json`"
    }

    struct Encoder: EncoderType {
        @TaskLocal static var type: MIMEType?
        var contentType: MIMEType? { Self.type }
        func encode<Value: Encodable>(_ value: Value) throws -> Data { Data() }
    }

    struct Post<Body: Encodable>: RequestType {
        static var endpoint: Endpoint<Self> { Endpoint(method: .post, path: "a") }
        static var bodyEncoder: Encoder { Encoder() }
        typealias Response = Void
        let body: Body
    }

    static let control = "has a control character, such as a line break; remove it"
    static let none = "has an invalid media type; write one such as `application/json`"

    @Test(
        "An encoder's malformed content type is a problem, also if the body is optional",
        arguments: [
            ("a/b\n", control, control), ("json", none, none), ("a/b", "", ""), (nil, "", ""),
        ] as [(MIMEType?, String, String)])
    func encoder(_ type: MIMEType?, _ reason: String, _ optional: String) {
        Encoder.$type.withValue(type) {
            #expect(Post<Int>.endpoint.problems.map(\.reason).joined() == reason)
            #expect(Post<Int?>.endpoint.problems.map(\.reason).joined() == optional)
            #expect(Post<Data??>.endpoint.problems.map(\.reason).joined() == optional)
            #expect(Post<Data?>.endpoint.problems.map(\.reason).joined() == "")
        }
    }
}
