// The program whose instructions `instructions.py` counts: it makes the URLRequest of a case again
// and again. `instructions.py` adds the 100 properties and query items of `Hundred`. It is compiled
// with two states of the library, so it uses only what both have.

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Status: RequestType {
    static let endpoint = Endpoint<Status>(method: .get, path: "status/current")
    typealias Response = Void
}

struct Search: FlatRequest {
    let owner: String
    let repository: String
    let text: String
    let page: Int
    let state: String?
    let traceId: String

    static let endpoint = Endpoint<Search>(
        method: .get,
        path: "repos/\(path: \.owner)/\(path: \.repository)/issues",
        parameters: [
            .query("q", path: \.text), .query("page", path: \.page), .query("state", path: \.state),
        ],
        headers: [
            "Accept": .fieldValue(value: MIMEType.json), "X-Trace-Id": .field(path: \.traceId),
        ])
    typealias Response = Void
}

struct SignUp: FlatRequest {
    let name: String
    let email: String
    let password: String
    let city: String
    let age: Int
    let newsletter: String

    static let endpoint = Endpoint<SignUp>(
        method: .post, path: "sign-up",
        parameters: [
            .form("name", path: \.name), .form("email", path: \.email),
            .form("password", path: \.password), .form("city", path: \.city),
            .form("age", path: \.age), .form("newsletter", path: \.newsletter),
        ])
    typealias Response = Void
}

struct PostArticle: RequestType {
    struct Article: Encodable {
        let title: String
        let text: String
        let author: Int
        let isPublished: Bool
        let rating: Double
    }
    let body: Article

    static let endpoint = Endpoint<PostArticle>(method: .post, path: "articles")
    typealias Response = Void
}

@main
enum Main {
    static func main() throws {
        let (number, count) = (Int(CommandLine.arguments[1]), Int(CommandLine.arguments[2])!)
        switch number {
        case 1: try make(count) { _ in Status() }
        case 2:
            try make(count) { number in
                Search(
                    owner: "owner-\(number)",
                    repository: number % 4 == 0 ? "café \(number)" : "swift-\(number)",
                    text: "is open \(number) & new", page: number,
                    state: number % 8 == 0 ? nil : "open",
                    traceId: "4bf92f3577b34da6a3ce929d0e0e\(1000 + number)")
            }
        case 3:
            try make(count) { number in
                SignUp(
                    name: "Zoë\(number)", email: "zoe\(number)@example.com",
                    password: "s3cr&t+\(number)", city: "Köln-\(number)", age: number,
                    newsletter: "weekly")
            }
        case 4:
            try make(count) { number in
                PostArticle(
                    body: PostArticle.Article(
                        title: "Article \(number)",
                        text: "Once upon a time there were \(number) words.", author: number,
                        isPublished: number % 2 == 0, rating: Double(number) / 2))
            }
        default:
            try make(count) { number in
                let values = (0..<100).map { ("p\($0)", "value-\($0 * number)") }
                let object = Dictionary(uniqueKeysWithValues: values)
                return try JSONDecoder().decode(Hundred.self, from: JSONEncoder().encode(object))
            }
        }
    }

    /// Makes the `URLRequest`s of 64 requests in turns.
    @inline(__always)
    static func make<Request: RequestType>(
        _ count: Int, _ request: (Int) throws -> Request
    ) throws where Request.Environment == ServerEnvironment {
        let server = ServerEnvironment(baseUrl: URL(string: "https://api.example.com/v1")!)
        let requests = try (0..<64).map(request)
        for number in 0..<count { keep(try requests[number % 64].urlRequest(in: server)) }
    }

    @inline(never) @_optimize(none)
    static func keep(_ request: URLRequest) {}
}
