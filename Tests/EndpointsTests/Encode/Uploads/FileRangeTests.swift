import Endpoints
import EndpointsMiddleware
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Parts of files as bodies")
final class FileRangeTests {
    struct Put<Body: Encodable & Sendable>: RequestType, Sendable {
        typealias Response = Void
        let body: Body
        static var endpoint: Endpoint<Self> { .once(Endpoint(method: .put, path: "file")) }
    }

    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("\(UUID().uuidString).mp4")
    let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256) })

    init() throws { try bytes.write(to: url) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func request(_ body: some Encodable & Sendable) throws -> URLRequest {
        let server = ServerEnvironment(baseUrl: try #require(URL(string: "https://example.com")))
        return try Put(body: body).urlRequest(in: server)
    }

    @Test(
        "A part of a file is sent with its own length and the file's type",
        arguments: [
            0..<0, 0..<1, 0..<200_000, 1..<200_000, 65_535..<65_537, 100..<131_172,
            199_999..<200_000, 200_000..<200_000,
        ] as [Range<Int64>])
    func part(range: Range<Int64>) async throws {
        let request = try request(File(url, range: range))
        let expected = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        let upload = try #require(request.upload)
        #expect(upload.pieces == [.range(url, range)])
        #expect(try upload.contentLength == range.count)
        #expect(try upload.data() == expected)
        for _ in 0..<2 {
            var read = Data()
            for try await chunk in try upload.chunks() { read += chunk }
            #expect(read == expected)
        }
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "video/mp4")
    }

    @Test(
        "A part beyond the file's end is an error before anything is sent",
        arguments: [0..<200_001, 200_001..<200_002, -1..<5, (.max - 1)..<(.max)] as [Range<Int64>])
    func beyond(range: Range<Int64>) throws {
        let upload = try #require(try request(File(url, range: range)).upload)
        let error = #expect(throws: FileError.self) { try upload.contentLength }
        #expect(
            error?.description
                == "the file ends before the part to send does; choose a `range` within the file")
    }

    @Test("A file may grow while a part of it is sent, but not shrink")
    func changes() async throws {
        let upload = try #require(try request(File(url, range: 10..<150_000)).upload)
        let chunks = try upload.chunks()
        try (bytes + [1]).write(to: url)
        var read = Data()
        for try await chunk in chunks { read += chunk }
        #expect(read == bytes[10..<150_000])
        try bytes.prefix(149_999).write(to: url)
        let error = await #expect(throws: FileError.self) {
            for try await _ in chunks {}
        }
        #expect(error?.kind == .changed)
    }

    @Test("A part of a file can be a part of a form")
    func form() throws {
        let form = Multipart(
            [.file("a", File(url, range: 5..<8)), .text("b", "c")], boundary: "x")
        let data = try #require(try request(form).upload).data()
        let expected =
            Data(
                """
                --x\r\nContent-Disposition: form-data; name="a"; filename="\(url.lastPathComponent)"\r
                Content-Type: video/mp4\r\n\r\n
                """.utf8) + bytes[5..<8]
            + Data(
                "\r\n--x\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nc\r\n--x--\r\n".utf8)
        #expect(data == expected)
    }

    @Test("A curl command sends the part of the file")
    func curl() throws {
        let server = ServerEnvironment(baseUrl: try #require(URL(string: "https://example.com")))
        let text = try Put(body: File(url, range: 5..<8)).curl(in: server)
        #expect(text.contains("tail -c +6 '\(url.path)' | head -c 3 | curl"))
    }
}
