import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response for tests that need no server.
struct CannedResponse: Sendable {
    var status: Int
    var fields: [String: String] = [:]
    var body = Data()

    init(_ status: Int = 200, _ text: String = "", fields: [String: String] = [:]) {
        (self.status, self.body, self.fields) = (status, Data(text.utf8), fields)
    }

    init(_ status: Int = 200, bytes: [UInt8], type: String? = nil) {
        (self.status, body) = (status, Data(bytes))
        fields["Content-Type"] = type
    }

    var httpResponse: HTTPURLResponse {
        get throws {
            let url = try #require(URL(string: "https://user:pw@api.example.com/x?key=secret"))
            return try #require(
                HTTPURLResponse(
                    url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
        }
    }

    /// Decodes the response for a request type.
    func read<Request: RequestType>(_ type: Request.Type) throws -> Request.Response {
        try type.decode(body, httpResponse)
    }

    /// The error of the response for a request type.
    func error<Request: RequestType>(of type: Request.Type) throws -> Request.TaskError {
        try #require(throws: Request.TaskError.self) { _ = try read(type) }
    }
}

/// A request type in a table, which shows a decoded response as text.
struct Reader: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let read: @Sendable (CannedResponse) throws -> String

    init<Request: RequestType>(
        _ type: Request.Type,
        _ show: @escaping @Sendable (Request.Response) -> String = { String(describing: $0) }
    ) {
        testDescription = "\(type)"
        read = { show(try $0.read(type)) }
    }

    /// The decoded response or the error, as text.
    func outcome(_ canned: CannedResponse) -> String {
        do { return try read(canned) } catch { return "\(error)" }
    }
}

/// A GET for any decodable response.
struct Fetch<Value: Decodable>: RequestType {
    static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "x") }
    typealias Response = Value
}

/// A GET for any decodable response and its head.
struct FetchWithHead<Value: Decodable>: RequestType {
    static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "x") }
    typealias Response = WithHTTPResponse<Value>
}

/// A HEAD, whose response has no content.
struct Peek<Value: Decodable>: RequestType {
    static var endpoint: Endpoint<Self> { Endpoint(method: .head, path: "x") }
    typealias Response = Value
}

/// A GET for which 304 is a success.
struct Revalidate<Value: Decodable>: RequestType {
    static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "x") }
    typealias Response = Value

    static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
        httpResponse.statusCode == 304 || (200..<300).contains(httpResponse.statusCode)
    }
}

struct User: Codable, Hashable, Sendable {
    var id: Int
    var name: String
}
