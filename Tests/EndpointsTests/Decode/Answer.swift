import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An answer made by hand, for tests that need no server.
struct Answer: Sendable {
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

    /// What the answer is for a request type.
    func read<Request: RequestType>(_ type: Request.Type) throws -> Request.Response {
        try type.decode(body, httpResponse)
    }

    /// Which error the answer is for a request type.
    func error<Request: RequestType>(of type: Request.Type) throws -> Request.TaskError {
        try #require(throws: Request.TaskError.self) { _ = try read(type) }
    }
}

/// A request type in a table: what an answer is for it, as text.
struct Reader: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let read: @Sendable (Answer) throws -> String

    init<Request: RequestType>(
        _ type: Request.Type,
        _ show: @escaping @Sendable (Request.Response) -> String = { String(describing: $0) }
    ) {
        testDescription = "\(type)"
        read = { show(try $0.read(type)) }
    }

    /// The response, or the error in its own words.
    func outcome(_ answer: Answer) -> String {
        do { return try read(answer) } catch { return "\(error)" }
    }
}

/// A GET for any decodable response.
struct Fetch<Value: Decodable>: RequestType {
    static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "x") }
    typealias Response = Value
}

/// A GET for any decodable response and the head of its answer.
struct FetchWithHead<Value: Decodable>: RequestType {
    static var endpoint: Endpoint<Self> { Endpoint(method: .get, path: "x") }
    typealias Response = WithHTTPResponse<Value>
}

/// A HEAD, whose answers have no content.
struct Peek<Value: Decodable>: RequestType {
    static var endpoint: Endpoint<Self> { Endpoint(method: .head, path: "x") }
    typealias Response = Value
}

/// A GET that takes “not modified” for a success.
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
