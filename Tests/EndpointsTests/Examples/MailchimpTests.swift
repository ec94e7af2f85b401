import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// https://mailchimp.com/developer/marketing/api
struct Mailchimp: EnvironmentType {
    let baseUrl: URL
    static let production = Mailchimp(
        baseUrl: URL(string: "https://us7.api.mailchimp.com/3.0/")!)
}

struct Episode {
    let title: String
    var plainText: String { "New: \(title)" }
    var html: String { "<b>New:</b> \(title)" }
}

struct AddContent: RequestType {
    typealias Environment = Mailchimp
    typealias Response = Void

    static let endpoint = Endpoint<AddContent>(
        method: .put,
        path: "campaigns/\(path: \.campaignId)/content",
        headers: [.authorization: .field(path: \.credentials)])

    struct PathComponents { let campaignId: String }
    let pathComponents: PathComponents
    struct HeaderValues { let credentials: Credentials }
    let headerValues: HeaderValues
    struct Body: Codable, Equatable {
        let plainText: String
        let html: String
    }
    let body: Body

    static let bodyEncoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}

extension AddContent {
    init(for episode: Episode, toCampaign campaignId: String, apiKey: String) {
        self.init(
            pathComponents: .init(campaignId: campaignId),
            headerValues: .init(credentials: .basic(username: "anystring", password: apiKey)),
            body: .init(plainText: episode.plainText, html: episode.html))
    }
}

@Suite("Mailchimp")
struct MailchimpTests {
    private let add = AddContent(
        for: Episode(title: "Endpoints"), toCampaign: "42694e9e57", apiKey: "0123-us7")

    @Test("Mailchimp's request has Basic credentials and a JSON body")
    func request() throws {
        let request = try add.urlRequest(in: .production)
        #expect(request.httpMethod == "PUT")
        #expect(
            request.url?.absoluteString
                == "https://us7.api.mailchimp.com/3.0/campaigns/42694e9e57/content")
        #expect(
            request.allHTTPHeaderFields == [
                "Authorization": "Basic \(Data("anystring:0123-us7".utf8).base64EncodedString())",
                "Content-Type": "application/json",
            ])
        let body = try #require(request.httpBody)
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"html":"<b>New:</b> Endpoints","plain_text":"New: Endpoints"}"#)
    }

    @Test("Mailchimp's response is ignored, as it is Void")
    func ignoredResponse() async throws {
        await #expect(throws: Never.self) {
            try await CannedResponses.session.response(in: .production, with: add)
        }
    }
}
