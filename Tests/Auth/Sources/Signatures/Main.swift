// Signs requests as AWS does: each line of standard input is a request, each line of standard
// output the same request signed. See aws.py.

import Endpoints
import EndpointsAuth
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Line: Codable {
    var method: String
    var url: String
    var headers: [String: String]
    var body: String
    var date: Double
    var service: String
    var region: String
    var key: String
    var secret: String
    var token: String?
    var unsigned: Bool
}

struct Nothing: FlatRequest {
    typealias Response = Void
    static let endpoint: Endpoint<Nothing> = Endpoint(method: .get, path: "")
}

/// A transport that returns what it would send, so that the seam itself is compared.
struct Echo: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var fields = request.urlRequest.allHTTPHeaderFields ?? [:]
        fields["X-Sent-URL"] = request.urlRequest.url?.absoluteString
        let url = URL(filePath: "/")
        guard
            let head = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        else { throw URLError(.badServerResponse) }
        return TransportResponse(try JSONEncoder().encode(fields), head)
    }
}

@main enum Main {
    static func main() async throws {
        while let text = readLine() {
            let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
            let keys = AWSCredentials(
                accessKeyID: line.key, secretAccessKey: line.secret, sessionToken: line.token)
            let signer = AWSSigner(
                service: line.service, region: line.region, credentials: keys,
                payload: line.unsigned ? .unsigned : .signed)
            guard let url = URL(string: line.url) else { throw URLError(.badURL) }
            var urlRequest = URLRequest(url: url)
            urlRequest.httpMethod = line.method
            urlRequest.httpBody = line.body.isEmpty ? nil : Data(line.body.utf8)
            for (name, value) in line.headers {
                urlRequest.setValue(value, forHTTPHeaderField: name)
            }
            let date = Date(timeIntervalSince1970: line.date)
            let clock = TransportClock(
                date: { date }, uptime: { 0 }, sleep: { _ in }, random: { 0 })
            let transport = Echo().signed(by: signer, clock: clock)
            let response = try await transport.send(
                TransportRequest(urlRequest, requestType: Nothing.self))
            let data = try await response.body.data(upTo: 1 << 20)
            var answer = try JSONDecoder().decode([String: String].self, from: data)
            let environment = ServerEnvironment(baseUrl: url)
            // A base URL can't have a segment that is only dots.
            if (try? Nothing().urlRequest(in: environment)) != nil {
                answer["X-Presigned"] = try await signer.presignedURL(
                    of: Nothing(), in: environment, expires: 60, at: date
                ).absoluteString
            }
            print(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self))
        }
    }
}
