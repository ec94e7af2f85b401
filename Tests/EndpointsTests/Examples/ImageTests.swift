import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A picture's size, read from its first bytes.
struct Picture: Equatable {
    let width: Int
    let height: Int

    struct ImageError: Error {}

    /// - Throws: `ImageError` if it isn't a PNG (RFC 2083, section 11.2.1).
    init(png data: Data) throws {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        guard data.starts(with: signature), data.count >= 24 else { throw ImageError() }
        func number(at offset: Int) -> Int {
            data.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        (width, height) = (number(at: 16), number(at: 20))
    }
}

/// A request whose response is a picture.
protocol PictureRequest: RequestType where Response == Picture {}

extension PictureRequest {
    var commonHeaders: [Headers: MIMEType] { [.accept: .png] }

    static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Picture {
        try Picture(png: data)
    }
}

struct GetAvatar: PictureRequest, FlatRequest {
    let user: String
    static let endpoint = Endpoint<GetAvatar>(method: .get, path: "avatars/\(path: \.user)")
}

struct GetPicture: PictureRequest {
    static let endpoint = Endpoint<GetPicture>(method: .get, path: "image/png")
}

@Suite("Custom parser")
struct ImageTests {
    private let png = Data(
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
            + [0, 0, 1, 0x2C, 0, 0, 0, 0xC8])

    @Test("A custom response(data:httpResponse:) can be tested without a network")
    func parse() throws {
        let head = try CannedResponse().httpResponse
        #expect(try GetAvatar.response(data: png, httpResponse: head) == Picture(png: png))
        #expect(try GetAvatar.response(data: png, httpResponse: head).width == 300)
        #expect(throws: Picture.ImageError.self) {
            try GetAvatar.response(data: Data(), httpResponse: head)
        }
        #expect(throws: Picture.ImageError.self) {
            try GetAvatar.response(data: Data("<html>".utf8), httpResponse: head)
        }
    }

    @Test("An error that a custom parser throws is kept as the cause")
    func failure() throws {
        let error = try CannedResponse(200, "<html>").error(of: GetAvatar.self)
        guard case .responseParseError(_, Data("<html>".utf8), let cause) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(cause.cause is Picture.ImageError)
        #expect("\(cause)" == "GetAvatar: ImageError was thrown")
    }

    @Test(
        "A house's Accept is sent for its custom parser, and a server's image is read",
        .needsServers)
    func load() async throws {
        let request = try GetAvatar(user: "ann").urlRequest(in: .production)
        #expect(request.value(forHTTPHeaderField: "Accept") == "image/png")
        #expect(try await Server.httpbin.response(to: GetPicture()).width == 100)
    }
}
