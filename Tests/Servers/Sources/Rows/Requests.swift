import Endpoints
import EndpointsStreams
import Foundation

/// Gets a body as it is, with the headers that a row is about.
struct Get: FlatRequest, Sendable {
    let path: String
    var accept: String?
    var coding: String?
    var language: String?
    var range: String?
    var ifRange: String?
    var ifNoneMatch: String?
    var long: String?

    init(_ path: String) { self.path = path }

    static let endpoint = Endpoint<Get>(
        method: .get, path: "\(segments: \.path)",
        headers: [
            .accept: .field(path: \.accept), .acceptEncoding: .field(path: \.coding),
            .acceptLanguage: .field(path: \.language), .range: .field(path: \.range),
            .ifRange: .field(path: \.ifRange), .ifNoneMatch: .field(path: \.ifNoneMatch),
            "X-Long": .field(path: \.long),
        ])
    typealias Response = WithHTTPResponse<Data>

    func with(_ change: (inout Get) -> Void) -> Get {
        var request = self
        change(&request)
        return request
    }
}

/// A request whose response is a text.
protocol TextRequest: FlatRequest, Sendable
where Response == WithHTTPResponse<String>, Environment == ServerEnvironment {}

struct GetText: TextRequest {
    let path: String
    var language: String?
    var own: String?

    init(_ path: String, language: String? = nil, own: String? = nil) {
        self.path = path
        self.language = language
        self.own = own
    }

    static let endpoint = Endpoint<GetText>(
        method: .get, path: "\(segments: \.path)",
        headers: [.acceptLanguage: .field(path: \.language), "X-Foo": .field(path: \.own)])
}

/// Gets JSON.
struct GetThing: FlatRequest, Sendable {
    static let endpoint = Endpoint<GetThing>(method: .get, path: "thing.json")
    struct Response: Decodable, Sendable {
        let ok: Bool
    }
}

struct Head: FlatRequest, Sendable {
    let path: String
    var coding: String?

    init(_ path: String, coding: String? = nil) {
        self.path = path
        self.coding = coding
    }

    static let endpoint = Endpoint<Head>(
        method: .head, path: "\(segments: \.path)",
        headers: [.acceptEncoding: .field(path: \.coding)])
    typealias Response = WithHTTPResponse<Void>
}

struct Delete: FlatRequest, Sendable {
    let path: String
    init(_ path: String) { self.path = path }
    static let endpoint = Endpoint<Delete>(method: .delete, path: "\(segments: \.path)")
    typealias Response = WithHTTPResponse<Void>
}

/// Sends bytes from memory.
struct Post: TextRequest {
    let path: String
    let body: Data
    var expect: String?

    init(_ path: String, bytes count: Int = 11, expect: String? = nil) {
        self.path = path
        self.expect = expect
        body = Data(repeating: 0x61, count: count)
    }

    static let endpoint = Endpoint<Post>(
        method: .post, path: "\(segments: \.path)", headers: [.expect: .field(path: \.expect)])
}

/// Sends a file.
struct Upload: TextRequest {
    let path: String
    let body: File
    static let endpoint = Endpoint<Upload>(method: .put, path: "\(segments: \.path)")
}

/// Sends a form with a file.
struct PostForm: TextRequest {
    let path: String
    let file: File
    var title = "large"
    static let endpoint = Endpoint<PostForm>(
        method: .post, path: "\(segments: \.path)",
        parameters: [.part("title", path: \.title), .part("file", path: \.file)])
}

/// Gets a body as it arrives.
struct GetStream: FlatRequest, Sendable {
    let path: String
    init(_ path: String) { self.path = path }
    static let endpoint = Endpoint<GetStream>(method: .get, path: "\(segments: \.path)")
    typealias Response = ByteStream
}

/// A file of the letter a, which is removed when this is released.
final class TemporaryFile: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("servers-\(UUID().uuidString)")

    init(bytes count: Int) throws { try Data(repeating: 0x61, count: count).write(to: url) }

    deinit { try? FileManager.default.removeItem(at: url) }
}
