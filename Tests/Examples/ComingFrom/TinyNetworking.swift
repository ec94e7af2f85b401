import Endpoints
import Foundation

struct UserInfo: FlatRequest, Sendable {
    let login: String

    static let endpoint = Endpoint<Self>(method: .get, path: "users/\(path: \.login)")
    struct Response: Codable, Sendable {
        var name: String
        var location: String?
    }
}

struct EditCampaign: FlatRequest, Sendable {
    let campaign: String
    let credentials: Credentials
    let body: Content

    static let endpoint = Endpoint<Self>(
        method: .put, path: "campaigns/\(path: \.campaign)/content",
        headers: [.authorization: .field(path: \.credentials)])
    typealias Response = Void

    struct Content: Encodable, Sendable {
        var plain_text: String
        var html: String
    }
}

struct Mailchimp: Sendable {
    let client: EndpointClient<ServerEnvironment>
    let apiKey: String

    func edit(_ campaign: String, _ content: EditCampaign.Content) async throws {
        let account = Credentials.basic(username: "anystring", password: apiKey)
        try await client(EditCampaign(campaign: campaign, credentials: account, body: content))
    }
}
