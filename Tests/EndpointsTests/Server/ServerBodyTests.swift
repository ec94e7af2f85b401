import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Bodies at a server", .needsServers)
struct ServerBodyTests {
    /// A request with a body of any type, for the recorder.
    struct Post<Body: Encodable>: RequestType {
        let body: Body
        static var endpoint: Endpoint<Self> { Endpoint(method: .post, path: "body") }
        typealias Response = Recorded
    }

    struct Note: Codable, Equatable {
        var text: String
        var tags: [String]
        var stars: Int?
        var price: Double
    }

    @Test("A JSON body arrives at the server as the value that was sent", arguments: Texts.all)
    func json(text: String) async throws {
        let note = Note(text: text, tags: [text, ""], stars: nil, price: 0.1)
        let recorded = try await Server.recorder.response(to: Post(body: note))
        let bytes = try #require(recorded.bytes)
        #expect(try JSONDecoder().decode(Note.self, from: bytes) == note)
        #expect(recorded.values(of: "Content-Type") == ["application/json"])
        #expect(recorded.values(of: "Content-Length") == ["\(bytes.count)"])
    }

    @Test("A JSON body is read by httpbin")
    func jsonAtHttpbin() async throws {
        struct Put: RequestType {
            let body: Note
            static let endpoint = Endpoint<Put>(method: .put, path: "put")
            struct Response: Decodable { let json: Note }
        }
        let note = Note(text: "“é” / \u{1F355}", tags: ["a"], stars: 5, price: 1e-7)
        #expect(try await Server.httpbin.response(to: Put(body: note)).json == note)
    }

    @Test("A body of Data or String arrives as it is, and nil as no body")
    func raw() async throws {
        let bytes = Data((0...255).map { UInt8($0) })
        let data = try await Server.recorder.response(to: Post(body: bytes))
        #expect(data.bytes == bytes)
        #expect(data.values(of: "Content-Type") == ["application/octet-stream"])
        let text = try await Server.recorder.response(to: Post(body: "a\r\né\u{0}"))
        #expect(text.body == "a\r\né\u{0}")
        #expect(text.values(of: "Content-Type") == ["text/plain; charset=utf-8"])
        let nothing = try await Server.recorder.response(to: Post(body: Note?.none))
        #expect(nothing.body == "")
        #expect(nothing.values(of: "Content-Length") == ["0"])
        let empty = try await Server.recorder.response(to: Post(body: ""))
        #expect(empty.body == "")
    }

    @Test("A body of a megabyte is sent and received whole", arguments: [1_000_000, 1 << 20])
    func large(count: Int) async throws {
        struct Echo: RequestType {
            let body: Data
            static let endpoint = Endpoint<Echo>(method: .post, path: "post")
            struct Response: Decodable { let data: String }
        }
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 251) })
        let recorded = try await Server.recorder.response(to: Post(body: bytes))
        #expect(recorded.bytes == bytes)
        let echoed = try await Server.httpbin.response(to: Echo(body: bytes)).data
        #expect(echoed == "data:application/octet-stream;base64,\(bytes.base64EncodedString())")
    }

    @Test("A response of 100 kB is received whole, with and without a length")
    func download() async throws {
        struct GetBytes: FlatRequest {
            let path: String
            let count: Int
            static let endpoint = Endpoint<GetBytes>(
                method: .get, path: "\(path: \.path)/\(path: \.count)")
            typealias Response = Data
        }
        let letters = try await Server.httpbin.response(to: GetBytes(path: "range", count: 100_000))
        let chunked = try await Server.httpbin.response(
            to: GetBytes(path: "stream-bytes", count: 100_000))
        #expect(letters == Data((0..<100_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }))
        #expect(chunked.count == 100_000)
    }

    @Test("A compressed response is decompressed", arguments: ["gzip", "deflate"])
    func compressed(coding: String) async throws {
        struct GetCompressed: FlatRequest {
            let coding: String
            static let endpoint = Endpoint<GetCompressed>(method: .get, path: "\(path: \.coding)")
            typealias Response = WithHTTPResponse<[String: Value]>
            enum Value: Decodable {
                case flag(Bool), other
                init(from decoder: any Decoder) throws {
                    let flag = try? decoder.singleValueContainer().decode(Bool.self)
                    self = flag.map(Value.flag) ?? .other
                }
            }
        }
        let response = try await Server.httpbin.response(to: GetCompressed(coding: coding))
        let flag = response.value[coding == "gzip" ? "gzipped" : "deflated"]
        guard case .flag(true) = flag else {
            Issue.record("\(response.value)")
            return
        }
    }

    @Test("A response in UTF-8 is read as text")
    func utf8() async throws {
        struct GetText: RequestType {
            static let endpoint = Endpoint<GetText>(method: .get, path: "encoding/utf8")
            typealias Response = String
        }
        let text = try await Server.httpbin.response(to: GetText())
        #expect(text.contains("∮ E⋅da = Q,  n → ∞, ∑ f(i) = ∏ g(i)"))
        #expect(text.contains("ሰማይ አይታረስ ንጉሥ አይከሰስ።"))
    }

    @Test("A response that arrives slowly is read to its end")
    func drip() async throws {
        struct Drip: FlatRequest {
            let bytes: Int
            static let endpoint = Endpoint<Drip>(
                method: .get, path: "drip",
                parameters: [
                    .query("numbytes", path: \.bytes), .queryValue("duration", value: 0.2),
                    .queryValue("code", value: 201),
                ])
            typealias Response = WithHTTPResponse<String>
        }
        let response = try await Server.httpbin.response(to: Drip(bytes: 20))
        #expect(response.value == String(repeating: "*", count: 20))
        #expect(response.httpResponse.statusCode == 201)
    }

    @Test("A response in HTML, PNG or JSON is read as its declared type")
    func others() async throws {
        struct Get<Value: Decodable>: RequestType {
            typealias Response = Value
            struct PathComponents { let name: String }
            let pathComponents: PathComponents
            static var endpoint: Endpoint<Self> {
                Endpoint(method: .get, path: "\(segments: \.name)")
            }
        }
        let page = try await Server.httpbin.response(
            to: Get<String>(pathComponents: .init(name: "html")))
        #expect(page.contains("Herman Melville"))
        let image = try await Server.httpbin.response(
            to: Get<Data>(pathComponents: .init(name: "image/png")))
        #expect(image.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let id = try await Server.httpbin.response(
            to: Get<[String: UUID]>(pathComponents: .init(name: "uuid")))
        #expect(id.keys.sorted() == ["uuid"])
    }
}
