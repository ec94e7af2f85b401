import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Uploads at a server", .needsServers, .timeLimit(.minutes(5)))
struct UploadTests {
    struct Put<Body: Encodable & Sendable>: RequestType, Sendable {
        let body: Body
        static var endpoint: Endpoint<Self> { .once(Endpoint(method: .put, path: "upload")) }
        typealias Response = Recorded
    }

    struct Post: FlatRequest, Sendable {
        let title: String
        let tags: [String]
        let note: String?
        let photo: File
        let more: [File]
        let extra: Data?
        let meta: Meta

        struct Meta: Codable, Equatable { let width: Int }

        static let endpoint = Endpoint<Post>(
            method: .post, path: "post",
            parameters: [
                .part("title", path: \.title), .part("tag", path: \.tags),
                .part("note", path: \.note), .part("photo", path: \.photo),
                .part("more", path: \.more), .part("extra", path: \.extra),
                .part("meta", path: \.meta, encoding: .json), .partValue("v", value: 3),
            ])
        struct Response: Decodable {
            let form: [String: Anything.Values]
            let files: [String: Anything.Values]
        }
    }

    @Test(
        "A file on disk arrives whole, with one framing, its length and its type",
        arguments: Way.all)
    func file(way: Way) async throws {
        let file = try TemporaryFile(count: 300_001, name: "a.PNG")
        let recorded = try await way.load(
            Put(body: File(file.url)), in: Server.recorder.environment)
        #expect(recorded.bytes == (try Data(contentsOf: file.url)))
        #expect(recorded.values(of: "Content-Length") == ["300001"])
        #expect(recorded.values(of: "Content-Type") == ["image/png"])
        #expect(recorded.values(of: "Transfer-Encoding") == [])
        #expect(recorded.values(of: "Expect") == [])
    }

    @Test("An empty file arrives as an empty body", arguments: Way.all)
    func empty(way: Way) async throws {
        let file = try TemporaryFile(Data(), name: "a.csv")
        let recorded = try await way.load(
            Put(body: File(file.url)), in: Server.recorder.environment)
        #expect(recorded.bytes == Data())
        #expect(recorded.values(of: "Content-Length") == ["0"])
        #expect(recorded.values(of: "Content-Type") == ["text/csv"])
    }

    @Test("An optional file that is nil is no body", arguments: Way.all)
    func absent(way: Way) async throws {
        let recorded = try await way.load(
            Put(body: File?.none), in: Server.recorder.environment)
        #expect(recorded.bytes == Data())
        #expect(recorded.values(of: "Content-Type") == [])
    }

    @Test("Declared parts are read by httpbin as fields and files")
    func parts() async throws {
        let file = try TemporaryFile(Data("sea".utf8), name: "sea.txt")
        let response = try await Server.httpbin.response(
            to: Post(
                title: "é \"q\"", tags: ["a", "b"], note: nil, photo: File(file.url),
                more: [File(Data("1".utf8), name: "1.txt"), File(Data("2".utf8), name: "2.txt")],
                extra: Data([0, 255]), meta: .init(width: 2)))
        #expect(
            response.form == [
                "title": "é \"q\"", "tag": ["a", "b"], "meta": #"{"width":2}"#, "v": "3",
            ])
        #expect(
            response.files == [
                // httpbin shows the first of several files.
                "photo": "sea", "more": "1",
                "extra": "data:application/octet-stream;base64,AP8=",
            ])
    }
}
