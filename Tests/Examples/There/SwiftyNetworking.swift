import Foundation
import SwiftyNetworking

struct Person: Decodable {
    let name: String
    let age: Int
}

struct AgifyAPIEndpoint: Endpoint {
    typealias Response = [Person]

    let host: String = "api.agify.io"
    let path: String = "/"
    let queryItems: [URLQueryItem]

    init(@QueriesBuilder queryItems: () -> [URLQueryItem]) {
        self.queryItems = queryItems()
    }

    func prepare(request: inout URLRequest) {
        request.timeoutInterval = 10
    }
}

func ages(completion: @escaping (Result<[Person], Error>) -> Void) {
    URLSession.shared.load(
        AgifyAPIEndpoint {
            URLQueryItem(name: "name[]", value: "Ann")
            URLQueryItem(name: "country_id", value: "DE")
        }, completionHandler: completion)
}
