import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A redirect of a request with a credential, and what must arrive.
struct Redirect: Sendable, CustomTestStringConvertible {
    let status: Int
    let leavesOrigin: Bool
    let method: String
    let body: String?
    /// The header that holds the credential.
    let credential: Headers
    /// Whether the body is read from memory and a file while it is sent.
    var isUpload = false

    var testDescription: String {
        let origin = leavesOrigin ? "other" : "same"
        return "\(status) \(origin) origin, \(method) \(body ?? "without a body"), \(credential)"
            + (isUpload ? ", as an upload" : "")
    }

    /// Every status, origin, credential, and kind of request.
    static let table = [301, 302, 303, 307, 308].flatMap { status in
        [false, true].flatMap { leavesOrigin in
            requests.flatMap { method, body in
                credentials.map { credential in
                    Redirect(
                        status: status, leavesOrigin: leavesOrigin, method: method, body: body,
                        credential: credential)
                }
            }
        }
    }

    /// The rows of ``table`` with a body, which is an upload here.
    static let uploads = table.filter { $0.body != nil }.map { redirect in
        var redirect = redirect
        redirect.isUpload = true
        return redirect
    }

    private static let requests: [(String, String?)] = [
        ("GET", nil), ("HEAD", nil), ("POST", nil), ("POST", "é=1"), ("PUT", "é=1"),
        ("DELETE", nil),
    ]
    /// The last of them is sensitive only by declaration.
    private static let credentials: [Headers] = [
        "Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key",
    ]
}

extension Redirect {
    /// How the load ends, and all that arrives at both origins.
    var expected: [String] {
        let last = leavesOrigin ? "other" : "first"
        return [
            "200 http://\(last)/-/echo",
            arrival(at: "first", "redirect", method, keepsBody: true, keepsCredential: true),
            arrival(
                at: last, "echo", nextMethod, keepsBody: nextMethod == method,
                keepsCredential: !leavesOrigin),
        ]
    }

    private var nextMethod: String {
        switch (status, method) {
        case (301, "POST"), (302, "POST"), (303, "POST"), (303, "PUT"), (303, "DELETE"): "GET"
        default: method
        }
    }

    private func arrival(
        at origin: String, _ path: String, _ method: String, keepsBody: Bool, keepsCredential: Bool
    ) -> String {
        var headers = ["host: \(origin)", "x-trace: 7"]
        if keepsCredential { headers.append("\(credential.name.lowercased()): s=3") }
        if keepsBody {
            headers.append("content-language: fr")
            if body != nil { headers.append("content-type: text/plain") }
            if !["GET", "HEAD"].contains(method) {
                headers.append("content-length: \(body?.utf8.count ?? 0)")
            }
        }
        let head = ["\(origin): \(method) /-/\(path)"] + headers.sorted()
        return (head + ["", keepsBody ? body ?? "" : ""]).joined(separator: "\n")
    }

    /// How the load ends with a loader, and all that arrives.
    func actual(_ loader: some OutcomeLoader) async throws -> [String] {
        let origins = try Origins()
        let key = UUID().uuidString
        var turn = Turn(redirect: self, to: origins.address(of: self, key), key: key)
        if isUpload { turn.file = try TemporaryFile(Data("1".utf8)) }
        let environment = ServerEnvironment(baseUrl: origins.first)
        let ending =
            switch await loader.load(turn, in: environment, by: .redirected) {
            case .success(let response): origins.named(response)
            case .failure(let error): "\(error)"
            }
        return [ending] + (try await origins.arrivals(key))
    }
}

extension URLSession {
    /// A session without the cookies of other tests.
    fileprivate static let redirected = URLSession(configuration: .ephemeral)
}

/// The request of a row; its response is the status and the final URL.
struct Turn: FlatRequest, Sendable {
    let redirect: Redirect
    let to: String
    let key: String
    /// The end of the body, if that is an upload.
    var file: TemporaryFile?

    static let endpoint = Endpoint<Turn>(
        method: .post, path: "-/redirect",
        parameters: [
            .query("status", path: \.redirect.status), .query("to", path: \.to),
            .query("key", path: \.key),
        ], headers: HeaderList(contentsOf: \.moreHeaders))
    static let loadPolicy = LoadPolicy(sensitiveHeaders: ["x-api-KEY"])

    var body: Data? { redirect.body.map { Data($0.utf8) } }

    var moreHeaders: [Headers: String] {
        var headers: [Headers: String] = [
            redirect.credential: "s=3", "X-Trace": "7", "Content-Language": "fr",
        ]
        if redirect.body != nil { headers[.contentType] = "text/plain" }
        return headers
    }

    func prepare(_ request: inout URLRequest) {
        request.httpMethod = redirect.method
        if let file, let body {
            request.upload = Upload([.data(body.dropLast()), .file(file.url)])
        }
    }

    static func response(data: Data, httpResponse: HTTPURLResponse) -> String {
        let address = httpResponse.url?.absoluteString.split(separator: "?").first ?? "nowhere"
        return "\(httpResponse.statusCode) \(address)"
    }
}
