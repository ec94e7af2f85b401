import Endpoints
import EndpointsAuth
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Signs requests and verifies responses for message_signatures.py: one JSON text a line, with a
/// line of JSON as the result of each. With a URL and a key as arguments, it loads from a server.
@main
enum Main {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if let server = arguments.first.flatMap(URL.init), let secret = arguments.last {
            return try await Loads(from: server, secret: Data(secret.utf8)).run()
        }
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
        while let line = readLine() {
            let result: Output
            do {
                let input = try decoder.decode(Input.self, from: Data(line.utf8))
                result = try await input.status == nil ? input.signed() : input.verified()
            } catch let error as MessageVerificationError {
                result = Output(error: "\(error.reason)")
            } catch { result = Output(error: "\(error)") }
            guard let data = try? encoder.encode(result) else { return }
            print(String(decoding: data, as: UTF8.self))
            fflush(nil)
        }
    }
}

struct Output: Encodable {
    var fields: [String: String]?
    var error: String?
}

struct Component: Decodable {
    let name: String
    var parameter: String?
    var key: String?
    var kind: String?
    var isBytes: Bool?
    var isOfRequest: Bool?

    var component: MessageComponent {
        let component: MessageComponent =
            if let parameter {
                .query(parameter)
            } else if let key {
                .field(Headers(name: name), key: key)
            } else if let kind {
                .field(
                    Headers(name: name),
                    as: kind == "item" ? .item : kind == "list" ? .list : .dictionary)
            } else if isBytes == true {
                .bytes(Headers(name: name))
            } else { MessageComponent(stringLiteral: name) }
        return isOfRequest == true ? component.ofRequest : component
    }
}

/// A request that is to be signed or, with a status, a response that is to be verified.
struct Input: Decodable {
    let method: String
    let url: String
    let fields: [String: String]
    var body: Data?
    let components: [Component]
    let secret: Data
    let keyid: String
    let date: TimeInterval
    let label: String
    var tag: String?
    var nonce: String?
    var expires: Int?
    var digest: String?
    var namesAlgorithm: Bool?

    var status: Int?
    var responseFields: [String: String]?
    var responseBody: Data?

    private func request() throws -> TransportRequest {
        guard let url = URL(string: url) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = body
        return TransportRequest(request, requestType: Ask.self)
    }

    func signed() async throws -> Output {
        var request = try request()
        var makeNonce: (@Sendable () -> String)?
        if let nonce { makeNonce = { nonce } }
        let signer = MessageSigner(
            key: .hmacSHA256(secret, id: keyid), covering: components.map(\.component),
            coveringIfPresent: [], digest: digest == "sha-512" ? .sha512 : .sha256, label: label,
            tag: tag, expiresAfter: expires, nonce: makeNonce,
            namingAlgorithm: namesAlgorithm ?? false)
        try await signer.sign(&request, at: Date(timeIntervalSince1970: date))
        return Output(fields: request.urlRequest.allHTTPHeaderFields)
    }

    func verified() async throws -> Output {
        let verifier = MessageVerifier(
            keys: [.hmacSHA256(secret, id: keyid)], requiring: components.map(\.component),
            label: label, tag: tag)
        let date = Date(timeIntervalSince1970: date)
        let clock = TransportClock(
            date: { date }, uptime: { 0 }, sleep: { _ in }, random: { 0 })
        let request = try request()
        let transport = Server(response: try response()).verified(by: verifier, clock: clock)
        let body = try await transport.send(request).body
        _ = try await body.data(upTo: .max)
        return Output()
    }

    private func response() throws -> TransportResponse {
        guard let url = URL(string: url),
            let head = HTTPURLResponse(
                url: url, statusCode: status ?? 200, httpVersion: "HTTP/1.1",
                headerFields: responseFields)
        else { throw URLError(.badServerResponse) }
        // In two chunks, as a body arrives from a network.
        let data = responseBody ?? Data()
        let rest = Chunks([data.prefix(data.count / 2), data.dropFirst(data.count / 2)])
        return TransportResponse(body: ResponseBody { await rest.next() }, head)
    }
}

actor Chunks {
    private var rest: [Data]
    init(_ chunks: [Data]) { rest = chunks }
    func next() -> Data? { rest.isEmpty ? nil : rest.removeFirst() }
}

struct Ask: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "")
    typealias Response = Data
}

struct Server: Transport {
    let response: TransportResponse
    func send(_ request: TransportRequest) async throws -> TransportResponse { response }
}
