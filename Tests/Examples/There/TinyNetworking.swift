import Foundation
import TinyNetworking

struct User: Codable {
    var name: String
    var location: String?
}

func userInfo(login: String) -> Endpoint<User> {
    Endpoint(json: .get, url: URL(string: "https://api.github.com/users/\(login)")!)
}

struct Content: Encodable {
    var plain_text: String
    var html: String
}

struct Mailchimp {
    let base = URL(string: "https://us7.api.mailchimp.com/3.0/")!
    let apiKey: String

    var authHeader: [String: String] {
        ["Authorization": "Basic " + Data("anystring:\(apiKey)".utf8).base64EncodedString()]
    }

    func edit(_ content: Content, campaign: String) -> Endpoint<()> {
        let url = base.appendingPathComponent("campaigns/\(campaign)/content")
        return Endpoint<()>(json: .put, url: url, body: content, headers: authHeader)
    }
}

func name(of login: String, completion: @escaping (Result<String, Error>) -> Void) {
    _ = URLSession.shared.load(userInfo(login: login)) { result in completion(result.map(\.name)) }
}
