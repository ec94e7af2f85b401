import Endpoints
import EndpointsCache
import FlyingFox
import FlyingSocks
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that is passed on.
struct Forwarded: RequestType {
    static let endpoint = Endpoint<Self>(method: .get, path: "")
    typealias Response = Data
}

/// Passes requests on to an origin, through a cache: `CacheProxy http://127.0.0.1:8000 [FOLDER]`.
///
/// It prints the port that it listens on.
struct Proxy: HTTPHandler {
    let origin: String
    let transport: any Transport

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let url = URL(string: origin + request.target.rawValue) else {
            return HTTPResponse(statusCode: .badRequest)
        }
        var forwarded = URLRequest(url: url)
        forwarded.httpMethod = request.method.rawValue
        for name in request.headers.keys where !Self.ofConnection.contains(name) {
            let value = request.headers.values(for: name).joined(separator: ", ")
            forwarded.setValue(value, forHTTPHeaderField: name.rawValue)
        }
        let body = try await request.bodyData
        if !body.isEmpty { forwarded.httpBody = body }
        let policy = LoadPolicy(redirects: .doNotFollow)
        do {
            let response = try await transport.send(
                TransportRequest(forwarded, policy: policy, requestType: Forwarded.self))
            let data = try await response.body.data(upTo: 1 << 20)
            return Self.response(response.httpResponse, data)
        } catch {
            return HTTPResponse(statusCode: .badGateway, body: Data("\(error)".utf8))
        }
    }

    private static func response(_ head: HTTPURLResponse, _ data: Data) -> HTTPResponse {
        var headers = HTTPHeaders()
        for (name, value) in head.allHeaderFields {
            let header = HTTPHeader("\(name)")
            // The server writes these itself.
            guard !ofConnection.contains(header) else { continue }
            headers.addValue("\(value)", for: header)
        }
        return HTTPResponse(
            statusCode: HTTPStatusCode(head.statusCode, phrase: "-"), headers: headers, body: data)
    }

    private static let ofConnection: Set<HTTPHeader> = [
        .connection, .contentLength, .transferEncoding, .host, HTTPHeader("Keep-Alive"),
        HTTPHeader("Accept-Encoding"),
    ]
}

@main
enum Main {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let origin = arguments.first else { return print("CacheProxy ORIGIN [FOLDER]") }
        let storage: CacheStorage =
            arguments.count > 1
            ? .disk(URL(fileURLWithPath: arguments[arguments.endIndex - 1]), megabytes: 20)
            : .memory(megabytes: 20)
        let port = URL(string: origin)?.port.flatMap(UInt16.init(exactly:)) ?? 80
        let proxy = Proxy(
            origin: origin, transport: Connection(port: port).cached(in: storage))
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0))
        let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "M-SEARCH"]
        await server.appendRoute("*", for: methods.map { FlyingFox.HTTPMethod($0) }, to: proxy)
        let running = Task { try await server.run() }
        try await server.waitUntilListening()
        if case .ip4(_, let port) = await server.listeningAddress {
            FileHandle.standardOutput.write(Data("\(port)\n".utf8))
        }
        try await running.value
    }
}
