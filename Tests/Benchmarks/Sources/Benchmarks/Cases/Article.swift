import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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

    static let inputs = (0..<64).map { number in
        PostArticle(
            body: Article(
                title: "Article \(number)", text: "Once upon a time there were \(number) words.",
                author: number, isPublished: number % 2 == 0, rating: Double(number) / 2))
    }
}

extension Case {
    static var article: Case {
        Case(
            "4 POST JSON body of five fields", goal: (limit: 1.05, hand: 0.75),
            inputs: PostArticle.inputs,
            hand: { post, environment in
                var components = URLComponents(
                    url: environment.baseUrl, resolvingAgainstBaseURL: false)!
                components.path += "/articles"
                var request = URLRequest(url: components.url!)
                request.httpMethod = "POST"
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
                request.httpBody = try JSONEncoder().encode(post.body)
                return request
            },
            limit: { try least(Limit.self, $0, $1) }, floor: { try least(Floor.self, $0, $1) })
    }

    private static func least<Way: Least>(
        _ way: Way.Type, _ post: PostArticle, _ environment: ServerEnvironment
    ) throws -> URLRequest {
        var request = try Way.request(environment.baseUrl, capacity: 9) { $0.literal("/articles") }
        request.httpMethod = "POST"
        request.allHTTPHeaderFields = Way.jsonHeaders
        request.httpBody = try JSONEncoder().encode(post.body)
        return request
    }
}
