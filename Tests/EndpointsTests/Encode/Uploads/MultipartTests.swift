import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Multipart bodies")
struct MultipartTests {
    struct Send: RequestType, Sendable {
        typealias Response = Void
        static let endpoint = Endpoint<Send>(method: .post, path: "form")
        let body: Multipart
        static var bodyEncoder: JSONEncoder {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return encoder
        }
    }

    /// The bytes of a body with the boundary `b`, with `|` for each line end.
    static func text(_ parts: [Multipart.Part]) throws -> String {
        let body = Multipart(parts, boundary: "b")
        let request = try Send(body: body).urlRequest(in: .production)
        #expect(
            request.value(forHTTPHeaderField: "Content-Type") == "multipart/form-data; boundary=b")
        let upload = try #require(request.upload)
        let data = try upload.data()
        #expect(try upload.contentLength == data.count)
        return String(decoding: data, as: UTF8.self).replacing("\r\n", with: "|")
    }

    static let start = "--b|Content-Disposition: form-data; name="
    typealias Row = (parts: [Multipart.Part], text: String)

    static let rows: [Row] = [
        ([], "--b--|"),
        ([.text("a", "1")], start + "\"a\"||1|--b--|"),
        ([.text("a", "")], start + "\"a\"|||--b--|"),
        (
            [.text("a", "1"), .text("a", "2")],
            start + "\"a\"||1|" + start + "\"a\"||2|--b--|"
        ),
        ([.text("a\"b", "\"")], start + "\"a%22b\"||\"|--b--|"),
        ([.text("a\r\nb\r\n", "x\ny")], start + "\"a%0D%0Ab%0D%0A\"||x\ny|--b--|"),
        // As browsers write names: each line break is CR LF.
        ([.text("a\nb\rc\r", "1")], start + "\"a%0D%0Ab%0D%0Ac%0D%0A\"||1|--b--|"),
        (
            [.text("\n\r\n\n\r\r", "1")],
            start + "\"" + String(repeating: "%0D%0A", count: 5) + "\"||1|--b--|"
        ),
        ([.text("a\\b%22;é", "é")], start + "\"a\\b%22;é\"||é|--b--|"),
        ([.text("\\a", "1")], start + "\"\\a\"||1|--b--|"),
        (
            [.data("f", Data("x".utf8))],
            start + "\"f\"; filename=\"blob\"|Content-Type: application/octet-stream||x|--b--|"
        ),
        (
            [.data("f", Data(), fileName: "a\"b\n.png")],
            start + "\"f\"; filename=\"a%22b%0A.png\"|Content-Type: image/png|||--b--|"
        ),
        (
            [.data("f", Data("1,2".utf8), fileName: "日本.txt", contentType: .csv)],
            start + "\"f\"; filename=\"日本.txt\"|Content-Type: text/csv||1,2|--b--|"
        ),
        (
            [.file("f", File(Data("x".utf8), name: "a.JPG"))],
            start + "\"f\"; filename=\"a.JPG\"|Content-Type: image/jpeg||x|--b--|"
        ),
        (
            [.value("v", ["c": 2, "a": 1])],
            start + "\"v\"|Content-Type: application/json||{\"a\":1,\"c\":2}|--b--|"
        ),
    ]

    @Test("A multipart body has the bytes that browsers send", arguments: rows)
    func bytes(_ row: Row) throws {
        #expect(try Self.text(row.parts) == row.text)
    }

    @Test("A file on disk is a part with its name, type and bytes")
    func file() throws {
        let file = try TemporaryFile(Data("sea".utf8), name: "a b.html")
        let text = try Self.text([.text("a", "1"), .file("f", File(file.url)), .text("z", "2")])
        #expect(
            text == Self.start + "\"a\"||1|" + Self.start
                + "\"f\"; filename=\"a b.html\"|Content-Type: text/html||sea|" + Self.start
                + "\"z\"||2|--b--|")
    }

    @Test("Parts of any size are put together in their order")
    func sizes() throws {
        let sizes = [0, 1, 65_535, 65_536, 65_537, 200_000]
        let parts = sizes.map { size in
            Multipart.Part.data("\(size)", Data(repeating: 0x61, count: size))
        }
        let head = "\"; filename=\"blob\"|Content-Type: application/octet-stream||"
        let expected = sizes.map { size in
            "\(Self.start)\"\(size)\(head)\(String(repeating: "a", count: size))|"
        }
        #expect(try Self.text(parts) == expected.joined() + "--b--|")
    }

    @Test("The default boundary is random, and the body's Content-Type names it")
    func boundary() throws {
        let bodies: [Multipart] = [[.text("a", "1")], [.text("a", "1")]]
        #expect(bodies[0].boundary != bodies[1].boundary)
        for body in bodies {
            let request = try Send(body: body).urlRequest(in: .production)
            #expect(body.boundary.utf8.count == 32)
            let type = request.value(forHTTPHeaderField: "Content-Type")
            #expect(type == "multipart/form-data; boundary=\(body.boundary)")
            let data = try #require(try request.upload?.data())
            #expect(data.starts(with: Data("--\(body.boundary)\r\n".utf8)))
        }
    }

    static let long = String(repeating: "b", count: 71)
    static let refusals: [(Multipart, String)] = [
        (
            [.text("", "1")],
            "the part \"\" has an empty name, and servers drop such parts; choose a name"
        ),
        (
            [.text("a", "1"), .text("a\\", "1")],
            "the part \"a\\\\\" has a name ending in a backslash, and servers drop such parts; "
                + "remove the backslash"
        ),
        (
            [.data("f", Data(), fileName: "")],
            "the part \"f\" has a file with an empty name, and servers drop such parts; "
                + "choose a name"
        ),
        (
            [.data("f", Data(), fileName: "C:\\")],
            "the part \"f\" has a file with a name ending in a backslash, and servers drop such "
                + "parts; remove the backslash"
        ),
        (
            [.data("f", Data(), contentType: "a/b\r\nX-Evil: 1")],
            "the part \"f\" has a media type that has a control character, such as a line break; "
                + "remove it"
        ),
        (
            [.value("v", Double.nan)],
            "the part \"v\" could not be encoded: the number at the top is not finite; use a finite one, or an encoder that writes it"
        ),
        (
            Multipart([.text("a", "x--b")], boundary: "b"),
            "the part \"a\" has the boundary in its content; choose another boundary"
        ),
        (
            Multipart([], boundary: ""),
            "the body has an invalid boundary; use 1 to 70 letters, digits, `-` and `_`"
        ),
        (
            Multipart([], boundary: "a b"),
            "the body has an invalid boundary; use 1 to 70 letters, digits, `-` and `_`"
        ),
        (
            Multipart([], boundary: long),
            "the body has an invalid boundary; use 1 to 70 letters, digits, `-` and `_`"
        ),
    ]

    @Test(
        "A part that servers would lose, or that would break the body, is refused",
        arguments: refusals)
    func refusal(body: Multipart, text: String) throws {
        let error = #expect(throws: EndpointError.self) {
            try Send(body: body).urlRequest(in: .production)
        }
        #expect(error?.description == "Send: \(text)")
    }

    @Test("A boundary of 70 characters is accepted, and is in the body and its type")
    func longBoundary() throws {
        let boundary = String(repeating: "-", count: 70)
        let body = Multipart([.text("a", "1")], boundary: boundary)
        let request = try Send(body: body).urlRequest(in: .production)
        let data = try #require(try request.upload?.data())
        #expect(data.starts(with: Data("--\(boundary)\r\n".utf8)))
        #expect(data.suffix(76) == Data("--\(boundary)--\r\n".utf8))
    }
}
