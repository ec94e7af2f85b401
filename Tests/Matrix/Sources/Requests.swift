import Endpoints
import EndpointsStreams
import Foundation

/// What a request sends.
protocol Content: SendableMetatype {
    associatedtype Body: Encodable & Sendable
    static var method: HTTPMethod { get }
    static var body: Body { get }
    static var hasForm: Bool { get }
}

extension Content {
    static var hasForm: Bool { false }
}

enum NoContent: Content {
    static var method: HTTPMethod { .get }
    static var body: EmptyResponse { EmptyResponse() }
}

enum DataContent: Content {
    static var method: HTTPMethod { .put }
    static var body: Data { Data(repeating: 7, count: 100) }
}

enum FormContent: Content {
    static var method: HTTPMethod { .post }
    static var body: EmptyResponse { EmptyResponse() }
    static var hasForm: Bool { true }
}

enum FileContent: Content {
    static var method: HTTPMethod { .put }
    static var body: File { File(Scratch.upload) }
}

enum PartsContent: Content {
    static var method: HTTPMethod { .post }
    static var body: Multipart { [.text("title", "Sea"), .file("photo", File(Scratch.upload))] }
}

/// A value that a server sends: whole, on a line, or in an event.
struct Item: Codable, Sendable, Equatable {
    let text: String
}

/// One page: its items, and the cursor of the next one.
struct Page: Codable, Sendable {
    let items: [Item]
    let next: String?
}

/// What a server says is wrong.
struct Problem: Codable, Sendable {
    let code: String
}

/// A request of the matrix. The server tells the loads of a case apart by the number.
protocol MatrixRequest: FlatRequest, Sendable where ErrorResponse == Problem, Body == Sent.Body {
    associatedtype Sent: Content
    var number: Int { get set }
    var word: String { get }
    init(number: Int)
}

/// Makes each request's endpoint once, as a `static let` does: a generic type can't have one.
enum MadeEndpoints {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var made: [ObjectIdentifier: Any] = [:]

    static func endpoint<Request>(_ make: () -> Endpoint<Request>) -> Endpoint<Request> {
        lock.withLock {
            let key = ObjectIdentifier(Request.self)
            if let endpoint = made[key] as? Endpoint<Request> { return endpoint }
            let endpoint = make()
            made[key] = endpoint
            return endpoint
        }
    }
}

extension MatrixRequest {
    var word: String { "sea" }
    var body: Sent.Body { Sent.body }

    static func endpoint(_ kind: Kind) -> Endpoint<Self> {
        MadeEndpoints.endpoint {
            let form: ParameterList<Self> = [
                .query("n", path: \.number), .form("word", path: \.word),
            ]
            return Endpoint(
                method: Sent.method, path: PathTemplate(stringLiteral: kind.rawValue),
                parameters: Sent.hasForm ? form : [.query("n", path: \.number)])
        }
    }
}

struct LoadWhole<Sent: Content>: MatrixRequest {
    var number: Int
    static var endpoint: Endpoint<Self> { endpoint(.whole) }
    typealias Response = Item
    typealias Body = Sent.Body
    typealias ErrorResponse = Problem
}

struct LoadBytes<Sent: Content>: MatrixRequest {
    var number: Int
    static var endpoint: Endpoint<Self> { endpoint(.bytes) }
    typealias Response = ByteStream
    typealias Body = Sent.Body
    typealias ErrorResponse = Problem
}

struct LoadLines<Sent: Content>: MatrixRequest {
    var number: Int
    static var endpoint: Endpoint<Self> { endpoint(.lines) }
    typealias Response = Lines
    typealias Body = Sent.Body
    typealias ErrorResponse = Problem
}

struct LoadValues<Sent: Content>: MatrixRequest {
    var number: Int
    static var endpoint: Endpoint<Self> { endpoint(.values) }
    typealias Response = JSONLines<Item>
    typealias Body = Sent.Body
    typealias ErrorResponse = Problem
}

struct LoadEvents<Sent: Content>: MatrixRequest {
    var number: Int
    static var endpoint: Endpoint<Self> { endpoint(.events) }
    typealias Response = EventStream<Item>
    typealias Body = Sent.Body
    typealias ErrorResponse = Problem
}

struct LoadPages<Sent: Content>: MatrixRequest, PagedRequest {
    var number: Int
    var cursor: String?

    init(number: Int) {
        self.number = number
    }

    static var endpoint: Endpoint<Self> {
        MadeEndpoints.endpoint {
            let parameters: ParameterList<Self> =
                if Sent.hasForm {
                    [
                        .query("n", path: \.number), .query("cursor", path: \.cursor),
                        .form("word", path: \.word),
                    ]
                } else {
                    [.query("n", path: \.number), .query("cursor", path: \.cursor)]
                }
            return Endpoint(method: Sent.method, path: "pages", parameters: parameters)
        }
    }
    static var paging: Paging<Self> { .cursor(\.cursor) { $0.next } }
    static func items(in response: Page) -> [Item] { response.items }
    typealias Response = Page
    typealias Body = Sent.Body
    typealias ErrorResponse = Problem
}
