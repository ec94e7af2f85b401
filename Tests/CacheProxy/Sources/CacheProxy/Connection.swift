import Endpoints
import FlyingSocks
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends each request over a connection of its own, and returns the response's header fields as
/// they arrive: `URLSession` refuses responses whose coding it doesn't know, which the suite has.
struct Connection: Transport {
    let port: UInt16

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try request.check()
        guard let url = request.urlRequest.url, let method = request.urlRequest.httpMethod
        else { throw URLError(.badURL) }
        let socket: AsyncSocket
        do { socket = try await .connected(to: .inet(ip4: "127.0.0.1", port: port)) } catch {
            throw URLError(.cannotConnectToHost)
        }
        defer { try? socket.close() }
        let query = url.query.map { "?\($0)" } ?? ""
        var head = "\(method) \(url.path)\(query) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        let body = request.urlRequest.httpBody ?? Data()
        for (name, value) in request.urlRequest.allHTTPHeaderFields ?? [:] {
            head += "\(name): \(value)\r\n"
        }
        if !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
        try await socket.write(Data("\(head)Connection: close\r\n\r\n".utf8) + body)
        var bytes: [UInt8] = []
        while let byte = try? await socket.read() { bytes.append(byte) }
        return try Self.response(Data(bytes), url, isHead: method == "HEAD")
    }

    /// Reads a response whose connection is closed after it.
    private static func response(
        _ data: Data, _ url: URL, isHead: Bool
    ) throws -> TransportResponse {
        guard let end = data.range(of: Data("\r\n\r\n".utf8))
        else { throw URLError(.networkConnectionLost) }
        let head = String(decoding: data[..<end.lowerBound], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw URLError(.badServerResponse) }
        // An interim response comes before the response.
        if status < 200 { return try response(data[end.upperBound...], url, isHead: isHead) }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            let name = fields.keys.first { $0.lowercased() == parts[0].lowercased() }
            fields[name ?? String(parts[0])] =
                name.flatMap { fields[$0] }
                .map { "\($0), \(value)" } ?? value
        }
        guard
            let httpResponse = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
        else { throw URLError(.badServerResponse) }
        let coding = httpResponse.value(forHTTPHeaderField: "Transfer-Encoding")
        let length = httpResponse.value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) }
        let body = data[end.upperBound...].prefix(length ?? .max)
        return TransportResponse(
            isHead ? Data() : coding == "chunked" ? content(ofChunks: body) : Data(body),
            httpResponse)
    }

    private static func content(ofChunks data: Data) -> Data {
        var (rest, content) = (data, Data())
        while let end = rest.range(of: Data("\r\n".utf8)),
            let count = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16),
            count > 0
        {
            content += rest[end.upperBound...].prefix(count)
            rest = rest[end.upperBound...].dropFirst(count + 2)
        }
        return content
    }
}
