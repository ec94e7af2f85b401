import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Files as bodies")
struct FileTests {
    struct Put<Body: Encodable & Sendable>: RequestType, Sendable {
        typealias Response = Void
        let body: Body
        static var endpoint: Endpoint<Self> { .once(Endpoint(method: .put, path: "file")) }
    }

    @Test(
        "A file's type is that of its extension, in any case, unless it is given",
        arguments: [
            (File(URL(fileURLWithPath: "/a/b.png")), "image/png"),
            (File(URL(fileURLWithPath: "/a/b.tar.GZ")), "application/gzip"),
            (File(URL(fileURLWithPath: "/a.png/b")), "application/octet-stream"),
            (File(URL(fileURLWithPath: "/a/png")), "application/octet-stream"),
            (File(URL(fileURLWithPath: "/a/b.xyz")), "application/octet-stream"),
            (File(URL(fileURLWithPath: "/a/b.")), "application/octet-stream"),
            (File(URL(fileURLWithPath: "/a/b.png"), contentType: .pdf), "application/pdf"),
            (File(URL(fileURLWithPath: "/a/b.tmp"), name: "c.svg"), "image/svg+xml"),
            (File(Data()), "application/octet-stream"), (File(Data(), name: "a.json"), .json),
        ] as [(File, MIMEType)])
    func type(file: File, type: MIMEType) throws {
        #expect(file.contentType == type)
        let request = try Put(body: file).urlRequest(in: .production)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == type.rawValue)
        let optional = try Put(body: File?.some(file)).urlRequest(in: .production)
        #expect(optional.value(forHTTPHeaderField: "Content-Type") == type.rawValue)
    }

    @Test(
        "A file whose media type can't be one is refused, as a body and as a part",
        arguments: ["", " ", "png", "/png", "image/"] as [MIMEType])
    func wrongType(type: MIMEType) throws {
        let file = File(Data("x".utf8), contentType: type)
        let reason =
            "has the media type \"\(type.rawValue)\"; write one such as `image/png`"
        let body = #expect(throws: EndpointError.self) {
            try Put(body: file).urlRequest(in: .production)
        }
        #expect(body?.field == .body && body?.reason == reason)
        let part = #expect(throws: EndpointError.self) {
            try Put(body: [.file("a", file)] as Multipart).urlRequest(in: .production)
        }
        #expect(part?.field == .part("a") && part?.reason == reason)
    }

    #if os(Linux)
        @Test(
            "A file whose size isn't known is refused, and an empty file is sent",
            arguments: ["/proc/self/status", "/proc/cpuinfo"])
        func unknownSize(path: String) throws {
            let url = URL(fileURLWithPath: path)
            let error = #expect(throws: FileError.self) { try Upload([.file(url)]).contentLength }
            #expect(error?.kind == .notAFile)
            let empty = FileManager.default.temporaryDirectory
                .appendingPathComponent(UUID().uuidString)
            try Data().write(to: empty)
            defer { try? FileManager.default.removeItem(at: empty) }
            #expect(try Upload([.file(empty)]).contentLength == 0)
        }
    #endif

    @Test("A processor finds a file not in httpBody, but in the upload")
    func processed() throws {
        let data = Data("12345".utf8)
        let server = ServerEnvironment(
            baseUrl: ServerEnvironment.production.baseUrl,
            requestProcessor: { request in
                let (body, upload) = (request.httpBody, try request.upload?.data())
                request.setValue(
                    "\(body?.count ?? -1) \(upload?.count ?? -1)", forHTTPHeaderField: "X-Seen")
            })
        let seen = [
            try Put(body: File(data)).urlRequest(in: server),
            try Put(body: data).urlRequest(in: server),
        ].map { $0.value(forHTTPHeaderField: "X-Seen") }
        #expect(seen == ["-1 5", "5 -1"])
    }

    @Test("A request of a file is made without reading the file, and nil is no body")
    func lazy() throws {
        let missing = URL(fileURLWithPath: "/nowhere/a.png")
        let request = try Put(body: File(missing)).urlRequest(in: .production)
        #expect(request.upload?.pieces == [.file(missing)])
        #expect(request.httpBody == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Length") == nil)
        #expect(try Put(body: File?.none).urlRequest(in: .production).upload == nil)
    }

    @Test("A file or a multipart inside another value is refused in words")
    func nested() {
        let file = #expect(throws: EndpointError.self) {
            try Put(body: ["a": File(Data())]).urlRequest(in: .production)
        }
        #expect(
            file?.reason == "could not be encoded: a File can't be written by an encoder; "
                + "send it as the whole body, as a `.part(…)` without `encoding:`, or as a `.file(…)` "
                + "in a Multipart")
        let multipart = #expect(throws: EndpointError.self) {
            try Put(body: [Multipart([])]).urlRequest(in: .production)
        }
        #expect(
            multipart?.reason
                == "could not be encoded: a Multipart can't be inside another value; send it as the body"
        )
    }

    struct Misnamed: FlatRequest {
        typealias Response = Void
        let file: File
        static let endpoint = Endpoint<Self>(method: .put, path: "file")
    }

    @Test("A URL as the body, and a file that isn't called `body`, are problems")
    func nearMisses() throws {
        let text = "is a URL, whose text is sent; to send the file at the URL, use a File"
        let url = URL(fileURLWithPath: "/a.png")
        #expect(Put<URL>.endpoint.problems.map(\.reason) == [text])
        #expect(Put<URL?>.endpoint.problems.map(\.reason) == [text])
        #expect(Put<File>.endpoint.problems.isEmpty)
        #expect(Put<Multipart?>.endpoint.problems.isEmpty)
        let problems = Misnamed(file: File(url)).problems.map(\.reason)
        #expect(problems.first?.contains("if it is the body, call it `body`") == true)
    }

    @Test("A hook can read the upload, replace it and remove it")
    func hook() throws {
        var request = try Put(body: File(Data("a".utf8))).urlRequest(in: .production)
        #expect(try request.upload?.data() == Data("a".utf8))
        request.upload = Upload([.data(Data("b".utf8))])
        #expect(try request.upload?.data() == Data("b".utf8))
        request.upload = nil
        #expect(request.upload == nil)
        #expect(request.httpBodyStream == nil)
        request.httpBody = Data("c".utf8)
        request.upload = nil
        #expect(request.httpBody == Data("c".utf8))
    }
}
