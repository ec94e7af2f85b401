import Endpoints
import EndpointsAuth
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server of tools, an authorization server and a browser, without a network.
actor World: Transport {
    /// How the servers behave.
    struct Setup: Sendable {
        /// Where the metadata of the server of tools is.
        var resourcePlace = "https://tools.example/.well-known/oauth-protected-resource/mcp"
        var resource = "https://tools.example/mcp"
        var namesPlace = true
        /// Where the metadata of the authorization server is.
        var serverPlace = "https://login.example/.well-known/oauth-authorization-server"
        var issuer = "https://login.example"
        /// What the metadata says its issuer is; `nil` for the right one.
        var issuerInMetadata: String?
        /// What the metadata says besides its URLs.
        var more = #","code_challenge_methods_supported": ["S256"]"#
        /// The `iss` of the redirect.
        var issuerInRedirect: String?
        var scopeInChallenge: String?
        var scopesInMetadata: [String]?
        /// The scope that each method needs.
        var needs: [String: String] = [:]
        /// What a 403 asks for, whatever the token allows.
        var always: String?
    }

    var setup: Setup
    /// The URLs that were asked for metadata.
    private(set) var places: [String] = []
    /// The query of each page that was opened.
    private(set) var pages: [[String: String]] = []
    /// The forms that were sent to a token URL, with the `Authorization`.
    private(set) var forms: [[String: String]] = []
    /// The methods that were called, with the token.
    private(set) var calls: [String] = []
    /// The scopes of each token.
    private var tokens: [String: String] = [:]

    init(_ setup: Setup) { self.setup = setup }

    func change(_ change: @Sendable (inout Setup) -> Void) { change(&setup) }

    /// Takes all tokens back.
    func revoke() { tokens = [:] }

    /// What a browser is redirected to.
    func redirect(from page: URL) throws -> URL {
        let components = URLComponents(url: page, resolvingAgainstBaseURL: false)
        let query = items(components?.percentEncodedQuery)
        #expect(page.absoluteString.hasPrefix(setup.issuer + "/authorize?"))
        pages.append(query)
        let issuer = setup.issuerInRedirect.map { "&iss=\($0)" } ?? ""
        return try #require(
            URL(
                string: (query["redirect_uri"] ?? "") + "?code=c\(pages.count)&state="
                    + (query["state"] ?? "") + issuer))
    }

    private func items(_ text: String?) -> [String: String] {
        var items: [String: String] = [:]
        for item in (text ?? "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
            items[parts[0]] = parts.count > 1 ? parts[1].removingPercentEncoding : ""
        }
        return items
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let request = request.urlRequest
        let url = try #require(request.url)
        let authorization = request.value(forHTTPHeaderField: "Authorization")
        let body = request.httpBody ?? Data()
        if url.absoluteString == "https://tools.example/mcp" {
            return try respondToCall(url, body, authorization)
        }
        // No token of the tools goes anywhere else.
        #expect(authorization?.contains("Bearer") != true)
        if url.absoluteString == setup.issuer + "/token" {
            var form = items(String(decoding: body, as: UTF8.self))
            form["Authorization"] = authorization
            forms.append(form)
            let token = "\(url.host ?? "")-\(forms.count)"
            let scope = form["grant_type"] == "authorization_code" ? pages.last : form
            tokens[token] = scope?["scope"] ?? ""
            return try response(url, 200, #"{"access_token": "\#(token)", "token_type": "Bearer"}"#)
        }
        places.append(url.absoluteString)
        switch url.absoluteString {
        case setup.resourcePlace:
            let scopes = setup.scopesInMetadata.map { #","scopes_supported": \#($0)"# } ?? ""
            return try response(
                url, 200,
                """
                {"resource": "\(setup.resource)", "authorization_servers": ["\(setup.issuer)"]\(scopes)}
                """)
        case setup.serverPlace:
            return try response(
                url, 200,
                """
                {"issuer": "\(setup.issuerInMetadata ?? setup.issuer)",
                "authorization_endpoint": "\(setup.issuer)/authorize",
                "token_endpoint": "\(setup.issuer)/token"\(setup.more)}
                """)
        default: return try response(url, 404, "no")
        }
    }

    private func respondToCall(
        _ url: URL, _ body: Data, _ authorization: String?
    ) throws -> TransportResponse {
        struct Call: Decodable {
            let method: String
        }
        let method = try JSONDecoder().decode(Call.self, from: body).method
        let token = String((authorization ?? "").dropFirst("Bearer ".count))
        calls.append("\(method) \(token)")
        let place = setup.namesPlace ? #", resource_metadata="\#(setup.resourcePlace)""# : ""
        guard let scopes = tokens[token] else {
            let scope = setup.scopeInChallenge.map { #", scope="\#($0)""# } ?? ""
            return try response(
                url, 401, "{}",
                ["WWW-Authenticate": "Bearer error=\"invalid_token\"\(scope)\(place)"])
        }
        if let need = setup.always ?? setup.needs[method],
            setup.always != nil || !scopes.split(separator: " ").contains(Substring(need))
        {
            let challenge = #"Bearer error="insufficient_scope", scope="\#(need)"\#(place)"#
            return try response(url, 403, "{}", ["WWW-Authenticate": challenge])
        }
        let result =
            method == "tools/list"
            ? #"{"tools": [{"name": "test-tool"}]}"#
            : #"{"content": [{"type": "text", "text": "test"}]}"#
        return try response(url, 200, #"{"jsonrpc": "2.0", "id": 1, "result": \#(result)}"#)
    }

    private func response(
        _ url: URL, _ status: Int, _ json: String, _ headers: [String: String] = [:]
    ) throws -> TransportResponse {
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1",
                headerFields: headers.merging(["Content-Type": "application/json"]) { $1 }))
        return TransportResponse(Data(json.utf8), head)
    }
}
