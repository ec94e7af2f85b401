import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `URLSession` that gets its responses from a table instead of the network.
final class CannedResponses: URLProtocol {
    static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CannedResponses.self]
        return URLSession(configuration: configuration)
    }()

    /// Responses of real servers, as in their documentation.
    private static let responses: [String: (status: Int, body: String)] = [
        "GET https://api.agify.io/?name=Zaid": (200, #"{"name":"Zaid","age":34,"count":40138}"#),
        "GET https://api.github.com/users/objcio": (
            200, #"{"login":"objcio","id":5923212,"name":"objc.io","location":null}"#
        ),
        "GET https://api.github.com/users/nobody": (
            404, #"{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}"#
        ),
        "PUT https://us7.api.mailchimp.com/3.0/campaigns/42694e9e57/content": (
            200, #"{"plain_text":"ignored"}"#
        ),
        "GET https://api.example.com/v1/users/me": (200, #"{"id":1,"name":"Ann"}"#),
        "DELETE https://api.example.com/v1/users/1": (
            409, #"{"code":7,"message":"has open orders"}"#
        ),
    ]

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        let line = "\(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")"
        guard let canned = Self.responses[line], let url = request.url,
            let httpResponse = HTTPURLResponse(
                url: url, statusCode: canned.status, httpVersion: "HTTP/1.1",
                headerFields: ["Content-Type": "application/json"])
        else {
            client?.urlProtocol(self, didFailWithError: URLError(.fileDoesNotExist))
            return
        }
        client?.urlProtocol(self, didReceive: httpResponse, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(canned.body.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
}
